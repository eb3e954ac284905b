"""What every tool wants to know of a source of video sets."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from comphy.dataset.annotations.annotation import VideoAnnotation
from comphy.errors import DatasetError
from comphy.questions.model import SceneQuestions
from comphy.scene.camera import Camera
from comphy.scene.objects import REFERENCE_FRAMES, REFERENCES_PER_SET, TARGET_VISIBLE_FRAMES, ObjectSpec

if TYPE_CHECKING:
    from comphy.dataset.media.video import Frames
    from comphy.dataset.packs.boxes import VideoBoxes

TARGET: Final = "target"
_REFERENCE: Final = "reference_"
BENCHMARK_ASSUMED: Final = "the camera is the benchmark's, and the objects are of its size"


def reference(number: int) -> str:
    """What the video of a reference is called."""
    return f"{_REFERENCE}{number}"


def reference_number(video: str) -> int:
    """Inverse of `reference`."""
    return int(video.removeprefix(_REFERENCE))


class SourceKind(StrEnum):
    GENERATED = "a dataset of this toolkit"
    COMPHY = "the published ComPhy release"
    CLEVRER = "CLEVRER"
    OWN_VIDEOS = "a folder of videos"


@dataclass(frozen=True)
class VideoLengths:
    """How many references a set has, and how many frames of its videos are looked at."""

    target: int = TARGET_VISIBLE_FRAMES
    references: int = REFERENCES_PER_SET
    reference: int = REFERENCE_FRAMES

    @property
    def videos(self) -> tuple[str, ...]:
        return (TARGET, *map(reference, range(self.references)))

    def of(self, video: str) -> int:
        return self.target if video == TARGET else self.reference


STANDARD: Final = VideoLengths()


@dataclass(frozen=True)
class SetAnnotation:
    """The annotations of one set in published form."""

    index: int
    target: VideoAnnotation
    references: tuple[VideoAnnotation, ...]

    def video(self, name: str) -> VideoAnnotation:
        return self.target if name == TARGET else self.references[reference_number(name)]


class VideoSource(Protocol):
    """Video sets by their numbers. Videos are called `target`, `reference_0`, … Nothing is ever written into `root`.

    What a source does not have (annotations, answers, …) raises `DatasetError` where it is asked for."""

    def __hash__(self) -> int: ...

    @property
    def root(self) -> Path: ...

    @property
    def kind(self) -> SourceKind: ...

    @property
    def lengths(self) -> VideoLengths: ...

    @property
    def camera(self) -> Camera:
        """What the videos were filmed with."""
        ...

    @property
    def has_videos(self) -> bool:
        """Whether there are videos to decode."""
        ...

    @property
    def picture_width(self) -> int:
        """Of the pictures that `boxes` are given in."""
        ...

    def indices(self) -> list[int]:
        """Numbers of the sets, ascending."""
        ...

    def split_of(self, index: int) -> str:
        """train, val or test."""
        ...

    def video_path(self, index: int, video: str) -> Path:
        """A video file, or a folder with its frames."""
        ...

    def frames(self, index: int, video: str) -> "Frames":
        """[frames, height, width, 3], 8-bit RGB, 25 a second."""
        ...

    def annotation(self, index: int) -> SetAnnotation: ...

    def objects(self, index: int) -> tuple[ObjectSpec, ...]:
        """Of the target, with their hidden properties."""
        ...

    def boxes(self, index: int, video: str) -> "VideoBoxes":
        """Of the frames that are looked at, in pixels of pictures of `picture_width`."""
        ...

    def object_ids(self, index: int, video: str) -> tuple[int, ...]:
        """The numbers, in the target, of a video's objects."""
        ...

    def asks(self, split: str, answers: bool) -> bool:
        """Whether there are questions of a split, with answers if they are wanted."""
        ...

    def questions(self, split: str, answers: bool = True) -> list[SceneQuestions]: ...

    def fingerprint(self) -> str:
        """A hash that changes with the data: features and checkpoints belong to one source."""
        ...

    def skipped(self) -> Counter[str]:
        """How many sets and questions are left out, by reason."""
        ...

    def assumptions(self) -> list[str]:
        """What had to be assumed or changed to read the videos as the benchmark's; nothing of the benchmark's own, and
        nothing of the camera."""
        ...


def same_looks(annotation: SetAnnotation, video: str, where: str) -> tuple[int, ...]:
    """The numbers, in the target, of a video's objects, which are known by their looks."""
    looks = [one.appearance for one in annotation.target.objects]
    shown = [one.appearance for one in annotation.video(video).objects]
    strange = [look for look in shown if look not in looks]
    if strange:
        raise DatasetError(
            f"{where}: set {annotation.index}: {video} shows {strange[0]}, which the target does not have."
        )
    return tuple(looks.index(look) for look in shown)
