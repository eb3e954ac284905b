"""The rows of the robustness table: what happens to frames, and which camera the reasoner takes them to be filmed with.

A row is one entry of `CONDITIONS`. Rows that see the same frames name one cache of features (`features`), so that frames
are perceived once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from comphy.choices import FramesFrom
from comphy.dataset.frames import FrameBatches
from comphy.errors import ConfigError, did_you_mean
from comphy.scene.camera import BENCHMARK, Camera, tilted_camera
from comphy.toolkit.stress.frames import (
    CompressedFrames,
    CorruptedFrames,
    Corruption,
    FramesByCamera,
    StressRenderer,
    at_rate,
    through_size,
)
from models.pcr.tracks.camera_fit import estimate_camera
from models.pcr.tracks.standing_boxes import standing_boxes
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.training.distortions import blurred, brightened, compressed, contrasted, noised

BASELINE: Final = "drawn"
BLENDER: Final = "blender"
FILMED: Final = "cameras-given"

# Focal length in widths of the picture, height and tilt. All look at the middle of the table, and see about as much of it
# as the benchmark's camera (1.09, 2.5, 30°): what has left the picture of one has mostly left that of the others.
CAMERAS: Final = (
    tilted_camera(1.09, 3.2, 40),
    tilted_camera(1.09, 1.9, 22),
    tilted_camera(0.83, 1.9, 30),
    tilted_camera(1.53, 3.9, 34),
)


def camera_of_set(index: int) -> Camera:
    """The camera that films a set in the rows of other cameras."""
    return CAMERAS[index % len(CAMERAS)]


def _benchmark(cache: FeatureCache, index: int) -> Camera:
    return BENCHMARK


def _estimated(cache: FeatureCache, index: int) -> Camera:
    """From the boxes of the set alone; the benchmark's camera where they do not tell one."""
    found = estimate_camera(standing_boxes([cache.read(index)]))
    return found.camera if found.determined else BENCHMARK


@dataclass(frozen=True)
class Condition:
    """A row: its name, what it says of itself, its frames, and `camera`, which tells the reasoner the camera of a set whose
    features are in a cache. `features` names the cache, by default the row's own."""

    name: str
    about: str
    open: Callable[[StressRenderer], FrameBatches]
    camera: Callable[[FeatureCache, int], Camera] = _benchmark
    features: str | None = None

    @property
    def cache(self) -> str:
        return self.features or self.name


def _corrupted(corruption: Corruption) -> Callable[[StressRenderer], FrameBatches]:
    return lambda renderer: CorruptedFrames(renderer.drawn(), corruption, renderer.size)


def _compressed(crf: int) -> Callable[[StressRenderer], FrameBatches]:
    return lambda renderer: CompressedFrames(renderer.drawn(), crf, renderer.size)


def _filmed(renderer: StressRenderer) -> FrameBatches:
    return FramesByCamera(renderer, camera_of_set)


CONDITIONS: Final = (
    Condition(BASELINE, "as drawn", lambda renderer: renderer.plain(FramesFrom.RAYTRACE)),
    Condition("h264-23", "H.264, crf 23", _compressed(23)),
    Condition("h264-35", "H.264, crf 35", _compressed(35)),
    Condition("jpeg-50", "JPEG of quality 50", _corrupted(lambda images, _: compressed(images, 50))),
    Condition(BLENDER, "drawn by Blender", lambda renderer: renderer.plain(FramesFrom.BLENDER)),
    Condition("noise", "pixel noise, σ = 10 of 255", _corrupted(lambda images, random: noised(images, 10, random))),
    Condition("dark", "30 % darker", _corrupted(lambda images, _: brightened(images, 0.7))),
    Condition("bright", "30 % brighter", _corrupted(lambda images, _: brightened(images, 1.3))),
    Condition("flat", "30 % less contrast", _corrupted(lambda images, _: contrasted(images, 0.7))),
    Condition("blur", "Gaussian blur, σ = 1.5 pixels", _corrupted(lambda images, _: blurred(images, 1.5))),
    Condition("320x240", "320 × 240, black bars", _corrupted(through_size((320, 240)))),
    Condition("1280x720", "1280 × 720, black bars", _corrupted(through_size((1280, 720)))),
    Condition("15fps", "15 frames a second", lambda renderer: at_rate(renderer, 15)),
    Condition("50fps", "50 frames a second", lambda renderer: at_rate(renderer, 50)),
    Condition(FILMED, "4 other cameras, given", _filmed, lambda _, index: camera_of_set(index)),
    Condition("cameras-estimated", "4 other cameras, estimated set by set", _filmed, _estimated, FILMED),
)


def choose(names: Sequence[str] = (), known: Sequence[Condition] = CONDITIONS) -> list[Condition]:
    """The conditions of these names, or all; the baseline, which others are compared with, always first."""
    by_name = {condition.name: condition for condition in known}
    for name in names:
        if name not in by_name:
            raise ConfigError(f"unknown condition '{name}' for --only; {did_you_mean(name, by_name)}")
    return [one for one in known if not names or one.name in names or one.name == BASELINE]
