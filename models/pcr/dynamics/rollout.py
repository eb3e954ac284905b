"""Predicted motion: the recording is followed as long as it holds, then the dynamics predictor takes over.

What happened in the video is known far better than any prediction of it. Under a premise an object keeps to its recorded
track until the change can reach it: until it is about to touch an object that has diverged from the recording, or would
have touched it in the recording.

Shapes: B scenes, T recorded frames, F imagined frames, N objects, P pairs.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.scene.objects import FPS
from models.pcr.dynamics.state import Bodies, Predictor, State
from models.pcr.dynamics.strides import densely, every
from models.pcr.dynamics.trajectories import Trajectories

LEAD: Final = (
    5 / FPS
)  # seconds before a touch at which an object diverges: later, its velocity is fitted across the touch
_MARGIN: Final = 0.02  # units between two surfaces that count as a touch
_GRADIENT: Final = 10.0  # in shares of a scene: bound of the gradient with respect to each value of a state


@dataclass(frozen=True)
class PredictedTrajectories:
    """position, velocity [B, F, N, 2], yaw [B, F, N] (zero where the predictor keeps none) and there [B, F, N] (whether the
    object has shown up by then); clearance [B, F, P]: the least gap of pairs from a frame to the next, below 0 where they
    collide; `start` is the number of the first frame."""

    position: Tensor
    velocity: Tensor
    yaw: Tensor
    there: Tensor
    clearance: Tensor
    start: int


def predict_future(
    dynamics: Predictor, recording: Trajectories, bodies: Bodies, frames: int, lookback: int = 25
) -> PredictedTrajectories:
    """The last `lookback` recorded frames and the `frames` after them."""
    recorded = recording.known.shape[1]
    start = max(recorded - lookback, 0)
    plan = _Plan(recording.last.clamp(min=start), None, range(start, recorded + frames))
    return _imagine(dynamics, recording, bodies, plan)


def predict_counterfactual(
    dynamics: Predictor,
    recording: Trajectories,
    bodies: Bodies,
    changed: Tensor,
    at_once: Tensor,
    follow_recording: bool = True,
) -> PredictedTrajectories:
    """The recorded frames as they would be. changed [B, N]: the object that the premise is about; at_once [B, N]: objects
    that the premise affects from the start, without a touch. Without `follow_recording` only the first known states are
    taken from the recording."""
    recorded = recording.known.shape[1]
    followed_until = torch.full_like(recording.first, recorded)
    if not follow_recording:
        at_once = torch.ones_like(at_once)
    return _imagine(dynamics, recording, bodies, _Plan(followed_until, (changed, at_once), range(recorded)))


@dataclass(frozen=True)
class _Plan:
    """Which frames to imagine, until which one objects follow the recording [B, N], and who is changed and affected at
    once [B, N] by a premise."""

    followed_until: Tensor
    premise: tuple[Tensor, Tensor] | None
    frames: range


def _imagine(dynamics: Predictor, recording: Trajectories, bodies: Bodies, plan: _Plan) -> PredictedTrajectories:
    """Frames, by steps of the predictor, which may be several frames long."""
    stride, frames = dynamics.stride, plan.frames
    if stride == 1:
        return _run(dynamics, recording, bodies, plan)
    steps = range(frames[0] // stride, -(-frames[-1] // stride) + 1)
    strided = _Plan(plan.followed_until // stride, plan.premise, steps)
    found = _run(dynamics, every(recording, stride)[0], bodies, strided)

    def of_frames(values: Tensor, ahead: int = 0) -> Tensor:
        return densely(values, stride, frames[0] - steps[0] * stride + ahead, len(frames))

    there = of_frames(found.there.to(found.position.dtype)) == 1
    # A clearance is that of a step's end: the next frame is nearer to it.
    clearance = of_frames(found.clearance, ahead=1 - stride)
    position, velocity, yaw = (of_frames(part) for part in (found.position, found.velocity, found.yaw))
    return PredictedTrajectories(position, velocity, yaw, there, clearance, frames[0])


def _run(dynamics: Predictor, recording: Trajectories, bodies: Bodies, plan: _Plan) -> PredictedTrajectories:
    followed_until, premise, frames = plan.followed_until, plan.premise, plan.frames
    first, recorded = recording.first, recording.known.shape[1]
    state = recording.state(frames[0])
    diverged = premise[1] if premise is not None else torch.zeros_like(followed_until, dtype=torch.bool)
    positions, velocities, yaws, theres, clearances = [], [], [], [], []
    edges = dynamics.edges(bodies)
    for frame in frames:
        there = (first <= frame) & bodies.there
        if frame < recorded:
            begins = (first <= frame) & (frame < first + dynamics.history)
            follows = recording.known[:, frame] & ((~diverged & (followed_until >= frame)) | begins)
            recorded_state = recording.state(frame)
            state = state.following(recorded_state, follows)
            if premise is not None:
                touching = dynamics.about_to_touch(state, edges, there, LEAD, _MARGIN)
                touched = dynamics.about_to_touch(recorded_state, edges, recording.known[:, frame], LEAD, _MARGIN)
                diverged = _diverging(diverged, diverged | premise[0], touching | touched, dynamics.pairs)
        positions.append(state.position)
        velocities.append(state.velocity)
        yaws.append(state.rotation()[0])
        theres.append(there)
        state, clearance = dynamics.step(state, edges, there)
        state = _with_bounded_gradient(state)
        clearances.append(clearance)
    position, velocity, yaw, there, clearance = (
        torch.stack(part, 1) for part in (positions, velocities, yaws, theres, clearances)
    )
    return PredictedTrajectories(position, velocity, yaw, there, clearance, frames[0])


def _with_bounded_gradient(state: State) -> State:
    """The same state with its gradient clipped (by hooks): rollouts are chaotic, and after a few collisions the gradient
    of one scene could explode, drown out all others, or become NaN."""
    most = _GRADIENT / len(state.position)

    def kept(gradient: Tensor | None) -> Tensor | None:
        if gradient is None:  # compiled code passes None where there is no gradient
            return None
        return gradient.nan_to_num(0.0, most, -most).clamp(-most, most)

    for tensor in vars(state).values():
        if isinstance(tensor, Tensor) and tensor.requires_grad:
            tensor.register_hook(kept)
    return state


def _diverging(diverged: Tensor, spreading: Tensor, touching: Tensor, pairs: Tensor) -> Tensor:
    """Objects that have diverged after this frame: also both of a touching pair one of which is `spreading`."""
    first, second = pairs[:, 0], pairs[:, 1]
    reached = touching & (spreading[:, first] | spreading[:, second])
    diverged = diverged.clone()
    for side in (first, second):
        diverged = diverged | torch.zeros_like(diverged, dtype=torch.int).index_add_(1, side, reached.int()).bool()
    return diverged
