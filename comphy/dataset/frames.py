"""Where frames come from: the protocols behind which videos are decoded, or rendered on the fly from packs.

Renderers live in `data_gen`, which models do not import: a tool hands models something that gives frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from torch import Tensor

    from comphy.dataset.media.video import Frames


class FrameSource(Protocol):
    """Gives the frames of a set's videos by name: `target`, `reference_0` … `reference_3`."""

    def frames(self, index: int, name: str) -> "Frames":
        """[frames, height, width, 3], 8-bit RGB."""
        ...


@dataclass(frozen=True)
class FrameKey:
    """One frame of one video of a set: `target`, `reference_0` … `reference_3`."""

    index: int
    video: str
    frame: int

    @property
    def name(self) -> str:
        """The video's name in packs."""
        return f"{self.index:05d}/{self.video}"


class FrameBatches(Protocol):
    """Gives chosen frames of many videos as one batch."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        ...

    def draw(self, keys: Sequence[FrameKey]) -> "Tensor":
        """[len(keys), height, width, 3], 8-bit RGB, on the device of its choice."""
        ...
