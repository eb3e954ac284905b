"""An encoder-decoder transformer as in BART (https://arxiv.org/abs/1910.13461): learned positions, layer norm after each
sublayer. Parameters have the names of Hugging Face's `BartModel`, whose import alone takes longer than reading a question.

Shapes: B sentences, T words of the longest, S program tokens, D width, H heads.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

_OFFSET: Final = 2  # rows of BART's positions that no position has


@dataclass(frozen=True)
class TransformerSize:
    width: int
    heads: int
    feed_forward: int
    positions: int
    dropout: float
    initial: float  # standard deviation of the initial weights


@dataclass
class LayerCache:
    """Keys and values of a decoder layer so far [B, H, S, D / H], and those of the encoder's states."""

    own: tuple[Tensor, Tensor] | None = None
    others: tuple[Tensor, Tensor] | None = None


@dataclass
class Cache:
    """What a decoder has worked out for the tokens before; it grows with every call."""

    layers: list[LayerCache]
    tokens: int = 0


class Attention(nn.Module):
    """Multi-head attention."""

    def __init__(self, size: TransformerSize) -> None:
        super().__init__()
        self.heads = size.heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(size.width, size.width) for _ in range(4))

    def keys_and_values(self, states: Tensor) -> tuple[Tensor, Tensor]:
        return self._split(self.k_proj(states)), self._split(self.v_proj(states))

    def forward(self, states: Tensor, seen: tuple[Tensor, Tensor], mask: Tensor | None) -> Tensor:
        """Attend from states [B, S, D] to keys and values, where the mask is added to the scores."""
        query = self._split(self.q_proj(states))
        found = functional.scaled_dot_product_attention(query, *seen, attn_mask=mask)
        attended: Tensor = self.out_proj(found.transpose(1, 2).flatten(2))
        return attended

    def _split(self, values: Tensor) -> Tensor:
        return values.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class EncoderLayer(nn.Module):
    def __init__(self, size: TransformerSize) -> None:
        super().__init__()
        self.self_attn = Attention(size)
        self.self_attn_layer_norm = nn.LayerNorm(size.width)
        self.fc1, self.fc2 = nn.Linear(size.width, size.feed_forward), nn.Linear(size.feed_forward, size.width)
        self.final_layer_norm = nn.LayerNorm(size.width)
        self.dropout = nn.Dropout(size.dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        attended = self.self_attn(states, self.self_attn.keys_and_values(states), mask)
        return self._fed_forward(self.self_attn_layer_norm(states + self.dropout(attended)))

    def _fed_forward(self, states: Tensor) -> Tensor:
        fed: Tensor = self.final_layer_norm(states + self.dropout(self.fc2(self.fc1(states).relu())))
        return fed


class DecoderLayer(EncoderLayer):
    """With attention to the encoder's states between its two sublayers."""

    def __init__(self, size: TransformerSize) -> None:
        super().__init__(size)
        self.encoder_attn = Attention(size)
        self.encoder_attn_layer_norm = nn.LayerNorm(size.width)

    def decode(self, tokens: Tensor, states: Tensor, masks: tuple[Tensor, Tensor], cache: LayerCache) -> Tensor:
        """tokens [B, S, D]: those since the cache was made; masks: of tokens and of states."""
        own = self.self_attn.keys_and_values(tokens)
        if cache.own is not None:
            own = torch.cat([cache.own[0], own[0]], dim=2), torch.cat([cache.own[1], own[1]], dim=2)
        others = cache.others or self.encoder_attn.keys_and_values(states)
        cache.own, cache.others = own, others
        tokens = self.self_attn_layer_norm(tokens + self.dropout(self.self_attn(tokens, own, masks[0])))
        attended = self.dropout(self.encoder_attn(tokens, others, masks[1]))
        return self._fed_forward(self.encoder_attn_layer_norm(tokens + attended))


class _Stack(nn.Module):
    """What encoder and decoder share: embeddings of tokens and positions."""

    def __init__(self, size: TransformerSize, tokens: int) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(tokens, size.width)
        self.embed_positions = nn.Embedding(size.positions + _OFFSET, size.width)
        self.layernorm_embedding = nn.LayerNorm(size.width)
        self.dropout = nn.Dropout(size.dropout)

    def _embedded(self, embeddings: Tensor, first: int = 0) -> Tensor:
        place = torch.arange(first, first + embeddings.shape[1], device=embeddings.device) + _OFFSET
        embedded: Tensor = self.dropout(self.layernorm_embedding(embeddings + self.embed_positions(place)))
        return embedded

    def _initialise(self, deviation: float) -> None:
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=deviation)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)


class Encoder(_Stack):
    """Takes embeddings; it has one token of its own, which is not used, as BART has it."""

    def __init__(self, size: TransformerSize, layers: int) -> None:
        super().__init__(size, 1)
        self.layers = nn.ModuleList(EncoderLayer(size) for _ in range(layers))
        self._initialise(size.initial)

    def forward(self, embeddings: Tensor, there: Tensor) -> Tensor:
        """Embeddings [B, T, D] of words that are `there` [B, T] to states."""
        states, mask = self._embedded(embeddings), _mask(there[:, None, None], embeddings)
        for layer in self.layers:
            states = layer(states, mask)
        return states


class Decoder(_Stack):
    def __init__(self, size: TransformerSize, layers: int, tokens: int) -> None:
        super().__init__(size, tokens)
        self.layers = nn.ModuleList(DecoderLayer(size) for _ in range(layers))
        self._initialise(size.initial)

    def forward(self, tokens: Tensor, states: Tensor, there: Tensor, cache: Cache | None) -> tuple[Tensor, Cache]:
        """Tokens [B, S] since the cache was made, given the encoder's states [B, T, D]."""
        cache = cache or Cache([LayerCache() for _ in self.layers])
        found = self._embedded(self.embed_tokens(tokens), cache.tokens)
        count, total = tokens.shape[1], cache.tokens + tokens.shape[1]
        before = torch.ones(count, total, dtype=torch.bool, device=tokens.device).tril(total - count)
        masks = _mask(before, found), _mask(there[:, None, None], found)
        for layer, kept in zip(self.layers, cache.layers, strict=True):
            assert isinstance(layer, DecoderLayer)
            found = layer.decode(found, states, masks, kept)
        cache.tokens = total
        return found, cache


def _mask(seen: Tensor, like: Tensor) -> Tensor:
    """What is added to scores to hide what is not `seen`. Finite: a sentence may have no word at all."""
    scores = torch.zeros(seen.shape, dtype=like.dtype, device=like.device)
    return scores.masked_fill(~seen, torch.finfo(like.dtype).min)
