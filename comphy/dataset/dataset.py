"""A dataset as a user reads it: set by set, with its videos, annotations, questions and facts."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from comphy.dataset import layout
from comphy.dataset.annotations.extras import SetExtras, read_extras
from comphy.dataset.annotations.facts import facts_of
from comphy.dataset.media.video import Frames
from comphy.dataset.published.clevrer import clevrer_facts
from comphy.dataset.questions import questions_path
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import TARGET, SetAnnotation, SourceKind, VideoSource
from comphy.errors import DatasetError
from comphy.programs.facts import SceneFacts
from comphy.questions.model import Question
from comphy.scene.camera import Camera


def open_dataset(root: str | Path) -> "Dataset":
    """Open a dataset that the toolkit has made, the published ComPhy release, CLEVRER, or a folder of videos.

    Args:
        root: its folder.

    Returns:
        The dataset; nothing but the numbers of its sets is read yet.

    Raises:
        DatasetError: if the folder is none of these, or holds a dataset that is unfinished."""
    return Dataset(open_source(root))


@dataclass(frozen=True)
class Dataset:
    """Sets by their numbers: `dataset[12]`, `len(dataset)`, `for one in dataset`.

    Attributes:
        source: where its sets are read from."""

    source: VideoSource

    @property
    def root(self) -> Path:
        """Folder of the dataset."""
        return self.source.root

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """Numbers of all sets, in order."""
        return tuple(self.source.indices())

    def split(self, name: str) -> tuple[int, ...]:
        """Numbers of the sets of a split.

        Args:
            name: train, val or test.

        Returns:
            The numbers, in order.

        Raises:
            DatasetError: for another name."""
        questions_path(name)
        return tuple(index for index in self.indices if self.source.split_of(index) == name)

    def __len__(self) -> int:
        return len(self.indices)

    def __iter__(self) -> Iterator["DatasetSet"]:
        return (self[index] for index in self.indices)

    def __contains__(self, index: object) -> bool:
        return index in self.indices

    def __getitem__(self, index: int) -> "DatasetSet":
        """One set.

        Args:
            index: its number.

        Returns:
            The set; its files are read when they are asked for.

        Raises:
            IndexError: if the dataset has no such set."""
        if index not in self.indices:
            held = f"{self.indices[0]} to {self.indices[-1]}" if self.indices else "none"
            raise IndexError(f"{self.root}: expected the number of a set, {held} (got {index}).")
        return DatasetSet(self, index)

    def __repr__(self) -> str:
        return f"Dataset({str(self.root)!r}, {len(self)} sets)"


@dataclass(frozen=True)
class DatasetSet:
    """A target video, four references, and all that is known of them.

    Attributes:
        dataset: where it comes from.
        index: its number."""

    dataset: Dataset
    index: int

    @property
    def split(self) -> str:
        """train, val or test."""
        return self.dataset.source.split_of(self.index)

    @cached_property
    def annotation(self) -> SetAnnotation:
        """Objects, trajectories and collisions of the target and the references, as published."""
        return self.dataset.source.annotation(self.index)

    @property
    def questions(self) -> tuple[Question, ...]:
        """What is asked about the set, with programs and answers where the dataset has them; empty if nothing is."""
        return _questions(self.dataset.source, self.split).get(self.index, ())

    @cached_property
    def extras(self) -> SetExtras:
        """Events, boxes, visibility and counterfactual collisions, which our own datasets have beside what was
        published.

        Raises:
            DatasetError: for a dataset of another kind."""
        if self.dataset.source.kind is not SourceKind.GENERATED:
            raise DatasetError(f"{self.dataset.root}: {self.dataset.source.kind} has no extras; our own datasets do.")
        return read_extras(self.dataset.root / layout.extras(self.index))

    @cached_property
    def facts(self) -> SceneFacts:
        """What programs are executed on: `comphy.execute(comphy.parse(question.program), one.facts)`."""
        kind, target = self.dataset.source.kind, self.annotation.target
        if kind is SourceKind.CLEVRER:
            return clevrer_facts(target)
        # Directions do not depend on the size of the picture, so the standard camera serves for all.
        return facts_of(target, Camera(), self.extras.counterfactuals if kind is SourceKind.GENERATED else {})

    def frames(self, video: str = TARGET) -> Frames:
        """Decode a video.

        Args:
            video: target, or reference_0 to reference_3.

        Returns:
            8-bit RGB frames [frames, height, width, 3].

        Raises:
            DatasetError: if the dataset was made without videos, or the file is damaged."""
        path = self.video_path(video)
        if not path.exists():
            raise DatasetError(
                f"{path}: no such video. The dataset was made without frames (--render none), or is not complete; make it "
                "again with --render raytrace."
            )
        return self.dataset.source.frames(self.index, video)

    def video_path(self, video: str = TARGET) -> Path:
        """Find the file of a video; it need not exist.

        Args:
            video: target, or reference_0 to reference_3.

        Returns:
            The video file, or the folder with its frames.

        Raises:
            DatasetError: for another name."""
        names = self.dataset.source.lengths.videos
        if video not in names:
            raise DatasetError(f"expected one of the videos {', '.join(names)} (got '{video}').")
        return self.dataset.source.video_path(self.index, video)

    def __repr__(self) -> str:
        return f"DatasetSet({str(self.dataset.root)!r}, {self.index}, {self.split})"


@cache
def _questions(source: VideoSource, split: str) -> dict[int, tuple[Question, ...]]:
    """Of all sets of a split, with answers if there is a file that has them."""
    answers = source.asks(split, answers=True)
    if not source.asks(split, answers):
        return {}
    return {scene.scene_index: scene.questions for scene in source.questions(split, answers)}
