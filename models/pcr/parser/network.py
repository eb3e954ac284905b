"""The parser's network: a small BART, configured here and trained from scratch.

Shapes: B sentences, T words of the longest, S program tokens of the longest, P tokens of the output vocabulary.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from transformers import BartConfig, BartForConditionalGeneration
from transformers.cache_utils import Cache
from transformers.modeling_outputs import BaseModelOutput

from models.baselines.tokens import PAD_ID, Vocabulary
from models.pcr.parser.automaton import END_ID, PROGRAM_TOKENS, START_ID

POSITIONS: Final = 64  # the most words that are read, and the most tokens that are written


@dataclass(frozen=True)
class ParserSize:
    width: int = 64
    layers: int = 2  # of the encoder, and as many of the decoder
    heads: int = 4
    feed_forward: int = 128
    dropout: float = 0.1

    def __post_init__(self) -> None:
        if min(self.width, self.layers, self.heads, self.feed_forward) < 1 or self.width % self.heads:
            raise ValueError(
                "expected width, layers, heads and feed_forward of at least 1, and a width that heads divides "
                f"(got {self.width}, {self.layers}, {self.heads} and {self.feed_forward})"
            )
        if not 0 <= self.dropout < 1:
            raise ValueError(f"expected dropout from 0 to below 1 (got {self.dropout})")


class ProgramTransformer(nn.Module):
    """Words in, program tokens out.

    BART has one table of embeddings. Its first rows are the words; a program token that is also a word (red, first)
    shares the word's row, so that to write it is to copy it.
    """

    rows: Tensor  # (P) of the table, for each program token

    def __init__(self, size: ParserSize, vocabulary: Vocabulary) -> None:
        super().__init__()
        table = {word: row for row, word in enumerate(vocabulary.words)}
        rows = [table.setdefault(token, len(table)) for token in PROGRAM_TOKENS]
        self.register_buffer("rows", torch.tensor(rows), persistent=False)
        self.bart = BartForConditionalGeneration(
            BartConfig(
                vocab_size=len(table),
                max_position_embeddings=POSITIONS,
                d_model=size.width,
                encoder_layers=size.layers,
                decoder_layers=size.layers,
                encoder_attention_heads=size.heads,
                decoder_attention_heads=size.heads,
                encoder_ffn_dim=size.feed_forward,
                decoder_ffn_dim=size.feed_forward,
                activation_function="relu",
                dropout=size.dropout,
                init_std=0.05,
                pad_token_id=PAD_ID,
                bos_token_id=rows[START_ID],
                decoder_start_token_id=rows[START_ID],
                eos_token_id=rows[END_ID],
                forced_eos_token_id=None,
            )
        )

    def forward(self, words: Tensor, programs: Tensor) -> Tensor:
        """Words (B, T) and the tokens so far (B, S), which begin with START: logits (B, S, P) of the tokens to come."""
        return self.decode(self.encode(words), words, programs)[0]

    def encode(self, words: Tensor) -> Tensor:
        """Words (B, T) to states (B, T, width)."""
        states: Tensor = self.bart.model.encoder(words, attention_mask=words != PAD_ID).last_hidden_state
        return states

    def decode(
        self, states: Tensor, words: Tensor, programs: Tensor, cache: Cache | None = None, keep: bool = False
    ) -> tuple[Tensor, Cache | None]:
        """Logits of the tokens to come. With a `cache`, `programs` has only the tokens since it was made."""
        output = self.bart(
            encoder_outputs=BaseModelOutput(last_hidden_state=states),
            attention_mask=words != PAD_ID,
            decoder_input_ids=self.rows[programs],
            past_key_values=cache,
            use_cache=keep,
        )
        return output.logits[..., self.rows], output.past_key_values
