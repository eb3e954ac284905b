"""The simulator's laws of motion in the form of the dynamics predictor. For scoring alone."""

import math
from typing import Final

import torch
from torch import nn

from comphy.scene.vocabulary import HEAVY_MASS, LIGHT_MASS, OBJECT_RADIUS, Shape
from comphy.sim.tabletop import FOOT_DISTANCE, LAWS
from models.pcr.dynamics.predictor import GAIN, Dynamics

_SATURATED: Final = 20.0  # where sigmoid and softplus are 0 or 1 within float precision
_CUBE_INERTIA: Final = 2 / 3  # about its vertical axis, in units of mass times half width squared


@torch.no_grad()
def true_laws(objects: int) -> Dynamics:
    """A predictor for so many objects, whose constants are those of `comphy.sim.tabletop`."""
    laws = Dynamics(objects)
    laws.log_heavy.fill_(math.log(HEAVY_MASS / LIGHT_MASS))
    laws.half_width.fill_(OBJECT_RADIUS)
    round_as = [-_SATURATED if shape is Shape.CUBE else _SATURATED for shape in Shape]
    laws.roundness.copy_(torch.tensor(round_as) / GAIN)
    laws.restitution.fill_(math.log(LAWS.restitution / (1 - LAWS.restitution)) / GAIN)
    laws.friction.copy_(torch.tensor([_before_softplus(LAWS.sliding(shape)) for shape in Shape]) / GAIN)
    laws.drag.fill_(_before_softplus(LAWS.drag) / GAIN)
    laws.log_inertia.fill_(math.log(_CUBE_INERTIA))
    laws.log_friction_radius.fill_(math.log(FOOT_DISTANCE / OBJECT_RADIUS))
    laws.log_strength.fill_(math.log(LAWS.coulomb))
    last = laws.field[-1]  # the learned deviation from an inverse-square law
    assert isinstance(last, nn.Linear)
    last.weight.zero_()
    last.bias.zero_()
    return laws.eval()


def _before_softplus(value: float) -> float:
    return math.log(math.expm1(value)) if value > 0 else -_SATURATED
