"""The result of a simulation: states per frame and de-bounced collisions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Collision:
    """A pair's touch from first contact to separation.

    `step` counts engine steps from frame 0, so frame = step // steps_per_frame. `impulse` is the normal impulse of the blow.
    """

    step: int
    last_step: int
    pair: tuple[int, int]
    impulse: float
    location: tuple[float, float, float]


@dataclass(frozen=True)
class Rollout:
    """States of all bodies at the frames; frame 0 is the initial state.

    Shapes: positions, velocities, angular_velocities [frames, bodies, 3]; orientations [frames, bodies, 4] (x, y, z, w).
    """

    positions: Floats
    orientations: Floats
    velocities: Floats
    angular_velocities: Floats
    collisions: tuple[Collision, ...]
    steps_per_frame: int

    def __len__(self) -> int:
        return len(self.positions)

    def select(self, bodies: Sequence[int]) -> "Rollout":
        """The rollout of some bodies, renumbered in the given order."""
        index = {body: i for i, body in enumerate(bodies)}
        kept = tuple(
            Collision(c.step, c.last_step, _ordered(index[c.pair[0]], index[c.pair[1]]), c.impulse, c.location)
            for c in self.collisions
            if c.pair[0] in index and c.pair[1] in index
        )
        chosen = list(bodies)
        return Rollout(
            self.positions[:, chosen],
            self.orientations[:, chosen],
            self.velocities[:, chosen],
            self.angular_velocities[:, chosen],
            kept,
            self.steps_per_frame,
        )


def _ordered(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)
