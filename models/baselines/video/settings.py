"""Which frames video baselines look at, what describes them, and which part of them a model is shown."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np

from comphy.dataset.sources.source import TARGET, VideoLengths
from comphy.errors import ConfigError, did_you_mean

RENAMED_KEYS: Final[Mapping[str, str]] = {"stop_on": "early_stopping_metric"}  # of configs of earlier versions


class NetworkName(StrEnum):
    """What describes a frame: torchvision's ResNet-50, the ResNet backbone of a trained perceiver, the slots of a trained
    MONet, or the objects that a perceiver has tracked."""

    RESNET50 = "resnet50"
    PERCEIVER = "perceiver"
    MONET = "monet"
    TRACKS = "tracks"


class Cue(StrEnum):
    """Which frames a model is shown of those that were chosen: all in order, the one in the middle of each video, or all
    in an order that is drawn for each video."""

    ALL = "all"
    SINGLE_FRAME = "single_frame"
    SHUFFLED_FRAMES = "shuffled_frames"


@dataclass(frozen=True)
class Shown:
    """Which videos a model is shown, and which frames of them. What is left out tells what a model did not need."""

    target: bool = True
    references: bool = False
    cue: str = Cue.ALL

    def __post_init__(self) -> None:
        if self.cue not in set(Cue):
            raise ValueError(f"unknown cue '{self.cue}'; {did_you_mean(self.cue, set(Cue))}")
        if not self.target and not self.references:
            raise ValueError("expected a model that is shown a video: target=true, references=true, or both")


@dataclass(frozen=True)
class FrameSettings:
    """Evenly spaced frames, as in the paper: 25 of the target, 10 of each reference."""

    source: str = "raytrace"  # drawn when they are needed; or videos, decoded from the dataset's files
    width: int = 336  # pixels; the height is two thirds of it
    network: str = NetworkName.RESNET50
    weights: str | None = (
        None  # of torchvision's ResNet-50, or the run of a perceiver or MONet; none: random, or tracks
    )
    rows: int = 1  # of the grid of cells that a frame's features are averaged in
    columns: int = 1
    target: int = 25  # frames
    reference: int = 10  # frames of each
    batch: int = 65  # frames that are drawn and described at once; 65 are one set

    def __post_init__(self) -> None:
        if self.network not in set(NetworkName):
            raise ValueError(f"unknown network '{self.network}'; {did_you_mean(self.network, set(NetworkName))}")
        if self.network == NetworkName.PERCEIVER and self.weights is None:
            raise ValueError("expected weights=RUN of a perceiver, such as pcr/perceiver, with network=perceiver")
        if self.network == NetworkName.MONET and self.weights is None:
            raise ValueError(
                "expected weights=RUN of a MONet, which `comphy train baselines/monet` makes, with network=monet"
            )
        if self.network == NetworkName.TRACKS and self.weights is not None:
            raise ValueError(
                f"expected no weights with network=tracks, whose objects are in the cache (got {self.weights})"
            )
        if self.of_objects and self.rows * self.columns != 1:
            raise ValueError(
                f"expected no grid with network={self.network}, whose cells are objects (got {self.rows}x{self.columns})"
            )
        if min(self.rows, self.columns, self.target, self.reference, self.batch) < 1 or self.width < 96:
            raise ValueError(
                "expected rows, columns, target, reference and batch of at least 1 and a width of at least 96 "
                f"(got {self.rows}, {self.columns}, {self.target}, {self.reference}, {self.batch} and {self.width})"
            )

    @property
    def of_objects(self) -> bool:
        """Whether the cells of a frame are objects, in no order, rather than places."""
        return self.network in (NetworkName.MONET, NetworkName.TRACKS)

    def numbers(self, video: str, lengths: VideoLengths) -> list[int]:
        """The frames of a video that are looked at: evenly spaced, the first and the last among them."""
        key, count = ("target", self.target) if video == TARGET else ("reference", self.reference)
        length = lengths.of(video)
        if count > length:
            raise ConfigError(f"frames.{key}={count}: expected at most {length}, the frames of a video. Choose fewer.")
        return [round(number) for number in np.linspace(0, length - 1, count)]


def frames_of_a_perceiver() -> FrameSettings:
    """For models that see a frame as one vector: the backbone of weights that come along and know frames of this width."""
    return FrameSettings(width=240, network=NetworkName.PERCEIVER, weights="pcr/perceiver")


def grid_of_a_perceiver() -> FrameSettings:
    """For models that look at places in a frame: cells about as large as an object, with few features each."""
    return replace(frames_of_a_perceiver(), rows=5, columns=8)
