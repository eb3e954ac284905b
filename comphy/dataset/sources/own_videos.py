"""A folder of one's own videos: a target, and references that show the same objects."""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from comphy.dataset.media.pictures import ASPECT, padded_to_aspect, without_bars
from comphy.dataset.media.video import VideoFacts, probe, read_frames_at
from comphy.dataset.sources.source import STANDARD, TARGET, SetAnnotation, SourceKind, VideoLengths, reference_number
from comphy.errors import DatasetError
from comphy.files import read_json, require
from comphy.questions.model import SceneQuestions
from comphy.scene.camera import BENCHMARK, Camera, tilted_camera
from comphy.scene.objects import FPS, ObjectSpec
from comphy.scene.vocabulary import OBJECT_RADIUS

if TYPE_CHECKING:
    from comphy.dataset.media.video import Frames
    from comphy.dataset.packs.boxes import VideoBoxes

ENDINGS: Final = (".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm")
SHORTEST: Final = 1.0  # seconds
THE_SET: Final = 0  # a folder is one set
CAMERA_FILE: Final = "camera.json"


def video_files(root: Path) -> list[Path]:
    """The videos of a folder itself, by name."""
    return sorted(path for path in root.iterdir() if path.suffix.lower() in ENDINGS and path.is_file())


@dataclass(frozen=True)
class OwnVideos:
    """One set, number 0. Videos of any size, rate and length from one second on are brought to the benchmark's."""

    root: Path
    kind: SourceKind = SourceKind.OWN_VIDEOS

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The target, then the references by name."""
        found = video_files(self.root)
        targets = [path for path in found if path.stem.lower() == TARGET] or (found if len(found) == 1 else [])
        if len(targets) != 1:
            named = ", ".join(path.name for path in found[:6])
            raise DatasetError(
                f"{self.root}: expected one video called {TARGET}{ENDINGS[0]}, beside any references (found {named}). "
                "Rename the video that you want to ask about."
            )
        return (targets[0], *(path for path in found if path != targets[0]))

    @cached_property
    def facts(self) -> tuple[VideoFacts, ...]:
        """Of the files, each at least a second long."""
        found = tuple(map(probe, self.files))
        for path, facts in zip(self.files, found, strict=True):
            if facts.seconds < SHORTEST:
                raise DatasetError(
                    f"{path}: expected a video of at least {SHORTEST:g} s (found {facts.seconds:.2f} s). Motion cannot be "
                    "told from less."
                )
        return found

    @cached_property
    def lengths(self) -> VideoLengths:
        """As much of the target as the benchmark shows, and as much of every reference as the shortest has."""
        target, *references = (int(facts.seconds * FPS + 1e-6) for facts in self.facts)
        shown = min([STANDARD.reference, *references])
        return VideoLengths(min(STANDARD.target, target), len(references), shown)

    @cached_property
    def camera(self) -> Camera:
        """The one that is given, else the benchmark's."""
        return self.given_camera or BENCHMARK

    @cached_property
    def given_camera(self) -> Camera | None:
        """The one that `camera.json` describes."""
        path = self.root / CAMERA_FILE
        return read_camera(path, self.video_share) if path.is_file() else None

    @property
    def video_share(self) -> float:
        """How much of the padded picture's width the target has."""
        target = self.facts[0]
        return target.width / max(target.width, target.height * ASPECT[0] / ASPECT[1])

    def assumptions(self) -> list[str]:
        """What had to be assumed, and what was changed, to read the videos as the benchmark's."""
        standard = STANDARD.target / FPS
        told = []
        if self.facts[0].seconds > standard + 1 / FPS:
            told.append(f"only the first {standard:g} s of {self.files[0].name} ({self.facts[0].seconds:.1f} s) count")
        for path, facts in zip(self.files, self.facts, strict=True):
            if abs(facts.rate - FPS) > 0.01:
                told.append(f"{path.name} has {facts.rate:g} frames a second; it is resampled to {FPS}")
            if facts.width * 2 != facts.height * 3:
                told.append(f"{path.name} is {facts.width}x{facts.height}; it is brought to 3:2")
        if not self.lengths.references:
            told.append("there is no reference: masses and charges are inferred from the target alone")
        return told

    @property
    def has_videos(self) -> bool:
        return True

    @property
    def picture_width(self) -> int:
        return BENCHMARK.width

    def indices(self) -> list[int]:
        return [THE_SET]

    def split_of(self, index: int) -> str:
        return "test"

    def video_path(self, index: int, video: str) -> Path:
        return self.files[0 if video == TARGET else 1 + reference_number(video)]

    def frames(self, index: int, video: str) -> "Frames":
        path, wanted = self.video_path(index, video), self.lengths.of(video)
        frames = read_frames_at(path, FPS)[:wanted]
        if len(frames) < wanted:
            raise DatasetError(
                f"{path}: expected {wanted / FPS:g} s of video, as its header says (found {len(frames) / FPS:g} s). The "
                "file is cut off; copy it again."
            )
        return padded_to_aspect(without_bars(frames))

    def annotation(self, index: int) -> SetAnnotation:
        self._has_no("annotations")

    def objects(self, index: int) -> tuple[ObjectSpec, ...]:
        return self.annotation(index).target.objects

    def boxes(self, index: int, video: str) -> "VideoBoxes":
        self._has_no("true boxes")

    def object_ids(self, index: int, video: str) -> tuple[int, ...]:
        self._has_no("annotations")

    def asks(self, split: str, answers: bool) -> bool:
        return False

    def questions(self, split: str, answers: bool = True) -> list[SceneQuestions]:
        self._has_no("questions")

    def _has_no(self, what: str) -> NoReturn:
        raise DatasetError(
            f"{self.root}: a folder of videos has no {what}. Perceive it and ask about it: comphy ask pcr {self.root} "
            '"How many objects are there?"'
        )

    def fingerprint(self) -> str:
        files = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in self.files]
        return hashlib.sha256(json.dumps(files).encode()).hexdigest()

    def skipped(self) -> Counter[str]:
        return Counter()


def read_camera(path: Path, share: float = 1.0) -> Camera:
    """The camera that a file describes: `focal` in widths of the video, `tilt` below the horizon in degrees, `height` above
    the table and `object_size` in the same unit of length. `share`: how much of the picture's width the video has."""
    record, where = read_json(path, "write it as docs/howto/other_data.md shows"), str(path)
    focal, height, tilt, size = (
        float(require(record, key, (int, float), where)) for key in ("focal", "height", "tilt", "object_size")
    )
    try:
        if size <= 0:
            raise ValueError(f"expected an object_size above 0 (got {size})")
        return tilted_camera(focal * share, height * 2 * OBJECT_RADIUS / size, tilt)
    except ValueError as error:
        raise DatasetError(f"{path}: {error}.") from None
