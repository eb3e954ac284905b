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
from models.pcr.tracks.tensor_trees import mapped

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

    def side(self, which: Tensor) -> "Moving":
        """The objects `which` [P], one of each pair."""
        return mapped(self, lambda values: values[:, which])

    def footprint(self, moment: Tensor) -> Footprint:
        """After a time [B, N]."""
        place = self.position + self.velocity * moment[..., None]
        return Footprint(place, self.yaw + self.spin * moment, self.core, self.rounding)

    def velocity_at(self, arm: Tensor) -> Tensor:
        """[B, N, 2]: of the points at `arm` [B, N, 2] from the centres."""
        turning = torch.stack([-arm[..., 1], arm[..., 0]], dim=-1)
        return self.velocity + self.spin[..., None] * turning


@dataclass(frozen=True)
class Impact:
    """The next contact of pairs: closing [B, P], the approach speed of the contact points, and moment [B, P], the time of
    impact; it means nothing where closing is not positive."""

    contact: Contact
    closing: Tensor
    moment: Tensor


def next_impact(moving: Moving, pairs: Tensor, time: float) -> Impact:
    """Impacts of all pairs [P, 2] within a time."""
    first, second = (moving.side(which) for which in pairs.unbind(dim=1))
    met, closing, expected = _expected(first, second, torch.zeros_like(first.yaw))
    for _ in range(_ITERATIONS - 1):
        moment = torch.where(closing > 0, expected, time).clamp(0, time)
        met, closing, expected = _expected(first, second, moment)
    return Impact(met, closing, expected)


def approach(first: Moving, second: Moving, moment: Tensor | None = None) -> tuple[Contact, Tensor]:
    """The contact of pairs now or at a moment [B, P], and the speed [B, P] at which the contact points approach."""
    moment = torch.zeros_like(first.yaw) if moment is None else moment
    met = contact(first.footprint(moment), second.footprint(moment))
    relative = first.velocity_at(met.arms[0]) - second.velocity_at(met.arms[1])
    return met, (relative * met.normal).sum(dim=-1)


def _expected(first: Moving, second: Moving, moment: Tensor) -> tuple[Contact, Tensor, Tensor]:
    """As estimated from a moment [B, P]: the contact, the closing speed, and the time of impact."""
    met, closing = approach(first, second, moment)
    return met, closing, moment + met.gap / closing.clamp(min=_LEAST_CLOSING)
