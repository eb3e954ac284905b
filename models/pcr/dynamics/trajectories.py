"""`Trajectories`: recorded states of motion, which predictions start from, follow, and are held against.

Shapes: V videos, T frames, N objects, C samples.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from models.pcr.dynamics.state import State
from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.observed import VideoMotion
from models.pcr.tracks.tensor_trees import mapped


@dataclass(frozen=True)
class Trajectories:
    """position, velocity [V, T, N, 2], known [V, T, N], yaw and spin [V, T, N] if they were seen, and earlier [V, T, N, 2],
    the velocity a step ago, if steps are several frames long."""

    position: Tensor
    velocity: Tensor
    known: Tensor
    yaw: Tensor | None = None
    spin: Tensor | None = None
    earlier: Tensor | None = None

    @staticmethod
    def fitted(states: FittedMotion) -> "Trajectories":
        """States that were fitted to whole tracks: they are known in all frames."""
        known = states.known[:, None].expand(states.yaw.shape)
        return Trajectories(states.position, states.velocity, known, states.yaw, states.spin)

    @staticmethod
    def sampled(states: FittedMotion, spread: float = 1.0) -> "Trajectories":
        """Those of V videos that were drawn from the posterior of the fit, C of each: V * C videos, `spread` times as far
        from the mean."""
        mean = states.vectors[:, None]
        drawn = (mean + spread * (states.samples - mean)).flatten(0, 1)
        known = states.known.repeat_interleave(states.samples.shape[1], dim=0)
        return Trajectories(
            drawn[..., :2], drawn[..., 2:4], known[:, None].expand(drawn.shape[:-1]), drawn[..., 4], drawn[..., 5]
        )

    @staticmethod
    def measured(video: VideoMotion) -> "Trajectories":
        """Positions as they are measured, with the velocity of the line fit around each frame, without orientation."""
        fit = video.motion.around
        return Trajectories(video.tracks.position, fit.velocity, fit.known & video.tracks.valid)

    def rows(self, rows: Tensor) -> "Trajectories":
        return mapped(self, lambda tensor: tensor[rows])

    def state(self, frame: int) -> State:
        """Of all videos in one frame."""
        return self._at((slice(None), frame))

    def states(self, video: Tensor, frame: Tensor) -> State:
        """Of the given frames [B] of the given videos [B]."""
        return self._at((video, frame))

    def _at(self, place: tuple[slice | Tensor, int | Tensor]) -> State:
        earlier, yaw, spin = (None if part is None else part[place] for part in (self.earlier, self.yaw, self.spin))
        return State(self.position[place], self.velocity[place], earlier, yaw, spin)

    @property
    def first(self) -> Tensor:
        """[V, N]: the first known frame; T for an object that is never known."""
        frames = self.known.shape[1]
        return torch.where(self.known.any(dim=1), self.known.int().argmax(dim=1), frames)

    @property
    def last(self) -> Tensor:
        """[V, N]: the last known frame; -1 for an object that is never known."""
        frames = self.known.shape[1]
        return torch.where(self.known.any(dim=1), frames - 1 - self.known.flip(1).int().argmax(dim=1), -1)
