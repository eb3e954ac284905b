"""Time of impact of pairs of moving footprints, by iterating the linear estimate gap / closing speed (continuous collision
detection).

An impact is timed inside a step: its normal is that of the time at which the footprints meet, not of the step's end.

Shapes: B scenes, N objects, P pairs.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from models.pcr.dynamics.footprints import Contact, Footprint, contact

_ITERATIONS: Final = 2  # the second starts at the time of impact that the first estimates
_LEAST_CLOSING: Final = 0.02  # units per second; slower pairs are not timed


@dataclass(frozen=True)
class Moving:
    """Objects: position, velocity [B, N, 2], yaw, spin, and their footprints' core and rounding [B, N]."""

    position: Tensor
    velocity: Tensor
    yaw: Tensor
    spin: Tensor
    core: Tensor
    rounding: Tensor

    def footprint(self, which: Tensor, moment: Tensor) -> Footprint:
        """Of the objects `which` [P] after a time [B, P]."""
        return Footprint(
            self.position[:, which] + self.velocity[:, which] * moment[..., None],
            self.yaw[:, which] + self.spin[:, which] * moment,
            self.core[:, which],
            self.rounding[:, which],
        )

    def velocity_at(self, which: Tensor, arm: Tensor) -> Tensor:
        """[B, P, 2]: of the points at `arm` [B, P, 2] from the centres of the objects `which` [P]."""
        turning = torch.stack([-arm[..., 1], arm[..., 0]], dim=-1)
        return self.velocity[:, which] + self.spin[:, which, None] * turning


@dataclass(frozen=True)
class Impact:
    """The next contact of pairs: closing [B, P], the approach speed of the contact points, and moment [B, P], the time of
    impact; it means nothing where closing is not positive."""

    contact: Contact
    closing: Tensor
    moment: Tensor


def next_impact(moving: Moving, pairs: Tensor, time: float) -> Impact:
    """Impacts of all pairs [P, 2] within a time."""
    first, second = pairs.unbind(dim=1)
    met, closing, expected = _expected(
        moving, first, second, moving.position.new_zeros(len(moving.position), len(pairs))
    )
    for _ in range(_ITERATIONS - 1):
        moment = torch.where(closing > 0, expected, time).clamp(0, time)
        met, closing, expected = _expected(moving, first, second, moment)
    return Impact(met, closing, expected)


def _expected(moving: Moving, first: Tensor, second: Tensor, moment: Tensor) -> tuple[Contact, Tensor, Tensor]:
    """As estimated from a moment [B, P]: the contact, the closing speed, and the time of impact."""
    met = contact(moving.footprint(first, moment), moving.footprint(second, moment))
    relative = moving.velocity_at(first, met.arms[0]) - moving.velocity_at(second, met.arms[1])
    closing = (relative * met.normal).sum(dim=-1)
    return met, closing, moment + met.gap / closing.clamp(min=_LEAST_CLOSING)
