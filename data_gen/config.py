"""The configuration of a dataset: everything but the seed and the number of sets that decides its bytes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from comphy.config import load_config
from comphy.scene.camera import Camera
from data_gen.sampling.rules import SceneRules

WIDEST: Final = 1920  # pixels; a video of 125 such frames takes 900 MB of memory


@dataclass(frozen=True)
class PictureSize:
    """Size of the frames; the camera's aspect ratio 3:2 must be kept."""

    width: int = 480
    height: int = 320

    def __post_init__(self) -> None:
        if self.width * 2 != self.height * 3 or self.width % 6 or not 96 <= self.width <= WIDEST:
            raise ValueError(
                f"expected a 3:2 picture from 96 to {WIDEST} wide with even sides, such as 480x320 or 240x160 "
                f"(got {self.width}x{self.height})"
            )


def _check_positive(options: object, *names: str) -> None:
    for name in names:
        if getattr(options, name) < 1:
            raise ValueError(f"expected {name} of at least 1 (got {getattr(options, name)})")


@dataclass(frozen=True)
class RaytraceOptions:
    samples: int = 4  # per pixel around objects
    shadows: bool = True
    device: str = "cpu"

    def __post_init__(self) -> None:
        _check_positive(self, "samples")
        if not re.fullmatch(r"cpu|cuda(:[0-9]{1,3})?", self.device):
            raise ValueError(f"expected device cpu, cuda or such as cuda:1 (got '{self.device}')")


@dataclass(frozen=True)
class BlenderOptions:
    samples: int = 16
    recycle_every: int = 20  # videos per Blender process

    def __post_init__(self) -> None:
        _check_positive(self, "samples", "recycle_every")


@dataclass(frozen=True)
class DatasetConfig:
    scene: SceneRules = field(default_factory=SceneRules)
    picture: PictureSize = field(default_factory=PictureSize)
    raytrace: RaytraceOptions = field(default_factory=RaytraceOptions)
    blender: BlenderOptions = field(default_factory=BlenderOptions)

    def camera(self) -> Camera:
        return Camera().resized(self.picture.width, self.picture.height)


@dataclass(frozen=True)
class DatasetPlan(DatasetConfig):
    """What a config file says: the dataset, and how many sets are made where the command does not say it. More sets leave
    those before them as they are, so their number is no part of a dataset's own configuration."""

    sets: int = 10

    def __post_init__(self) -> None:
        _check_positive(self, "sets")

    def dataset(self) -> DatasetConfig:
        return DatasetConfig(**{one.name: getattr(self, one.name) for one in fields(DatasetConfig)})


def load_plan(path: Path, overrides: Sequence[str] = ()) -> DatasetPlan:
    """Raises `ConfigError` for a file, or a change to it, that cannot be used."""
    return load_config(DatasetPlan, path, list(overrides))
