"""The parser's network: a small BART over subword embeddings of words, configured here and trained from scratch.

Shapes: B sentences, T words of the longest, K pieces of a word, S program tokens of the longest, P tokens of the output
vocabulary.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.pcr.parser.automaton import PROGRAM_TOKENS
from models.pcr.parser.encoding import is_word
from models.pcr.parser.transformer import Cache, Decoder, Encoder, TransformerSize
from models.pcr.parser.words.reading import MAX_WORDS, PAD_ID

POSITIONS: Final = MAX_WORDS + 1  # one is for the token of a sentence's kind; programs are shorter
_INITIAL: Final = 0.05  # standard deviation of the initial weights; BART's 0.02 is for widths ten times as large


@dataclass(frozen=True)
class ParserSize:
    width: int = 96
    layers: int = 3  # of the encoder
    decoder_layers: int = 2
    heads: int = 4
    feed_forward: int = 256
    dropout: float = 0.1

    def __post_init__(self) -> None:
        sizes = (self.width, self.layers, self.decoder_layers, self.heads, self.feed_forward)
        if min(sizes) < 1 or self.width % self.heads:
            raise ValueError(
                "expected width, layers, decoder_layers, heads and feed_forward of at least 1, and a width that heads "
                f"divides (got {', '.join(map(str, sizes))})"
            )
        if not 0 <= self.dropout < 1:
            raise ValueError(f"expected dropout from 0 to below 1 (got {self.dropout})")

    def layer(self) -> TransformerSize:
        return TransformerSize(self.width, self.heads, self.feed_forward, POSITIONS, self.dropout, _INITIAL)


class WordEmbedding(nn.Module):
    """A word is the mean of the embeddings of its pieces, and sees its neighbours through a convolution of width 3."""

    def __init__(self, width: int, pieces: int) -> None:
        super().__init__()
        self.pieces = nn.EmbeddingBag(pieces, width, mode="mean", padding_idx=PAD_ID)
        self.neighbours = nn.Linear(3 * width, width)  # on the CPU, its gradient is quicker than that of `Conv1d`
        nn.init.normal_(self.pieces.weight, std=1.0)

    def forward(self, words: Tensor) -> Tensor:
        """Piece ids (B, T, K) to embeddings (B, T, width)."""
        means = self.pieces(words.flatten(0, 1)).unflatten(0, words.shape[:2])
        means = means * is_word(words)[..., None]
        around = functional.pad(means, (0, 0, 1, 1))
        beside: Tensor = self.neighbours(torch.cat([around[:, :-2], means, around[:, 2:]], dim=-1)).relu()
        return means + beside


class ProgramTransformer(nn.Module):
    """Encoder-decoder transformer from words to program tokens."""

    def __init__(self, size: ParserSize, pieces: int) -> None:
        super().__init__()
        self.words = WordEmbedding(size.width, pieces)
        self.encoder = Encoder(size.layer(), size.layers)
        self.decoder = Decoder(size.layer(), size.decoder_layers, len(PROGRAM_TOKENS))
        self.head = nn.Linear(size.width, len(PROGRAM_TOKENS))
        nn.init.normal_(self.head.weight, std=_INITIAL)

    def forward(self, words: Tensor, programs: Tensor) -> Tensor:
        """Words (B, T, K) and program prefixes (B, S), which begin with START, to next-token logits (B, S, P)."""
        return self.decode(self.encode(words), words, programs)[0]

    def encode(self, words: Tensor) -> Tensor:
        """Words (B, T, K) to states (B, T, width)."""
        states: Tensor = self.encoder(self.words(words), is_word(words))
        return states

    def decode(
        self, states: Tensor, words: Tensor, programs: Tensor, cache: Cache | None = None
    ) -> tuple[Tensor, Cache]:
        """Next-token logits, and a key-value cache. With a `cache`, pass only the tokens since it was made; it grows."""
        found, cache = self.decoder(programs, states, is_word(words), cache)
        return self.head(found), cache
