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
    """Name the video of a reference.

    Args:
        number: counted from 0.

    Returns:
        The video's name, such as `reference_0`."""
    return f"{_REFERENCE}{number}"


def reference_number(video: str) -> int:
    """Undo `reference`.

    Args:
        video: name of a reference video.

    Returns:
        The reference's number, counted from 0."""
    return int(video.removeprefix(_REFERENCE))


class SourceKind(StrEnum):
    """Where video sets come from; the value of each kind describes it in words.

    Attributes:
        GENERATED: a dataset that the toolkit has made.
        COMPHY: the published ComPhy release.
        CLEVRER: CLEVRER as downloaded.
        OWN_VIDEOS: a folder of one's own videos."""

    GENERATED = "a dataset of this toolkit"
    COMPHY = "the published ComPhy release"
    CLEVRER = "CLEVRER"
    OWN_VIDEOS = "a folder of videos"


@dataclass(frozen=True)
class VideoLengths:
    """How many references a set has, and how many frames of its videos are looked at.

    Attributes:
        target: frames of the target.
        references: how many references there are.
        reference: frames of each reference."""

    target: int = TARGET_VISIBLE_FRAMES
    references: int = REFERENCES_PER_SET
    reference: int = REFERENCE_FRAMES

    @property
    def videos(self) -> tuple[str, ...]:
        """Names of a set's videos, the target first."""
        return (TARGET, *map(reference, range(self.references)))

    def of(self, video: str) -> int:
        """Tell how much of a video is looked at.

        Args:
            video: target, or reference_0 to the last reference.

        Returns:
            The number of its first frames that count."""
        return self.target if video == TARGET else self.reference


STANDARD: Final = VideoLengths()


@dataclass(frozen=True)
class SetAnnotation:
    """The annotations of one set in published form.

    Attributes:
        index: number of the set.
        target: the annotation of the target video.
        references: the annotations of the reference videos, in order."""

    index: int
    target: VideoAnnotation
    references: tuple[VideoAnnotation, ...]

    def video(self, name: str) -> VideoAnnotation:
        """Pick the annotation of one video.

        Args:
            name: target, or reference_0 to the last reference.

        Returns:
            Its objects, trajectories and collisions."""
        return self.target if name == TARGET else self.references[reference_number(name)]


class VideoSource(Protocol):
    """Video sets by their numbers. Videos are called `target`, `reference_0`, … Nothing is ever written into `root`.

    What a source does not have (annotations, answers, …) raises `DatasetError` where it is asked for."""

    def __hash__(self) -> int: ...

    @property
    def root(self) -> Path:
        """Folder of the source."""
        ...

    @property
    def kind(self) -> SourceKind:
        """What kind of source it is."""
        ...

    @property
    def lengths(self) -> VideoLengths:
        """How many videos a set has, and how many of their frames are looked at."""
        ...

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
        """Width of the pictures that `boxes` are given in, in pixels."""
        ...

    def indices(self) -> list[int]:
        """The numbers of the sets, ascending."""
        ...

    def split_of(self, index: int) -> str:
        """Tell which split a set belongs to.

        Args:
            index: number of the set.

        Returns:
            train, val or test."""
        ...

    def video_path(self, index: int, video: str) -> Path:
        """Find the file of a video.

        Args:
            index: number of the set.
            video: name of the video.

        Returns:
            The video file, or a folder with its frames."""
        ...

    def frames(self, index: int, video: str) -> "Frames":
        """Decode a video.

        Args:
            index: number of the set.
            video: name of the video.

        Returns:
            8-bit RGB frames [frames, height, width, 3], 25 a second.

        Raises:
            DatasetError: if there is no such video, or it is damaged."""
        ...

    def annotation(self, index: int) -> SetAnnotation:
        """Read the annotations of a set.

        Args:
            index: number of the set.

        Returns:
            Objects, trajectories and collisions of all its videos.

        Raises:
            DatasetError: if the source has no annotations."""
        ...

    def objects(self, index: int) -> tuple[ObjectSpec, ...]:
        """Read what the objects of the target are.

        Args:
            index: number of the set.

        Returns:
            The objects with their hidden properties.

        Raises:
            DatasetError: if the source has no annotations."""
        ...

    def boxes(self, index: int, video: str) -> "VideoBoxes":
        """Read where the objects of a video are seen.

        Args:
            index: number of the set.
            video: name of the video.

        Returns:
            The boxes in the frames that are looked at, in pixels of pictures of `picture_width`.

        Raises:
            DatasetError: if the source has no boxes."""
        ...

    def object_ids(self, index: int, video: str) -> tuple[int, ...]:
        """Tell which objects of the target a video shows.

        Args:
            index: number of the set.
            video: name of the video.

        Returns:
            The number, in the target, of each of the video's objects.

        Raises:
            DatasetError: if the source has no annotations."""
        ...

    def asks(self, split: str, answers: bool) -> bool:
        """Tell whether there are questions of a split.

        Args:
            split: train, val or test.
            answers: whether they must have answers.

        Returns:
            Whether `questions` can read them."""
        ...

    def questions(self, split: str, answers: bool = True) -> list[SceneQuestions]:
        """Read the questions of a split.

        Args:
            split: train, val or test.
            answers: whether they must have answers.

        Returns:
            The questions, set by set.

        Raises:
            DatasetError: if the source has no such questions."""
        ...

    def fingerprint(self) -> str:
        """A hash that changes with the data: features and checkpoints belong to one source."""
        ...

    def skipped(self) -> Counter[str]:
        """The number of sets and questions that are left out, by reason."""
        ...

    def assumptions(self) -> list[str]:
        """All that had to be assumed or changed to read the videos as the benchmark's.

        Returns:
            Sentences; none about the benchmark's own videos, and none about the camera."""
        ...


def same_looks(annotation: SetAnnotation, video: str, where: str) -> tuple[int, ...]:
    """Match a video's objects with those of the target by their looks.

    Args:
        annotation: of the set.
        video: name of the video.
        where: opens the message of an error.

    Returns:
        The number, in the target, of each of the video's objects.

    Raises:
        DatasetError: if the video shows an object that the target does not have."""
    looks = [one.appearance for one in annotation.target.objects]
    shown = [one.appearance for one in annotation.video(video).objects]
    strange = [look for look in shown if look not in looks]
    if strange:
        raise DatasetError(
            f"{where}: set {annotation.index}: {video} shows {strange[0]}, which the target does not have."
        )
    return tuple(looks.index(look) for look in shown)
