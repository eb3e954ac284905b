"""Frames to learn from and to look at: whatever draws or decodes them, the perceiver sees this protocol.

Renderers live elsewhere (`data_gen`), which models do not import: a tool hands over something that draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor


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
    """Draws chosen frames of many videos at once."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        ...

    def draw(self, keys: Sequence[FrameKey]) -> Tensor:
        """[len(keys), height, width, 3], 8-bit RGB, on the device of its choice."""
        ...
