"""States of motion as they are fitted to whole tracks (`models.pcr.dynamics.state_fit`).

Shapes: leading dimensions (...), T frames, N objects, C samples.
"""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class FittedMotion:
    """States of all frames: position, velocity [..., T, N, 2], yaw, spin [..., T, N], also of frames in which an object is
    hidden or outside the image; deviation [..., T, N]: the standard deviation of the position in units; known [..., N]:
    whether the object was seen at all. samples [..., C, T, N, 6]: trajectories drawn from the posterior (position, velocity,
    yaw, spin)."""

    position: Tensor
    velocity: Tensor
    yaw: Tensor
    spin: Tensor
    deviation: Tensor
    known: Tensor
    samples: Tensor


@dataclass(frozen=True)
class FittedSets:
    """Of the targets [S, ...] and of the references [S, R, ...] of sets."""

    target: FittedMotion
    references: FittedMotion
