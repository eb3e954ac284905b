"""Recorded motion of all videos of some sets, and the loss of predictions against it: what the dynamics predictor learns
from, with inferred properties as labels. No answer is needed for it.

Shapes: V videos, T frames, N objects, P pairs, B windows of H + 1 frames.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from models.pcr.dynamics.state import Bodies, Predictor, State, bodies_of
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.tracks.observed import Observed, VideoMotion
from models.pcr.tracks.tensor_trees import joined, mapped

_STEADY: Final = 0.15  # units per second: the most that velocities before and after the start of a window may differ by
_CAP: Final = 0.02  # units; threshold of the Huber loss


@dataclass(frozen=True)
class Footage:
    """All videos of some sets: position, velocity [V, T, N, 2], valid and steady [V, T, N], the bodies in them, and yaw
    and spin [V, T, N] if they were seen. steady: the velocity is known well enough to start from."""

    position: Tensor
    velocity: Tensor
    valid: Tensor
    steady: Tensor
    bodies: Bodies
    yaw: Tensor | None = None
    spin: Tensor | None = None

    @staticmethod
    def of(observed: Observed, scene: SoftScene, pair_numbers: Tensor, hard: bool) -> "Footage":
        """Targets, then references, with the properties that the scene gives their objects; with `hard` the most likely
        ones. `pair_numbers` [N + 1, N + 1]: see `models.pcr.executor.soft_scene.pair_numbers`."""
        rows = torch.arange(len(observed), device=observed.objects.device)
        bodies = bodies_of(scene, rows, hard)
        videos = mapped(observed.references, lambda tensor: tensor.flatten(0, 1))
        frames = observed.target.tracks.valid.shape[1]
        parts = [_motion(observed.target, frames), _motion(videos, frames)]
        references = _reference_bodies(bodies, observed.owners, scene.pairs, pair_numbers)
        position, velocity, valid, steady, yaw, spin = (torch.cat(pair) for pair in zip(*parts, strict=True))
        return Footage(position, velocity, valid, steady, joined([bodies, references]), yaw, spin)

    def state(self, video: Tensor, frame: Tensor) -> State:
        """Of the given frames [B] of the given videos [B], as they were recorded."""
        yaw, spin = (None if part is None else part[video, frame] for part in (self.yaw, self.spin))
        return State(self.position[video, frame], self.velocity[video, frame], None, yaw, spin)


def window_starts(seen: Footage, horizon: int, windows: int, rng: torch.Generator) -> Tensor:
    """[B, 2]: video and first frame of random windows of each video in which something can be predicted."""
    last = seen.valid.shape[1] - horizon
    able = (seen.valid[:, horizon:] & seen.steady[:, :last]).any(dim=-1)
    luck = torch.rand(able.shape, generator=rng, device=able.device) * able
    best, frame = luck.topk(windows, dim=1)
    video = torch.arange(len(able), device=able.device)[:, None].expand_as(frame)
    return torch.stack([video, frame], dim=-1)[best > 0]


def rollout_loss(dynamics: Predictor, seen: Footage, starts: Tensor, horizon: int) -> Tensor:
    """Mean Huber loss of predicted against recorded places, over windows that start at `starts` [B, 2].

    Objects that are not steady at the start follow the recording: they act on others, and are not predicted."""
    video, frame = starts.unbind(dim=1)
    predicted = seen.steady[video, frame]
    bodies = mapped(seen.bodies, lambda tensor: tensor[video])
    edges = dynamics.edges(bodies)
    state = seen.state(video, frame)
    losses = []
    for step in range(1, horizon + 1):
        state = dynamics.step(state, edges, (predicted | seen.valid[video, frame + step - 1]) & bodies.there)
        recorded = seen.state(video, frame + step)
        counted = (predicted & seen.valid[video, frame + step] & bodies.there).to(state.position.dtype)
        error = nn.functional.huber_loss(state.position, recorded.position, reduction="none", delta=_CAP)
        losses.append((error.sum(dim=-1) / _CAP * counted).sum() / counted.sum().clamp(min=1))
        state = state.following(recorded, ~predicted)
    return torch.stack(losses).mean()


def _motion(video: VideoMotion, frames: int) -> tuple[Tensor, ...]:
    """As in `Footage`, with empty frames at the end of shorter videos."""
    motion, tracks = video.motion, video.tracks
    jump = (motion.after.velocity - motion.before.velocity).norm(dim=-1)
    steady = motion.around.known & motion.before.known & motion.after.known & (jump < _STEADY)
    missing = frames - steady.shape[1]

    def padded(values: Tensor) -> Tensor:
        rest = values.new_zeros(len(values), missing, *values.shape[2:])
        return torch.cat([values, rest], dim=1)

    rotation = tracks.yaw_track
    parts = (tracks.position, motion.around.velocity, tracks.valid, steady, rotation.yaw, rotation.spin)
    return tuple(padded(part) for part in parts)


def _reference_bodies(bodies: Bodies, owners: Tensor, pairs: Tensor, pair_numbers: Tensor) -> Bodies:
    """The bodies of references, in the order of their own tracks; owners [S, R, N]."""
    sets, references, objects = owners.shape
    rows = torch.arange(sets * references, device=owners.device) // references
    owners = owners.flatten(0, 1)
    safe, places = owners.clamp(min=0), owners.masked_fill(owners < 0, objects)
    numbers = pair_numbers[places[:, pairs[:, 0]], places[:, pairs[:, 1]]]
    charge = nn.functional.pad(bodies.charge, (0, 1))[rows].gather(1, numbers)
    shape = bodies.shape[rows[:, None], safe]
    return Bodies(shape, bodies.heavy[rows[:, None], safe], charge, owners >= 0)
