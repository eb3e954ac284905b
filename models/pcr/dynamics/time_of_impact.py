"""When pairs of moving objects touch next, and how fast they close in there.

A touch is timed inside a step: its direction is that of the moment at which the outlines meet, not of the step's end.

Shapes: B scenes, N objects, P pairs.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from models.pcr.dynamics.footprints import Contact, Placed, contact

_LOOKS: Final = 2  # at a pair: the second is at the moment at which the first expects a touch
_LEAST_CLOSING: Final = 0.02  # units per second; slower pairs are not timed


@dataclass(frozen=True)
class Moving:
    """Objects: position, velocity [B, N, 2], yaw, spin, and their outlines' core and rounding [B, N]."""

    position: Tensor
    velocity: Tensor
    yaw: Tensor
    spin: Tensor
    core: Tensor
    rounding: Tensor

    def placed(self, which: Tensor, moment: Tensor) -> Placed:
        """The objects `which` [P] after a time [B, P]."""
        return Placed(
            self.position[:, which] + self.velocity[:, which] * moment[..., None],
            self.yaw[:, which] + self.spin[:, which] * moment,
            self.core[:, which],
            self.rounding[:, which],
        )

    def velocity_at(self, which: Tensor, arm: Tensor) -> Tensor:
        """[B, P, 2]: of the points at `arm` [B, P, 2] from the middles of the objects `which` [P]."""
        turning = torch.stack([-arm[..., 1], arm[..., 0]], dim=-1)
        return self.velocity[:, which] + self.spin[:, which, None] * turning


@dataclass(frozen=True)
class Impact:
    """How pairs meet next: closing [B, P], the speed at which the touching points come nearer, and moment [B, P], the
    time until then; it means nothing where they do not."""

    contact: Contact
    closing: Tensor
    moment: Tensor


def next_impact(moving: Moving, pairs: Tensor, time: float) -> Impact:
    """Of all pairs [P, 2], looked for within a time."""
    first, second = pairs.unbind(dim=1)
    met, closing, expected = _expected(
        moving, first, second, moving.position.new_zeros(len(moving.position), len(pairs))
    )
    for _ in range(_LOOKS - 1):
        moment = torch.where(closing > 0, expected, time).clamp(0, time)
        met, closing, expected = _expected(moving, first, second, moment)
    return Impact(met, closing, expected)


def _expected(moving: Moving, first: Tensor, second: Tensor, moment: Tensor) -> tuple[Contact, Tensor, Tensor]:
    """As it looks at a moment [B, P]: how they would meet, how fast they close in, and when that will be."""
    met = contact(moving.placed(first, moment), moving.placed(second, moment))
    relative = moving.velocity_at(first, met.arms[0]) - moving.velocity_at(second, met.arms[1])
    closing = (relative * met.normal).sum(dim=-1)
    return met, closing, moment + met.gap / closing.clamp(min=_LEAST_CLOSING)
