"""A changed world as the learned dynamics of a reasoner moves it.

It begins as Bullet's does, from the true state of the first frame and with the true shapes, masses and charges: what then
differs is in the laws that were learned. A predictor that needs more recorded frames than one gets them from Bullet.

Shapes: T frames, N objects, P pairs.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from comphy.dataset.annotations.annotation import euler_angles
from comphy.errors import ConfigError
from comphy.scene.objects import FPS, ObjectSpec, Video
from comphy.scene.vocabulary import HEAVY_MASS, LIGHT_MASS, OBJECT_RADIUS, Shape
from comphy.sim.tabletop import simulate
from comphy.toolkit.explorer.worlds.what_if import changed
from data_gen.stability.resimulation import read_target
from models.pcr.dynamics.rollout import PredictedTrajectories, predict_future
from models.pcr.dynamics.state import Bodies, Predictor
from models.pcr.dynamics.trajectories import Trajectories

Json = dict[str, Any]
_DIGITS: Final = 3
_RELEASE: Final = round(0.2 * FPS)  # frames: contacts of a pair that are closer together in time are one collision


@torch.inference_mode()
def learned_future(dynamics: Predictor, root: Path, index: int, changes: Mapping[int, Json]) -> Json:
    """The motion of a set's target with `changes`, as `worlds.what_if.simulate_changed` tells Bullet's.

    Raises:
        ConfigError: a change that makes no sense, or more objects than the model has room for."""
    video = changed(read_target(root, index).start, changes)
    room = int(dynamics.pairs.max()) + 1
    if len(video.objects) > room:
        raise ConfigError(f"set {index} has {len(video.objects)} objects: the model has room for {room}.")
    recording = _recording(video, dynamics, room)
    begun = recording.known.shape[1]
    motion = predict_future(dynamics, recording, _bodies(video, dynamics), video.total_frames - begun, begun)
    return motion_record(motion, len(video.objects), dynamics.pairs)


def motion_record(motion: PredictedTrajectories, count: int, pairs: Tensor) -> Json:
    """As that of a rollout: [frames][objects][numbers], and where objects collide."""
    place, velocity, yaw = (
        part[0, :, :count].double().numpy() for part in (motion.position, motion.velocity, motion.yaw)
    )
    flat = np.zeros((*yaw.shape, 1))
    positions = np.concatenate([place, np.full_like(flat, OBJECT_RADIUS)], axis=-1)
    turns = np.concatenate([flat, flat, np.sin(yaw / 2)[..., None], np.cos(yaw / 2)[..., None]], axis=-1)
    clearance = motion.clearance[0].double().numpy()
    return {
        "positions": _rounded(positions),
        "orientations": _rounded(turns),
        "velocities": _rounded(np.concatenate([velocity, flat], axis=-1)),
        "collisions": sorted(_collisions(clearance, positions, pairs.tolist()), key=lambda one: int(one["frame"])),
    }


def _collisions(
    clearance: NDArray[np.float64], positions: NDArray[np.float64], pairs: list[list[int]]
) -> Iterator[Json]:
    """A pair collides in the first frame in which it touches after it has been apart for a while."""
    for column, pair in enumerate(pairs):
        last = -_RELEASE - 1
        for frame in np.flatnonzero(clearance[:, column] < 0).tolist() if max(pair) < positions.shape[1] else ():
            if frame - last > _RELEASE:
                middle = positions[frame, pair].mean(axis=0)
                yield {"frame": frame, "objects": pair, "at": middle.tolist()}
            last = frame


def _recording(video: Video, dynamics: Predictor, room: int) -> Trajectories:
    """States of as many frames as a prediction starts from."""
    begun = replace(video, total_frames=min(dynamics.stride * (dynamics.history - 1) + 1, video.total_frames))
    rollout = simulate(begun)
    yaw = np.unwrap(euler_angles(rollout.orientations)[..., 2], axis=0)
    spin = np.tile([state.angular_velocity[2] for state in video.initial], (len(yaw), 1))
    parts = (rollout.positions[..., :2], rollout.velocities[..., :2], yaw[..., None], spin[..., None])
    states = torch.from_numpy(np.concatenate(parts, axis=-1)).float()
    states = torch.nn.functional.pad(states, (0, 0, 0, room - len(video.objects)))[None]
    known = (torch.arange(room) < len(video.objects)).expand(states.shape[:-1])
    return Trajectories(states[..., :2], states[..., 2:4], known, states[..., 4], states[..., 5])


def _bodies(video: Video, dynamics: Predictor) -> Bodies:
    """Masses on the scale of the model, which has learned two of them: those between and beyond follow their logarithms."""
    room = int(dynamics.pairs.max()) + 1
    padded: list[ObjectSpec | None] = [*video.objects, *[None] * (room - len(video.objects))]
    shape = torch.tensor([[float(spec is not None and spec.shape is one) for one in Shape] for spec in padded])
    heavy = torch.tensor([0.0 if spec is None else _heavy(spec.mass) for spec in padded])
    charge = torch.tensor([0.0 if spec is None else float(spec.charge) for spec in padded])
    there = torch.tensor([spec is not None for spec in padded])
    pairs = charge[dynamics.pairs[:, 0]] * charge[dynamics.pairs[:, 1]]
    return Bodies(shape[None], heavy[None], pairs[None], there[None])


def _heavy(mass: float) -> float:
    return math.log(mass / LIGHT_MASS) / math.log(HEAVY_MASS / LIGHT_MASS)


def _rounded(array: NDArray[np.float64]) -> list[Any]:
    found: list[Any] = np.round(array, _DIGITS).tolist()
    return found
