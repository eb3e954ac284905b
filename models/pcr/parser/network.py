"""The parser's network: a small BART, configured here and trained from scratch.

Shapes: B sentences, T words of the longest, S program tokens of the longest, P tokens of the output vocabulary.
"""

from dataclasses import dataclass
from typing import Final

from torch import Tensor, nn
from transformers import BartConfig
from transformers.cache_utils import Cache
from transformers.models.bart.modeling_bart import BartDecoder, BartEncoder

from models.pcr.parser.automaton import END_ID, PROGRAM_TOKENS, START_ID
from models.questions.tokens import PAD_ID

POSITIONS: Final = 64  # maximum length of the input and of the output
_INITIAL: Final = 0.05  # standard deviation of the initial weights; BART's 0.02 is for widths ten times as large


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

    def config(self, vocabulary: int, padding: int | None) -> BartConfig:
        return BartConfig(
            vocab_size=vocabulary,
            max_position_embeddings=POSITIONS,
            d_model=self.width,
            encoder_layers=self.layers,
            decoder_layers=self.layers,
            encoder_attention_heads=self.heads,
            decoder_attention_heads=self.heads,
            encoder_ffn_dim=self.feed_forward,
            decoder_ffn_dim=self.feed_forward,
            activation_function="relu",
            dropout=self.dropout,
            init_std=_INITIAL,
            pad_token_id=padding,
            bos_token_id=START_ID,
            decoder_start_token_id=START_ID,
            eos_token_id=END_ID,
            forced_eos_token_id=None,
        )


class ProgramTransformer(nn.Module):
    """Encoder-decoder transformer from words to program tokens."""

    def __init__(self, size: ParserSize, words: int) -> None:
        super().__init__()
        self.encoder = BartEncoder(size.config(words, PAD_ID))
        self.decoder = BartDecoder(size.config(len(PROGRAM_TOKENS), None))
        self.head = nn.Linear(size.width, len(PROGRAM_TOKENS))
        nn.init.normal_(self.head.weight, std=_INITIAL)

    def forward(self, words: Tensor, programs: Tensor) -> Tensor:
        """Words (B, T) and program prefixes (B, S), which begin with START, to next-token logits (B, S, P)."""
        return self.decode(self.encode(words), words, programs)[0]

    def encode(self, words: Tensor) -> Tensor:
        """Words (B, T) to states (B, T, width)."""
        states: Tensor = self.encoder(words, attention_mask=words != PAD_ID).last_hidden_state
        return states

    def decode(
        self, states: Tensor, words: Tensor, programs: Tensor, cache: Cache | None = None, keep: bool = False
    ) -> tuple[Tensor, Cache | None]:
        """Next-token logits, and a key-value cache if `keep`. With a `cache`, pass only the tokens since it was made."""
        output = self.decoder(
            programs,
            encoder_hidden_states=states,
            encoder_attention_mask=words != PAD_ID,
            past_key_values=cache,
            use_cache=keep,
        )
        return self.head(output.last_hidden_state), output.past_key_values
