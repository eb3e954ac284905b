"""Lesson 3: the dynamics predictor learns from all recorded motion, with the properties that lesson 2 has inferred as
labels. No answer is needed for it.

Shapes: V videos, T frames, N objects, P pairs, B windows of H + 1 frames.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from models.pcr.dynamics.predictor import Bodies, State
from models.pcr.dynamics.rollout import Predictor
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.reasoner.imagination import bodies_of
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.tracks.observed import Observed, Sight, joined, mapped

_STEADY: Final = (
    0.15  # units per second by which the velocity before and after a frame may differ where a window starts
)
_CAP: Final = 0.02  # units; beyond it errors count linearly


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

    def state(self, video: Tensor, frame: Tensor) -> State:
        """Of the given frames [B] of the given videos [B], as they were recorded."""
        yaw, spin = (None if part is None else part[video, frame] for part in (self.yaw, self.spin))
        return State(self.position[video, frame], self.velocity[video, frame], None, yaw, spin)


def footage(reasoner: Reasoner, observed: Observed, scene: SoftScene, hard: bool) -> Footage:
    """Targets, then references, with the properties that the scene gives their objects; with `hard` the likeliest."""
    rows = torch.arange(len(observed), device=observed.objects.device)
    bodies = bodies_of(scene, rows, hard)
    videos = mapped(observed.references, lambda tensor: tensor.flatten(0, 1))
    frames = observed.target.tracks.valid.shape[1]
    parts = [_motion(observed.target, frames), _motion(videos, frames)]
    references = _cast(reasoner, bodies, observed.owners.flatten(0, 1), observed.owners.shape[1])
    position, velocity, valid, steady, yaw, spin = (torch.cat(pair) for pair in zip(*parts, strict=True))
    return Footage(position, velocity, valid, steady, joined([bodies, references]), yaw, spin)


def window_starts(seen: Footage, horizon: int, windows: int, rng: torch.Generator) -> Tensor:
    """[B, 2]: video and first frame of some windows of each video in which something can be predicted."""
    last = seen.valid.shape[1] - horizon
    able = (seen.valid[:, horizon:] & seen.steady[:, :last]).any(dim=-1)
    luck = torch.rand(able.shape, generator=rng, device=able.device) * able
    best, frame = luck.topk(windows, dim=1)
    video = torch.arange(len(able), device=able.device)[:, None].expand_as(frame)
    return torch.stack([video, frame], dim=-1)[best > 0]


def _motion(sight: Sight, frames: int) -> tuple[Tensor, ...]:
    """As in `Footage`, with empty frames at the end of shorter videos."""
    motion = sight.motion
    jump = (motion.after.velocity - motion.before.velocity).norm(dim=-1)
    steady = motion.around.known & motion.before.known & motion.after.known & (jump < _STEADY)
    missing = frames - steady.shape[1]

    def padded(values: Tensor) -> Tensor:
        rest = values.new_zeros(len(values), missing, *values.shape[2:])
        return torch.cat([values, rest], dim=1)

    tracks = sight.tracks
    told = (tracks.position, motion.around.velocity, tracks.valid, steady, tracks.turning.yaw, tracks.turning.spin)
    return tuple(padded(part) for part in told)


def _cast(reasoner: Reasoner, bodies: Bodies, owners: Tensor, references: int) -> Bodies:
    """The bodies of references, in the order of their own tracks."""
    safe = owners.clamp(min=0)
    rows = torch.arange(len(owners), device=owners.device) // references
    pairs = reasoner.dynamics.pairs
    places = owners.masked_fill(owners < 0, OBJECTS)
    numbers = reasoner.pair_numbers[places[:, pairs[:, 0]], places[:, pairs[:, 1]]]
    charge = nn.functional.pad(bodies.charge, (0, 1))[rows].gather(1, numbers)
    shape = bodies.shape[rows[:, None], safe]
    return Bodies(shape, bodies.heavy[rows[:, None], safe], charge, owners >= 0)


def rollout_loss(dynamics: Predictor, seen: Footage, starts: Tensor, horizon: int) -> Tensor:
    """How far predicted places are from recorded ones, over windows that start at `starts` [B, 2].

    Objects that are not steady at the start follow the recording: they act, and are not predicted."""
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
