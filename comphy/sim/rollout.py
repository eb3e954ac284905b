"""The result of a simulation: states per frame and de-bounced collisions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Collision:
    """A pair's touch from first contact to separation.

    Attributes:
        step: of the first contact, in engine steps from frame 0, so frame = step // steps_per_frame.
        last_step: of the last contact.
        pair: numbers of the two bodies.
        impulse: normal impulse of the blow, in N s.
        location: of the first contact, in metres."""

    step: int
    last_step: int
    pair: tuple[int, int]
    impulse: float
    location: tuple[float, float, float]


@dataclass(frozen=True)
class Rollout:
    """States of all bodies at the frames; frame 0 is the initial state.

    Attributes:
        positions: [frames, bodies, 3] in metres.
        orientations: [frames, bodies, 4], quaternions (x, y, z, w).
        velocities: [frames, bodies, 3] in m/s.
        angular_velocities: [frames, bodies, 3] in rad/s.
        collisions: of the watched pairs, in order of time.
        steps_per_frame: engine steps from one frame to the next."""

    positions: Floats
    orientations: Floats
    velocities: Floats
    angular_velocities: Floats
    collisions: tuple[Collision, ...]
    steps_per_frame: int

    def __len__(self) -> int:
        return len(self.positions)

    def select(self, bodies: Sequence[int]) -> "Rollout":
        """Keep some bodies, renumbered in the given order.

        Args:
            bodies: the numbers of those to keep.

        Returns:
            Their rollout, with the collisions among them."""
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
