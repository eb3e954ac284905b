"""00123: two syringes."""

import math

import numpy as np

from comphy.puzzles.phyre.templates.parts import THICKNESS, direction, slid, valley
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00123",
    TWO_BALLS,
    {
        "first_x": spaced(10, 0.3, 0.7),
        "second_x": spaced(10, 0.3, 0.7),
        "first_y": spaced(10, 0.3, 0.7),
        "second_y": spaced(10, 0.3, 0.7),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.NEEDS_TWO_BALLS | Rule.DIVERSE,
)
def two_syringes(first_x: float, second_x: float, first_y: float, second_y: float) -> Scene | None:
    """Two balls lie in sloping channels between a stop and a plank, and have to be pushed out towards each other."""
    if second_x - first_x <= 0.35:
        return None
    scene = SceneBuilder()
    first = _syringe(scene, first_x, first_y, inwards=1)
    second = _syringe(scene, second_x, second_y, inwards=-1)
    valley(scene, 0.0, 1.0, 10)
    scene.goal(first, second)
    return scene.build()


def _syringe(scene: SceneBuilder, x: float, y: float, inwards: int) -> Placed:
    """A ball that lies against the stop at the low end of a channel, and the plank behind it."""
    angle = -30 * inwards
    lower = scene.fixed(bar(0.25), angle, centre_x=x, centre_y=y - 0.09)
    upper = scene.fixed(bar(0.25), angle, centre_x=x, centre_y=y + 0.09)
    stop = scene.fixed(bar(0.06), 90, centre_x=x + inwards * lower.width / 2, bottom=lower.bottom)
    down = direction(-30) * (inwards, 1)
    up = direction(60) * (inwards, 1)
    shape = ball(0.1)
    radius = shape.width / 2
    start = np.array((lower.centre_x, lower.centre_y)) + (radius + THICKNESS / 2) * up
    ball_x, ball_y = slid(shape, start, down, stop)
    target = scene.moving(shape, centre_x=ball_x, centre_y=ball_y)
    behind = math.sqrt(radius**2 - (radius - THICKNESS) ** 2) + 0.25 / 2
    plank_x, plank_y = (ball_x, ball_y) - behind * down - (radius - THICKNESS / 2) * up
    scene.moving(bar(0.25), angle, centre_x=plank_x, centre_y=plank_y)
    scene.fixed(bar(0.3), centre_x=x - inwards * (lower.width / 2 + 0.15), bottom=upper.top + 0.1)
    return target
