"""Which files of a folder belong to which set, told by their names alone: releases are unpacked in many ways."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from comphy.dataset.sources.source import TARGET, reference

_DEEPEST: Final = 6  # folders below the root
FRAME_FOLDER: Final = "frames"  # is listed, not entered: it holds a picture for each frame of one video


@dataclass(frozen=True)
class NamePattern:
    """`expression` matches the end of a path; its group `set` is the number of the set, `video`, if it has one, that of the
    reference. Paths without it belong to the target."""

    expression: re.Pattern[str]

    @staticmethod
    def of(expression: str) -> "NamePattern":
        return NamePattern(re.compile(rf"(?:^|.*/){expression}"))

    def match(self, path: str) -> tuple[int, str] | None:
        """Set and video that a path belongs to."""
        found = self.expression.fullmatch(path)
        if found is None:
            return None
        groups = found.groupdict()
        return int(groups["set"]), reference(int(groups["video"])) if "video" in groups else TARGET


@dataclass(frozen=True)
class Listing:
    """Files by set and video; paths are relative to the root. `sizes` is of the files in bytes, of folders 0."""

    annotations: dict[tuple[int, str], str] = field(default_factory=dict)
    videos: dict[tuple[int, str], str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)

    def sets(self) -> list[int]:
        """Numbers of all sets of which there is a file of the target."""
        found = (*self.annotations, *self.videos)
        return sorted({index for index, video in found if video == TARGET})

    def references(self, index: int, of: dict[tuple[int, str], str]) -> int:
        """How many references a set has without a gap."""
        return next(k for k in range(len(of) + 1) if (index, reference(k)) not in of)


def list_files(root: Path, annotations: Sequence[NamePattern], videos: Sequence[NamePattern]) -> Listing:
    """The first file in the order of paths counts where several belong to one video."""
    listing = Listing()
    for path, size in sorted(_walk(root, "", _DEEPEST)):
        for patterns, found in ((annotations, listing.annotations), (videos, listing.videos)):
            matches = (pattern.match(path) for pattern in patterns)
            key = next((one for one in matches if one is not None), None)
            if key is not None and key not in found:
                found[key] = path
                listing.sizes[path] = size
    return listing


def _walk(folder: Path, prefix: str, deepest: int) -> Iterator[tuple[str, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            path = f"{prefix}{entry.name}"
            if entry.name.startswith("."):
                continue
            if not entry.is_dir():
                yield path, entry.stat().st_size
            elif entry.name == FRAME_FOLDER:
                yield path, 0
            elif deepest:
                yield from _walk(Path(entry.path), f"{path}/", deepest - 1)
