"""The sources that a server shows, by their numbers, and what is kept of each while it runs."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import VideoSource
from comphy.errors import ConfigError, DatasetError
from comphy.scene.vocabulary import RGB
from comphy.toolkit.explorer.catalogue import Catalogue, camera_record

if TYPE_CHECKING:
    from comphy.toolkit.explorer.asked import AskedQuestions

Json = dict[str, Any]


class NotFound(DatasetError):
    """There is no such source, set or video; pages answer with 404."""


@dataclass(frozen=True)
class LoadedSource:
    """One source, or some sets of it. What is read of it is read once. What only the page of a set needs is imported with
    it: the grid comes first."""

    number: int
    name: str
    source: VideoSource
    chosen: frozenset[int] | None = None

    @cached_property
    def indices(self) -> frozenset[int]:
        return frozenset(self.source.indices()) if self.chosen is None else self.chosen

    @cached_property
    def catalogue(self) -> Catalogue:
        return Catalogue(self.source)

    @cached_property
    def asked(self) -> "AskedQuestions":
        from comphy.toolkit.explorer.asked import AskedQuestions

        return AskedQuestions(self.source, self.chosen)

    def require(self, index: int) -> int:
        if index not in self.indices:
            raise NotFound(f"{self.source.root}: there is no set {index} in this source.")
        return index

    def video(self, index: int, name: str) -> Path:
        """A video file. Names come from a page: only those of the source are looked up."""
        if name not in self.source.lengths.videos or not self.source.has_videos:
            raise NotFound(f"{self.source.root}: there is no video '{name[:40]}' of set {index}.")
        path = self.source.video_path(self.require(index), name)
        if not path.is_file():
            raise NotFound(f"{path}: the video is missing. Make, or download, the set again.")
        return path

    def simulated(self, index: int) -> Path:
        """The folder of a source whose sets can be simulated again."""
        if not isinstance(self.source, GeneratedDataset):
            raise NotFound(f"{self.source.root}: only sets of our own datasets can be simulated again.")
        self.require(index)
        return self.source.root

    def record(self) -> Json:
        return {
            "number": self.number,
            "name": self.name,
            "kind": str(self.source.kind),
            "sets": len(self.indices),
            "has_videos": self.source.has_videos,
            "simulated": isinstance(self.source, GeneratedDataset),
            "camera": camera_record(self.source.camera),
        }

    def set_record(self, index: int) -> Json:
        """All of a set's page, with the numbers of the sets before and after it, None where there is none."""
        from comphy.toolkit.explorer.sets import set_record

        at = bisect_left(self.ordered, self.require(index))
        around = (self.ordered[at - 1] if at else None, (*self.ordered, None)[at + 1])
        return {**set_record(self.source, index, self.asked), "neighbours": around}

    @cached_property
    def ordered(self) -> tuple[int, ...]:
        return tuple(sorted(self.indices))


class Library:
    """All sources of a server.

    Args:
        roots: folders of sources.
        choose: which sets of a source are shown; without, all.

    Raises:
        DatasetError: a folder is no source."""

    def __init__(
        self, roots: Sequence[Path] = (), choose: Callable[[VideoSource], Collection[int]] | None = None
    ) -> None:
        repeated = [root for root in roots if [one.resolve() for one in roots].count(root.resolve()) > 1]
        if repeated:
            raise ConfigError(f"expected every source once (got {repeated[0]} more than once). Name it once.")
        sources = [open_source(root) for root in roots]
        chosen = [None if choose is None else frozenset(choose(source)) for source in sources]
        self.sources = tuple(map(LoadedSource, range(len(roots)), _names(roots), sources, chosen))

    def source(self, number: int) -> LoadedSource:
        if not 0 <= number < len(self.sources):
            raise NotFound(f"there is no source {number}; this server shows {len(self.sources)}.")
        return self.sources[number]


def site_record(library: Library, runs: Sequence[str], answerers: Sequence[str]) -> Json:
    """What a page asks for first: the sources, whose answers are compared, and who can be asked."""
    return {
        "sources": [loaded.record() for loaded in library.sources],
        "colors": RGB,
        "runs": list(runs),
        "answerers": list(answerers),
    }


def _names(roots: Sequence[Path]) -> list[str]:
    """The last part of each path, or all of it where two have the same."""
    last = [root.resolve().name for root in roots]
    return [name if last.count(name) == 1 else str(root) for name, root in zip(last, roots, strict=True)]
