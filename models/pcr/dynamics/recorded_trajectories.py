"""Recorded motion of all videos of some sets, and the loss of predictions against it: what the dynamics predictor learns
from, with inferred properties as labels. No answer is needed for it.

Shapes: V videos, T frames, N objects, P pairs, B windows of H + 1 frames.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from models.pcr.dynamics.state import Bodies, Predictor, State, bodies_of
from models.pcr.dynamics.strides import every
from models.pcr.dynamics.trajectories import Trajectories
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.observed import Observed, VideoMotion
from models.pcr.tracks.tensor_trees import joined, mapped

_STEADY: Final = 0.15  # units per second: the most that velocities before and after the start of a window may differ by
_REACH: Final = 2  # frames before and after it, between which they are compared
_CAP: Final = 0.02  # units; threshold of the Huber loss
_CUBE: Final = list(Shape).index(Shape.CUBE)


@dataclass(frozen=True)
class RecordedTrajectories:
    """All videos of some sets: how everything moves in them, known where the object was seen; steady [V, T, N], where a
    prediction may start from its state; and the bodies."""

    recorded: Trajectories
    steady: Tensor
    bodies: Bodies

    @staticmethod
    def of(
        observed: Observed, scene: SoftScene, pair_numbers: Tensor, hard: bool, stride: int = 1
    ) -> "RecordedTrajectories":
        """Targets, then references, with the properties that the scene gives their objects; with `hard` the most likely
        ones. `pair_numbers` [N + 1, N + 1]: see `models.pcr.executor.soft_scene.pair_numbers`. Of every `stride`-th
        frame."""
        rows = torch.arange(len(observed), device=observed.objects.device)
        bodies = bodies_of(scene, rows, hard)
        references = reference_bodies(bodies, observed.owners, scene.pairs, pair_numbers)
        videos = (observed.target, mapped(observed.references, lambda tensor: tensor.flatten(0, 1)))
        if observed.states is None:
            parts = [_measured(video) for video in videos]
        else:
            states = (observed.states.target, mapped(observed.states.references, lambda tensor: tensor.flatten(0, 1)))
            parts = [_fitted(video, motion) for video, motion in zip(videos, states, strict=True)]
        frames = observed.target.tracks.valid.shape[1]
        position, velocity, valid, steady, *turning = (
            torch.cat([_padded(values, frames) for values in pair]) for pair in zip(*parts, strict=True)
        )
        recorded = Trajectories(position, velocity, valid, *turning)
        found = RecordedTrajectories(recorded, steady, joined([bodies, references]))
        return found if stride == 1 else found.every(stride)

    def every(self, stride: int) -> "RecordedTrajectories":
        """Every `stride`-th frame, without orientations. A prediction may start where three places are known."""
        return RecordedTrajectories(*every(self.recorded, stride), self.bodies)


def window_starts(seen: RecordedTrajectories, horizon: int, windows: int, rng: torch.Generator) -> Tensor:
    """[B, 2]: video and first frame of random windows of each video in which something can be predicted."""
    last = seen.recorded.known.shape[1] - horizon
    able = (seen.recorded.known[:, horizon:] & seen.steady[:, :last]).any(dim=-1)
    luck = torch.rand(able.shape, generator=rng, device=able.device) * able
    best, frame = luck.topk(windows, dim=1)
    video = torch.arange(len(able), device=able.device)[:, None].expand_as(frame)
    return torch.stack([video, frame], dim=-1)[best > 0]


def rollout_loss(dynamics: Predictor, seen: RecordedTrajectories, starts: Tensor, horizon: int) -> Tensor:
    """Mean Huber loss of predicted against recorded places and orientations, over windows that start at `starts` [B, 2].

    Objects that are not steady at the start follow the recording: they act on others, and are not predicted."""
    video, frame = starts.unbind(dim=1)
    predicted = seen.steady[video, frame]
    bodies = mapped(seen.bodies, lambda tensor: tensor[video])
    edges = dynamics.edges(bodies)
    state = seen.recorded.states(video, frame)
    losses = []
    for step in range(1, horizon + 1):
        state, _ = dynamics.step(
            state, edges, (predicted | seen.recorded.known[video, frame + step - 1]) & bodies.there
        )
        recorded = seen.recorded.states(video, frame + step)
        counted = (predicted & seen.recorded.known[video, frame + step] & bodies.there).to(state.position.dtype)
        away = torch.cat([state.position - recorded.position, _turned_away(state, recorded, bodies)], dim=-1)
        error = nn.functional.huber_loss(away, torch.zeros_like(away), reduction="none", delta=_CAP)
        losses.append((error.sum(dim=-1) / _CAP * counted).sum() / counted.sum().clamp(min=1))
        state = state.following(recorded, ~predicted)
    return torch.stack(losses).mean()


def _turned_away(state: State, recorded: State, bodies: Bodies) -> Tensor:
    """[B, N, 1]: how far the faces of cubes are from where they were recorded, as turns by a right angle show no
    difference. Nothing, where orientations are not known."""
    if state.yaw is None or recorded.yaw is None:
        return state.position[..., :0]
    cube = bodies.shape[..., _CUBE]
    return (OBJECT_RADIUS * cube * torch.sin(2 * (state.yaw - recorded.yaw)) / 2)[..., None]


def _measured(video: VideoMotion) -> tuple[Tensor, ...]:
    """position, velocity, valid and steady, from line fits."""
    motion, tracks = video.motion, video.tracks
    jump = (motion.after.velocity - motion.before.velocity).norm(dim=-1)
    steady = motion.around.known & motion.before.known & motion.after.known & (jump < _STEADY)
    return tracks.position, motion.around.velocity, tracks.valid, steady


def _fitted(video: VideoMotion, states: FittedMotion) -> tuple[Tensor, ...]:
    """The same from fitted states, with yaw and spin."""
    number = torch.arange(states.yaw.shape[1], device=states.yaw.device)
    before, after = (number - _REACH).clamp(min=0), (number + _REACH).clamp(max=len(number) - 1)
    jump = (states.velocity[:, after] - states.velocity[:, before]).norm(dim=-1)
    valid = video.tracks.present & states.known[:, None]
    return states.position, states.velocity, valid, valid & (jump < _STEADY), states.yaw, states.spin


def _padded(values: Tensor, frames: int) -> Tensor:
    """With empty frames at the end of shorter videos."""
    rest = values.new_zeros(len(values), frames - values.shape[1], *values.shape[2:])
    return torch.cat([values, rest], dim=1)


def reference_bodies(bodies: Bodies, owners: Tensor, pairs: Tensor, pair_numbers: Tensor) -> Bodies:
    """The bodies of references, in the order of their own tracks; owners [S, R, N]."""
    sets, references, objects = owners.shape
    rows = torch.arange(sets * references, device=owners.device) // references
    owners = owners.flatten(0, 1)
    safe, places = owners.clamp(min=0), owners.masked_fill(owners < 0, objects)
    numbers = pair_numbers[places[:, pairs[:, 0]], places[:, pairs[:, 1]]]
    charge = nn.functional.pad(bodies.charge, (0, 1))[rows].gather(1, numbers)
    shape = bodies.shape[rows[:, None], safe]
    return Bodies(shape, bodies.heavy[rows[:, None], safe], charge, owners >= 0)
