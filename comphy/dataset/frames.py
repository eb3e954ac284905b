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
        """Give the frames of a video.

        Args:
            index: number of the set.
            name: of the video.

        Returns:
            8-bit RGB frames [frames, height, width, 3]."""
        ...


@dataclass(frozen=True)
class FrameKey:
    """One frame of one video of a set.

    Attributes:
        index: number of the set.
        video: target, or reference_0 to reference_3.
        frame: its number, counted from 0."""

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
        """Width and height of the frames in pixels."""
        ...

    def draw(self, keys: Sequence[FrameKey]) -> "Tensor":
        """Give frames as one batch.

        Args:
            keys: which frames.

        Returns:
            8-bit RGB frames [keys, height, width, 3], on the device of its choice."""
        ...
