"""States of motion as they are fitted to whole tracks (`models.pcr.dynamics.fitting.state_fit`).

Shapes: leading dimensions (...), T frames, N objects, P pairs, C samples.
"""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class FittedMotion:
    """States of all frames: position, velocity [..., T, N, 2], yaw, spin [..., T, N], also of frames in which an object is
    hidden or outside the image; deviation [..., T, N]: the standard deviation of the position in units; known [..., N]:
    whether the object was seen at all. samples [..., C, T, N, 6]: trajectories drawn from the posterior (position, velocity,
    yaw, spin). nearness [..., T, P, 4]: of pairs, the gap between their footprints; the least gap until the next frame, if
    they moved on freely; the speed at which they approach each other; and the change of it until the next frame that free
    motion does not explain."""

    position: Tensor
    velocity: Tensor
    yaw: Tensor
    spin: Tensor
    deviation: Tensor
    known: Tensor
    samples: Tensor
    nearness: Tensor

    @property
    def vectors(self) -> Tensor:
        """[..., T, N, 6]: position, velocity, yaw and spin."""
        return torch.cat([self.position, self.velocity, self.yaw[..., None], self.spin[..., None]], dim=-1)


@dataclass(frozen=True)
class FittedSets:
    """Of the targets [S, ...] and of the references [S, R, ...] of sets."""

    target: FittedMotion
    references: FittedMotion
