"""ALPRO-like: a BERT of `transformers` over the words of the question and the cells of all frames (after Li et al., "Align
and prompt: video-and-language pre-training with entity prompts", 2022).

Words and cells are one row of tokens, and every token attends to every other:

    tokens      [CLS] + [words + their place in the sentence] + [W cell + which video + which frame + which cell]
    encoder     BERT, with its two types of tokens: words and cells.
    answer      a small network on what the encoder makes of [CLS].

From scratch by default. `weights` names the folder of a BERT, such as bert-base-uncased, in the format of `transformers`;
layers, heads and widths are then the checkpoint's, and the dataset's words begin as what its tokenizer and its embedding
make of them. All of it is fine-tuned.

What differs from ALPRO: cells are features of a frozen network (`frames.network`) where ALPRO fine-tunes a TimeSformer on
pixels; cells meet words from the first layer on, and are not averaged over time, where ALPRO has a text encoder, a video
encoder and a joint one; nothing was pre-trained on pairs of videos and texts.

Shapes: B sentences, L tokens of the longest, N cells of all frames of all videos, D features of a cell, d the width.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final

import torch
from safetensors import SafetensorError
from torch import Tensor, nn
from transformers import AutoConfig, AutoTokenizer, BertConfig, BertModel

from comphy.errors import ConfigError
from models.baselines.answering import Logits
from models.baselines.training import EarlyStoppingMetric
from models.baselines.video.settings import RENAMED_KEYS, Cue, FrameSettings, grid_of_a_perceiver
from models.baselines.video.tokens import VideoTokens, padding
from models.baselines.video.training import Interface, check_video, run_video
from models.questions.tokens import PAD_ID
from models.train.run import Run, TrainingOutcome

_WORD, _CELL = 0, 1  # BERT's types of tokens
_KIND: Final = "bert"
_BERT_RANGE, _BERT_WIDTH = 0.02, 768  # how far apart the first weights of BERT's layers are, and how wide these are
_TOKENIZERS: Final = ("tokenizer.json", "vocab.txt")
_ADVICE: Final = (
    "Nothing is downloaded; get one with `hf download google-bert/bert-base-uncased --local-dir FOLDER` and name it as "
    "weights=FOLDER, or leave weights out and train from scratch."
)


@dataclass(frozen=True)
class ALPROSize:
    layers: int = 6
    heads: int = 8
    width: int = 256
    feed_forward: int = 1024
    classifier: int = 256  # hidden units of the network that answers
    dropout: float = 0.1  # in the encoder and before the answer

    def __post_init__(self) -> None:
        if min(self.layers, self.heads, self.feed_forward, self.classifier) < 1 or self.width % self.heads:
            raise ValueError(
                "expected layers, heads, feed_forward and classifier of at least 1, and a width that the heads divide "
                f"(got {self.layers}, {self.heads}, {self.feed_forward}, {self.classifier} and {self.width})"
            )
        if not 0 <= self.dropout < 1:
            raise ValueError(f"expected dropout from 0 to below 1 (got {self.dropout})")


class ALPRO(nn.Module):
    """`weights`: folder of a BERT, which then sets all sizes but `classifier`; None: from scratch.

    Raises ConfigError where the folder has no BERT that can be used.
    """

    def __init__(self, size: ALPROSize, interface: Interface, weights: str | None = None) -> None:
        super().__init__()
        self.encoder = _from_scratch(size, interface) if weights is None else _pretrained(size, interface, weights)
        width, self._places = self.encoder.config.hidden_size, self.encoder.config.max_position_embeddings
        self.tokens = VideoTokens(interface, width)
        self.describe = nn.Linear(interface.shape.features, width)
        self.answer_token = nn.Parameter(0.02 * torch.randn(width))
        self.answer_head, self.choice_head = (
            nn.Sequential(
                nn.Linear(width, size.classifier),
                nn.GELU(),
                nn.Dropout(size.dropout),
                nn.Linear(size.classifier, outputs),
            )
            for outputs in (interface.answers, 1)
        )

    def forward(self, tokens: Tensor, lengths: Tensor, target: Tensor | None, references: Tensor | None) -> Logits:
        """Tokens [B, L], lengths [B], target [B, T, C, D] and references [B, R, T', C, D], as far as they are shown."""
        cells = self.describe(self.tokens(target, references)) + self.tokens.positions()  # [B, N, d]
        words = self.encoder.get_input_embeddings()(tokens)
        first = self.answer_token.expand(len(tokens), 1, -1)
        count, room = 1 + words.shape[1], cells.shape[1]  # words with [CLS], and cells
        places = torch.arange(count, device=tokens.device).clamp(max=self._places - 1)
        no_word = padding(lengths, tokens.device)
        out: Tensor = self.encoder(
            inputs_embeds=torch.cat([first, words, cells], dim=1),
            # Cells have places of their own.
            position_ids=torch.cat([places, places.new_zeros(room)])[None],
            token_type_ids=_types(count, room, tokens),
            attention_mask=torch.cat(
                [no_word.new_ones(len(tokens), 1), ~no_word, no_word.new_ones(len(tokens), room)], dim=1
            ),
        ).last_hidden_state
        answer = out[:, 0]
        return Logits(self.answer_head(answer), self.choice_head(answer).squeeze(-1))


def _types(words: int, cells: int, tokens: Tensor) -> Tensor:
    """[B, words + cells]."""
    types = torch.tensor([_WORD] * words + [_CELL] * cells, device=tokens.device)
    return types.expand(len(tokens), -1)


def _from_scratch(size: ALPROSize, interface: Interface) -> BertModel:
    config = BertConfig(
        vocab_size=len(interface.words),
        hidden_size=size.width,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        intermediate_size=size.feed_forward,
        hidden_dropout_prob=size.dropout,
        attention_probs_dropout_prob=size.dropout,
        initializer_range=_BERT_RANGE * math.sqrt(_BERT_WIDTH / size.width),
        pad_token_id=PAD_ID,
    )
    return BertModel(config, add_pooling_layer=False)


def _pretrained(size: ALPROSize, interface: Interface, weights: str) -> BertModel:
    """The BERT of a folder, with a row for each of the dataset's words in place of its own embedding."""
    encoder, tokenizer = _checkpoint(size, weights)
    rows = _embedded(interface.words, tokenizer, encoder.get_input_embeddings().weight.detach())
    encoder.set_input_embeddings(nn.Embedding.from_pretrained(rows, freeze=False, padding_idx=PAD_ID))
    return encoder


def _checkpoint(size: ALPROSize, weights: str) -> tuple[BertModel, Any]:
    """The BERT of a folder and its tokenizer. Raises ConfigError if they cannot be used."""
    path = Path(weights)
    if not path.is_dir():
        found = "a file" if path.is_file() else "nothing"
        raise ConfigError(f"weights={weights}: expected the folder of a BERT (found {found}). {_ADVICE}")
    encoder, missing = _opened(size, path)
    if missing:
        raise ConfigError(
            f"weights={weights}: expected all weights of a BERT (missing: {len(missing)}, such as {missing[0]}). {_ADVICE}"
        )
    tokenizer, pieces = _tokenizer(path), encoder.config.vocab_size
    if len(tokenizer) > pieces:
        raise ConfigError(
            f"weights={weights}: expected a tokenizer of at most {pieces} pieces, as the model's embedding has (found "
            f"{len(tokenizer)}). {_ADVICE}"
        )
    return encoder, tokenizer


def _opened(size: ALPROSize, path: Path) -> tuple[BertModel, list[str]]:
    """The model, and names of weights that the folder lacks."""
    try:
        kind = AutoConfig.from_pretrained(path, local_files_only=True).model_type
        if kind != _KIND:
            raise ValueError(f"a model of the type {kind}")
        loaded: Any = BertModel.from_pretrained(
            path,
            local_files_only=True,
            output_loading_info=True,
            dtype=torch.float32,
            add_pooling_layer=False,
            hidden_dropout_prob=size.dropout,
            attention_probs_dropout_prob=size.dropout,
        )
    except (OSError, ValueError, KeyError, RuntimeError, TypeError, SafetensorError) as error:
        raise _unusable(path, "a BERT", error) from None
    encoder, info = loaded
    return encoder, sorted(info["missing_keys"])


def _tokenizer(path: Path) -> Any:
    try:
        if not any((path / name).is_file() for name in _TOKENIZERS):
            raise ValueError("none of " + ", ".join(_TOKENIZERS))  # transformers makes one that knows no word
        return AutoTokenizer.from_pretrained(path, local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError, TypeError) as error:
        raise _unusable(path, "the tokenizer of a BERT", error) from None


def _unusable(path: Path, expected: str, error: Exception) -> ConfigError:
    reason = str(error).strip().partition("\n")[0][:200]
    return ConfigError(
        f"weights={path}: expected {expected} in the format of transformers (found: {reason}). {_ADVICE}"
    )


def _embedded(words: Sequence[str], tokenizer: Any, own: Tensor) -> Tensor:
    """[words, d]: the mean over the pieces that a tokenizer makes of each word. Special tokens are called as BERT's."""
    return torch.stack([own[tokenizer(word, add_special_tokens=False)["input_ids"]].mean(0) for word in words])


@dataclass(frozen=True)
class ALPROConfig:
    RENAMED: ClassVar[Mapping[str, str]] = RENAMED_KEYS

    task: str = "alpro"
    seed: int = 0
    device: str = "auto"  # cuda where there is one, else cpu
    weights: str | None = None  # folder of a BERT that is fine-tuned; none: from scratch
    target: bool = True  # whether the target video is shown
    references: bool = False  # whether the reference videos are shown
    cue: str = Cue.ALL  # or single_frame, shuffled_frames
    cache: str | None = None  # folder of frame features; none: in the run's folder
    epochs: int = 40  # at most
    patience: int = 6  # epochs without a better validation before the training stops
    early_stopping_metric: str = EarlyStoppingMetric.ACCURACY  # or loss: what the best epoch is best in
    batch_size: int = 64
    learning_rate: float = 1e-4
    weight_decay: float = 1e-2
    max_gradient_norm: float = 1.0
    warmup_steps: int = 1000  # over which the learning rate rises
    bf16: bool = True  # mixed precision, on GPUs only
    frames: FrameSettings = field(default_factory=grid_of_a_perceiver)
    model: ALPROSize = field(default_factory=ALPROSize)

    def __post_init__(self) -> None:
        check_video(self)


def run_alpro(config: ALPROConfig, run: Run) -> TrainingOutcome:
    name = "ALPRO-like (Ref)" if config.references else "ALPRO-like"
    if config.weights is not None:
        _checkpoint(config.model, config.weights)  # before frames are described, which takes a while
    outcome = run_video(config, run, lambda interface: ALPRO(config.model, interface, config.weights), name)
    begun = "from scratch" if config.weights is None else f"from the BERT {config.weights}"
    return replace(outcome, note=f"{outcome.note} The encoder was trained {begun}.")
