"""True states of motion, objects in the order of tracks: of targets from their annotations, and of counterfactual runs from
the rollouts that a dataset keeps beside them. For scoring alone.

Shapes: T frames, N objects; a state is place, velocity, yaw and spin [6].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import euler_angles, read_annotation
from comphy.dataset.packs.rollouts import Pack, counterfactual_name
from comphy.errors import DatasetError
from comphy.scene.objects import FPS
from models.pcr.evaluation.true_sets import TrueSet

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TrueStates:
    """Of a matched set: target [T, N, 6], with the frames after the video, and runs [T, N, 6] by `Change.key`, whose numbers
    are those of the annotation."""

    target: Tensor
    runs: Mapping[str, Tensor]

    @staticmethod
    def read(root: Path, one: TrueSet) -> "TrueStates":
        """Raises `DatasetError` for a dataset that, as the published one, has no velocities, rotations or rollouts."""
        return TrueStates(_target(root, one), _runs(root, one))


def padded(states: Sequence[Tensor], room: int) -> Tensor:
    """[S, T, room, 6]: equally long states of several sets, with zeros for the objects that they do not have."""
    return torch.stack([torch.nn.functional.pad(one, (0, 0, 0, room - one.shape[1])) for one in states])


def _target(root: Path, one: TrueSet) -> Tensor:
    path = root / layout.target_annotation(one.index)
    target = read_annotation(path)
    if target.velocities is None or target.orientations is None or target.angular_velocities is None:
        raise DatasetError(f"{path}: expected velocities, orientations and angular velocities (some are missing).")
    yaw, spin = np.unwrap(target.orientations[..., 2], axis=0), target.angular_velocities[..., 2]
    return _states(target.locations, target.velocities, yaw, spin)[:, one.order]


def _runs(root: Path, one: TrueSet) -> dict[str, Tensor]:
    """Rollouts keep no spins: the yaw of the frame before tells them."""
    pack, found = Pack(root / layout.rollouts(one.index)), {}
    for key in one.facts.counterfactual:
        run = pack.video(counterfactual_name(one.index, key)).rollout
        yaw = np.unwrap(euler_angles(run.orientations)[..., 2], axis=0)
        spin = np.diff(yaw, axis=0, prepend=yaw[:1]) * FPS
        found[key] = _states(run.positions, run.velocities, yaw, spin)[:, one.order]
    return found


def _states(place: Floats, velocity: Floats, yaw: Floats, spin: Floats) -> Tensor:
    parts = (place[..., :2], velocity[..., :2], yaw[..., None], spin[..., None])
    return torch.from_numpy(np.concatenate(parts, axis=-1)).float()
