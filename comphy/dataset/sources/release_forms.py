"""How ComPhy and CLEVRER were published: names of files, numbers of splits, and what is known to be wrong with them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comphy.dataset.annotations.annotation import VideoAnnotation, read_annotation
from comphy.dataset.published.clevrer import read_clevrer
from comphy.dataset.sources.listing import FRAME_FOLDER, NamePattern
from comphy.dataset.sources.source import STANDARD, SourceKind, VideoLengths

_SET: Final = r"(?P<set>\d{5})"
_VIDEO: Final = r"(?P<video>\d)"


@dataclass(frozen=True)
class ReleaseForm:
    """`splits`: ranges of set numbers; `question_files`: names that a split's questions have been published under, in the
    root or in a folder `questions`; `known_bad`: sets that are broken in the release."""

    kind: SourceKind
    annotations: tuple[NamePattern, ...]
    videos: tuple[NamePattern, ...]
    splits: Mapping[str, tuple[range, ...]]
    question_files: Mapping[str, tuple[str, ...]]
    read: Callable[[Path], VideoAnnotation]
    lengths: VideoLengths
    known_bad: frozenset[int] = frozenset()

    def split_of(self, index: int) -> str | None:
        """None for a number that is in no split."""
        return next((name for name, ranges in self.splits.items() if any(index in one for one in ranges)), None)

    def numbers(self, split: str) -> list[int]:
        """The numbers of a split's sets, without the broken ones."""
        return [index for one in self.splits[split] for index in one if index not in self.known_bad]


COMPHY_RELEASE: Final = ReleaseForm(
    SourceKind.COMPHY,
    annotations=(
        NamePattern.of(rf"target_annotation/[^/]+/{_SET}\.json"),
        NamePattern.of(rf"reference_annotation/[^/]+/{_SET}/(?:[^/]*\D)?{_VIDEO}\.json"),
        # The authors' own files, flattened and as rendered.
        NamePattern.of(rf"sim_{_SET}/(?:annotations/)?annotation\.json"),
        NamePattern.of(rf"sim_{_SET}/{_VIDEO}(?:/annotations/annotation)?\.json"),
    ),
    videos=(
        NamePattern.of(rf"sim_{_SET}\.mp4"),
        NamePattern.of(rf"sim_{_SET}[_/]{_VIDEO}\.mp4"),
        NamePattern.of(rf"sim_{_SET}/{FRAME_FOLDER}"),
        NamePattern.of(rf"sim_{_SET}/{_VIDEO}/{FRAME_FOLDER}"),
    ),
    splits={
        "train": (range(4000), range(6000, 10000)),
        "val": (range(4000, 6000),),
        "test": (range(10000, 12000),),
    },
    question_files={"train": ("train.json",), "val": ("val.json", "validation.json"), "test": ("test.json",)},
    read=read_annotation,
    lengths=STANDARD,
    known_bad=frozenset({33, 107, 3522, 3871, 11122, 11123}),
)

CLEVRER_RELEASE: Final = ReleaseForm(
    SourceKind.CLEVRER,
    annotations=(NamePattern.of(rf"annotation_{_SET}\.json"),),
    videos=(NamePattern.of(rf"video_{_SET}\.mp4"),),
    splits={"train": (range(10000),), "val": (range(10000, 15000),), "test": (range(15000, 20000),)},
    question_files={"train": ("train.json",), "val": ("validation.json", "val.json"), "test": ("test.json",)},
    read=read_clevrer,
    lengths=VideoLengths(references=0),
)
