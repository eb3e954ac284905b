"""What every dynamics predictor works on: bodies with their properties, states of motion, and pairs of bodies.

Shapes: B scenes, N objects, P pairs i < j. Places in scene units, velocities in units per second, angles in radians.
"""

from dataclasses import dataclass
from typing import Any, Final, Protocol

import torch
from torch import Tensor, nn

from models.pcr.executor.soft_scene import SoftScene
from models.perceiver.representation import all_pairs

FAR: Final = 10.0  # units: the clearance of pairs that cannot touch
CHARGE_KINDS: Final = 3  # relations of a pair: none, charges of the same sign, charges of opposite signs


@dataclass(frozen=True)
class Bodies:
    """What the laws depend on. shape [B, N, 3] (a distribution), heavy [B, N] from 0 to 1, charge [B, P]: from -1, the
    pair attracts, to 1, it repels; there [B, N]: false for padding."""

    shape: Tensor
    heavy: Tensor
    charge: Tensor
    there: Tensor


@dataclass(frozen=True)
class State:
    """position and velocity [B, N, 2]; where a predictor keeps them, earlier [B, N, 2]: the velocity one step ago, and
    yaw and spin [B, N]."""

    position: Tensor
    velocity: Tensor
    earlier: Tensor | None = None
    yaw: Tensor | None = None
    spin: Tensor | None = None

    def following(self, recorded: "State", who: Tensor) -> "State":
        """The objects `who` [B, N] as they are recorded, the others as they are here."""
        which = who[..., None]
        position = torch.where(which, recorded.position, self.position)
        velocity = torch.where(which, recorded.velocity, self.velocity)
        before = recorded.velocity if recorded.earlier is None else recorded.earlier
        earlier = None if self.earlier is None else torch.where(which, before, self.earlier)
        yaw, spin = _either(who, recorded.yaw, self.yaw), _either(who, recorded.spin, self.spin)
        return State(position, velocity, earlier, yaw, spin)

    def rotation(self) -> tuple[Tensor, Tensor]:
        """yaw and spin; zero where they are not known. Two tensors even then: compiled code must not see an alias."""
        yaw, spin = (torch.zeros_like(self.position[..., 0]) if one is None else one for one in (self.yaw, self.spin))
        return yaw, spin


class Predictor(Protocol):
    """What a rollout needs of a dynamics predictor. `stride`: the frames of a step; `history`: the recorded steps that a
    prediction starts from. `edges`: constants of a rollout, in a form of the predictor's own. `step` gives the next state
    and clearance [B, P]: the least gap of pairs within the step, below 0 where they collide, `FAR` where one of the two is
    not there."""

    pairs: Tensor
    stride: int
    history: int

    def edges(self, bodies: Bodies) -> Any: ...

    def step(self, state: State, edges: Any, there: Tensor) -> tuple[State, Tensor]: ...

    def about_to_touch(self, state: State, edges: Any, there: Tensor, within: float, margin: float) -> Tensor: ...


def bodies_of(scene: SoftScene, rows: Tensor, hard: bool) -> Bodies:
    """The bodies of the sets in `rows` as the dynamics predictor takes them; with `hard` the most likely properties
    instead of their probabilities."""
    heavy, charge = scene.heavy[rows], (scene.same - scene.opposite)[rows]
    shape = scene.shape[rows]
    if hard:
        heavy = (heavy > 0.5).to(shape.dtype)
        charge = torch.where(charge.abs() > 0.5, charge.sign(), 0.0)
        shape = nn.functional.one_hot(shape.argmax(dim=-1), shape.shape[-1]).to(shape.dtype)
    return Bodies(shape, heavy, charge, scene.objects[rows] > 0)


def least_distance(state: State, pairs: Tensor, within: float) -> Tensor:
    """[B, P]: distance of the centres of pairs now or after a time, whichever is less, at constant velocities."""
    first, second = pairs[:, 0], pairs[:, 1]
    apart = state.position[:, second] - state.position[:, first]
    later = apart + within * (state.velocity[:, second] - state.velocity[:, first])
    return torch.minimum(apart.norm(dim=-1), later.norm(dim=-1))


def incidence(objects: int) -> Tensor:
    """[N, 2 P]: which object is the first of a pair, and which the second."""
    return nn.functional.one_hot(all_pairs(objects).T.flatten(), objects).float().T


def _either(who: Tensor, recorded: Tensor | None, here: Tensor | None) -> Tensor | None:
    if recorded is None or here is None:
        return here
    return torch.where(who, recorded, here)
