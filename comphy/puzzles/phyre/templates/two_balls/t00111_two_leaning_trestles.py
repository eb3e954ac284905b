"""00111: two leaning trestles.

The distances of the two trestles from the walls are chosen separately. Each leans on its prop from the start, and its
ball lies between its tips, so that all is at rest. The trestles are smaller than the published ones, and the ceiling is
higher: on larger ones the ball sinks so deep between the tips that nothing gets it out.
"""

import math
from typing import Final

import numpy as np

from comphy.puzzles.phyre.templates.parts import THICKNESS, direction, slid
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS, Floats
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import STICKS_ANGLE, ball, bar, standing_sticks

LEAN: Final = 20.0  # degrees
HEADROOM: Final = 70 * PX
PROP: Final = 10.0  # pixels from the tip of a leg to where it leans on its prop


@template(
    "00111",
    TWO_BALLS,
    {
        "ground": spaced(6, 0.0, 0.3),
        "size": spaced(4, 0.42, 0.5),
        "from_the_left": (0.05, 0.1, 0.15),
        "from_the_right": (0.05, 0.1, 0.15),
    },
    Rule.SOLVABLE,
)
def two_leaning_trestles(ground: float, size: float, from_the_left: float, from_the_right: float) -> Scene:
    """Two balls lie on trestles that lean towards each other, under a ceiling, and have to come together."""
    scene = SceneBuilder()
    base = scene.fixed(bar(1.0), left=0.0, bottom=ground)
    shape = standing_sticks(size)
    half_width = shape.bounds(math.radians(LEAN))[2] * PX
    sides = ((from_the_left + half_width, 1), (1.0 - from_the_right - half_width, -1))
    trestles = [scene.moving(shape, -LEAN * inwards, centre_x=x, bottom=base.top) for x, inwards in sides]
    gap = _prop_point(trestles[1], -1)[0] - _prop_point(trestles[0], 1)[0]
    first, second = [_ball_on_top(scene, trestle, inwards) for trestle, inwards in zip(trestles, (1, -1), strict=True)]
    for trestle, inwards in zip(trestles, (1, -1), strict=True):
        _prop(scene, trestle, inwards, 0.8 * gap)
        _foot_stop(scene, trestle, inwards, base.top)
    scene.fixed(bar(1.0), left=0.0, bottom=min(first.top + HEADROOM, 1.0 - THICKNESS))
    scene.goal(first, second)
    return scene.build()


def _prop_point(trestle: Placed, inwards: int) -> Floats:
    """Where the leg that leans most, ten pixels below its tip, touches its prop."""
    slab = trestle.shape.slabs[0]
    along, down = direction(STICKS_ANGLE - LEAN), direction(STICKS_ANGLE - LEAN - 90)
    offset = (slab.half_length - PROP) * along + slab.half_thickness * down
    return np.array((trestle.centre_x, trestle.centre_y)) + offset * (inwards, 1) * PX


def _ball_on_top(scene: SceneBuilder, trestle: Placed, inwards: int) -> Placed:
    """A ball let down between the two upper tips, along the trestle's own axis."""
    axis = direction(90 - LEAN * inwards)
    x, y = slid(ball(0.1), np.array((trestle.centre_x, trestle.centre_y)) + trestle.height * axis, -axis, trestle)
    return scene.moving(ball(0.1), centre_x=x, centre_y=y)


def _prop(scene: SceneBuilder, trestle: Placed, inwards: int, length: float) -> None:
    """A bar whose upper outer corner carries the leaning leg."""
    corner = -length / 2 * direction(-10) + THICKNESS / 2 * direction(80)
    x, y = _prop_point(trestle, inwards) - corner * (inwards, 1)
    scene.fixed(bar(length), -10 * inwards, centre_x=x, centre_y=y)


def _foot_stop(scene: SceneBuilder, trestle: Placed, inwards: int, ground: float) -> None:
    """A ramp from just inside the foot that stands on the ground."""
    shape = bar(0.25)
    foot = trestle.shape.slabs[1].half_length * PX * math.cos(math.radians(180 - STICKS_ANGLE - LEAN))
    half_width = shape.bounds(math.radians(30))[2] * PX
    x = trestle.centre_x + inwards * (half_width - foot + 4 * PX)
    scene.fixed(shape, 30 * inwards, centre_x=x, bottom=ground)
