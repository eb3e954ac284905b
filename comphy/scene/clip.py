"""What a renderer draws: objects and their poses over frames. The hand-over from simulation or from a pack."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.scene.objects import ObjectSpec

NOWHERE: Final = -1000.0  # height of what is not there: far below the ground, where no ray and no shadow finds it


@dataclass(frozen=True)
class Clip:
    """Appearances and poses of one video.

    Shapes: positions [frames, objects, 3]; orientations [frames, objects, 4] as x, y, z, w quaternions.
    A cylinder's axis is its local z. The ground is the plane z = 0. Nothing is seen of an object at the
    height `NOWHERE`.
    """

    objects: tuple[ObjectSpec, ...]
    positions: NDArray[np.float64]
    orientations: NDArray[np.float64]

    def __post_init__(self) -> None:
        frames, count = self.positions.shape[:2]
        expected = ((frames, len(self.objects), 3), (frames, len(self.objects), 4))
        found = (self.positions.shape, self.orientations.shape)
        if found != expected or count != len(self.objects):
            raise ValueError(f"Expected pose arrays of shapes {expected} (got {found}).")

    def __len__(self) -> int:
        return len(self.positions)

    def frames(self, selection: slice | Sequence[int]) -> "Clip":
        """The clip restricted to some frames."""
        index = selection if isinstance(selection, slice) else list(selection)
        return Clip(self.objects, self.positions[index], self.orientations[index])

    def at(self, moments: Sequence[float]) -> "Clip":
        """The clip at moments between its frames, counted in frames. Places are interpolated linearly, orientations along
        the shorter arc; before the first frame and after the last nothing moves."""
        times = np.clip(np.asarray(moments, float), 0, len(self) - 1)
        before = np.floor(times).astype(int)
        after = np.minimum(before + 1, len(self) - 1)
        share = (times - before)[:, None, None]
        start, end = self.orientations[before], self.orientations[after]
        end = np.where((start * end).sum(axis=-1, keepdims=True) < 0, -end, end)
        turned = (1 - share) * start + share * end
        turned /= np.linalg.norm(turned, axis=-1, keepdims=True)
        return Clip(self.objects, (1 - share) * self.positions[before] + share * self.positions[after], turned)
