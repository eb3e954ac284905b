"""Which sets of a source are exported."""

import re
from typing import Final

from comphy.dataset.sources.source import VideoSource
from comphy.errors import ConfigError, DatasetError

FIRST: Final = 12  # sets that are exported where none are named
_MOST: Final = 2000  # sets: each is several files


def read_sets(text: str) -> list[int]:
    """Numbers of sets, such as 0-4,9.

    Raises:
        ConfigError: something else."""
    found: set[int] = set()
    for part in text.split(","):
        ends = re.fullmatch(r"\s*(\d{1,9})(?:-(\d{1,9}))?\s*", part)
        first, last = (int(ends[1]), int(ends[2] or ends[1])) if ends else (1, 0)
        if first > last:
            raise ConfigError(f"expected numbers of sets, such as 0-4,9 (got '{text[:60]}' for --sets).")
        if last - first + len(found) >= _MOST:
            raise ConfigError(f"expected at most {_MOST} sets (got '{text[:60]}' for --sets). Export fewer.")
        found.update(range(first, last + 1))
    return sorted(found)


def choose_sets(source: VideoSource, wanted: list[int] | None) -> list[int]:
    """The wanted sets, or the first ones.

    Raises:
        DatasetError: the source does not have one of them."""
    held = source.indices()
    if wanted is None:
        return held[:FIRST]
    missing = sorted(set(wanted) - set(held))
    if missing:
        raise DatasetError(
            f"{source.root}: there is no set {missing[0]} in this source; it has {len(held)}, from {min(held)} to "
            f"{max(held)}. Choose others with --sets."
        )
    return wanted
