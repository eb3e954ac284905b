"""A dataset that the toolkit has made."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import read_annotation
from comphy.dataset.manifest import Manifest
from comphy.dataset.media.video import read_mp4
from comphy.dataset.packs.boxes import BoxTable, VideoBoxes
from comphy.dataset.packs.rollouts import Pack
from comphy.dataset.questions import read_questions, split_file
from comphy.dataset.sources.source import (
    STANDARD,
    TARGET,
    SetAnnotation,
    SourceKind,
    VideoLengths,
    reference_number,
)
from comphy.errors import DatasetError
from comphy.files import sha256
from comphy.questions.model import SceneQuestions
from comphy.scene.camera import BENCHMARK, Camera
from comphy.scene.objects import FPS, ObjectSpec

if TYPE_CHECKING:
    from comphy.dataset.media.video import Frames

_NOT_RENDERED = "none"


@dataclass(frozen=True)
class GeneratedDataset:
    """Everything beside the manifest is read when it is asked for: packs alone are enough to train a detector."""

    root: Path
    kind: SourceKind = SourceKind.GENERATED
    lengths: VideoLengths = STANDARD

    @cached_property
    def manifest(self) -> Manifest:
        return Manifest.read(self.root)

    @property
    def camera(self) -> Camera:
        return BENCHMARK

    @property
    def has_videos(self) -> bool:
        return self.manifest.recipe.renderer != _NOT_RENDERED

    @property
    def picture_width(self) -> int:
        return int(self.manifest.recipe.config["picture"]["width"])

    def indices(self) -> list[int]:
        return sorted(self.manifest.sets)

    def split_of(self, index: int) -> str:
        return layout.split_of(index)

    def video_path(self, index: int, video: str) -> Path:
        if video == TARGET:
            return self.root / layout.target_video(index)
        return self.root / layout.reference_video(index, reference_number(video))

    def frames(self, index: int, video: str) -> "Frames":
        path = self.video_path(index, video)
        frames, rate = read_mp4(path)
        if abs(rate - FPS) > 0.01:
            raise DatasetError(
                f"{path}: expected {FPS} frames a second (got {rate:g}). Motion would look too fast or too slow; "
                f"convert the video: ffmpeg -i IN.mp4 -r {FPS} OUT.mp4"
            )
        return frames

    def annotation(self, index: int) -> SetAnnotation:
        references = (layout.reference_annotation(index, k) for k in range(self.lengths.references))
        target = read_annotation(self.root / layout.target_annotation(index))
        return SetAnnotation(index, target, tuple(read_annotation(self.root / path) for path in references))

    def objects(self, index: int) -> tuple[ObjectSpec, ...]:
        return self._rollouts.video(f"{index:05d}/{TARGET}").objects

    def boxes(self, index: int, video: str) -> VideoBoxes:
        return self._boxes.video(f"{index:05d}/{video}")

    @cached_property
    def _boxes(self) -> BoxTable:
        return BoxTable(self.root / layout.BOXES)

    def object_ids(self, index: int, video: str) -> tuple[int, ...]:
        return self._rollouts.video(f"{index:05d}/{video}").object_ids

    @cached_property
    def _rollouts(self) -> Pack:
        return Pack(self.root / layout.PACK)

    def asks(self, split: str, answers: bool) -> bool:
        return split_file(self.root, split, answers).is_file()

    def questions(self, split: str, answers: bool = True) -> list[SceneQuestions]:
        return read_questions(split_file(self.root, split, answers))

    def fingerprint(self) -> str:
        return sha256(self.root / layout.MANIFEST)

    def skipped(self) -> Counter[str]:
        return Counter()

    def assumptions(self) -> list[str]:
        return []
