"""How a vision-language model is asked: the settings of configs/baselines/lvlm.yaml."""

import math
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from comphy.dataset.sources.source import TARGET, VideoLengths
from comphy.errors import ConfigError, did_you_mean
from models.llm.names import KEY_VARIABLE, LOCAL, check_name, is_remote

SPLITS = ("train", "val", "test")


class ShownAs(StrEnum):
    """How a model of `transformers` is given frames: each as a picture, or those of a video together."""

    IMAGES = "images"
    VIDEO = "video"


@dataclass(frozen=True)
class ShownFrames:
    """Evenly spaced frames, the first and the last among them."""

    source: str = "raytrace"  # drawn when they are needed; or videos, decoded from the dataset's files
    width: int = 480  # pixels; the height is two thirds of it
    target: int = 16  # frames
    reference: int = 4  # frames of each reference; 0: the target alone, as in the paper
    shown_as: str = ShownAs.IMAGES  # hf: images, or video where the model knows videos

    def __post_init__(self) -> None:
        if self.shown_as not in set(ShownAs):
            raise ValueError(f"unknown shown_as '{self.shown_as}'; {did_you_mean(self.shown_as, set(ShownAs))}")
        if self.target < 1 or self.reference < 0 or self.width < 96:
            raise ValueError(
                "expected target of at least 1, reference of at least 0 and a width of at least 96 "
                f"(got {self.target}, {self.reference} and {self.width})"
            )

    def numbers(self, video: str, lengths: VideoLengths) -> tuple[int, ...]:
        key, count = ("target", self.target) if video == TARGET else ("reference", self.reference)
        length = lengths.of(video)
        if count > length:
            raise ConfigError(f"frames.{key}={count}: expected at most {length}, the frames of a video. Choose fewer.")
        return tuple(round(number) for number in np.linspace(0, length - 1, count))


@dataclass(frozen=True)
class FewShot:
    """Questions of the same type from the train split, with their answers."""

    examples: int = 0
    frames: bool = True  # whether their videos are shown, too

    def __post_init__(self) -> None:
        if self.examples < 0:
            raise ValueError(f"expected examples of at least 0 (got {self.examples})")


@dataclass(frozen=True)
class Prices:
    """Of a million tokens."""

    read: float = 0.0
    written: float = 0.0
    currency: str = "USD"

    def __post_init__(self) -> None:
        if not all(0 <= price < math.inf for price in (self.read, self.written)):
            raise ValueError(f"expected prices of at least 0 (got {self.read} and {self.written})")

    def cost(self, read: int, written: int) -> float:
        return (read * self.read + written * self.written) / 1e6


@dataclass(frozen=True)
class LVLMConfig:
    task: str = "lvlm"
    model: str | None = None  # hf:FOLDER or http://host/v1#MODEL
    seed: int = 0  # of the choice of examples
    device: str = "auto"  # hf: cuda where there is one, else cpu
    splits: tuple[str, ...] = ("test",)
    sets: int | None = None  # the first so many sets of each split
    template: str | None = None  # a file like models/baselines/lvlm/prompts.yaml
    max_tokens: int = 512  # of one reply
    attempts: int = 5  # endpoint: requests for one reply, where the server is busy or fails
    timeout: float = 120.0  # endpoint: seconds for one request
    workers: int = 4  # endpoint: requests at the same time
    key_variable: str = KEY_VARIABLE  # endpoint: environment variable that holds the key, if one is needed
    frames: ShownFrames = field(default_factory=ShownFrames)
    few_shot: FewShot = field(default_factory=FewShot)
    prices: Prices = field(default_factory=Prices)

    def __post_init__(self) -> None:
        if self.model is not None:
            check_name(self.model)
        if unknown := [split for split in self.splits if split not in SPLITS]:
            raise ValueError(f"splits: unknown split '{unknown[0]}'; {did_you_mean(unknown[0], SPLITS)}")
        if not self.splits or len(set(self.splits)) < len(self.splits):
            raise ValueError(f"splits: expected at least one split, each once (got {list(self.splits)})")
        if min(self.max_tokens, self.attempts, self.workers) < 1 or not self.timeout > 0:
            raise ValueError("expected max_tokens, attempts and workers of at least 1, and timeout above 0")
        if self.seed < 0 or (self.sets is not None and self.sets < 1):
            raise ValueError(f"expected a seed of at least 0 and sets of at least 1 (got {self.seed} and {self.sets})")

    @property
    def remote(self) -> bool:
        return is_remote(self.named)

    @property
    def named(self) -> str:
        """Raises `ConfigError` if no model is named."""
        if self.model is None:
            raise ConfigError(
                "model: expected a vision-language model, as model=hf:FOLDER or model=http://host/v1#MODEL (found none). "
                "See docs/howto/lvlm.md."
            )
        return self.model

    @property
    def local(self) -> str:
        """The folder or name of a model for `transformers`."""
        return self.named.removeprefix(LOCAL)
