"""00106: two catapults."""

import math

from comphy.puzzles.phyre.templates.parts import THICKNESS
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00106",
    TWO_BALLS,
    {
        "first_x": spaced(7, 0.2, 0.8),
        "second_x": spaced(7, 0.2, 0.8),
        "first_y": spaced(7, 0.0, 0.6),
        "second_y": spaced(7, 0.0, 0.6),
    },
)
def two_catapults(first_x: float, second_x: float, first_y: float, second_y: float) -> Scene | None:
    """Two balls fall onto the outer ends of two catapults and have to come together."""
    if second_x - first_x < 0.31:
        return None
    scene = SceneBuilder()
    first = _catapult(scene, first_x, first_y, outwards=-1)
    second = _catapult(scene, second_x, second_y, outwards=1)
    scene.goal(first, second)
    return scene.build()


def _catapult(scene: SceneBuilder, x: float, y: float, outwards: int) -> Placed:
    """A plank with its outer end down, on a hinge between two lips; the ball above that end is returned."""
    base = scene.fixed(bar(0.1), centre_x=x, bottom=y)
    for lip_x in (base.left + THICKNESS / 2, base.right - THICKNESS / 2):
        scene.fixed(bar(THICKNESS), centre_x=lip_x, bottom=base.top)
    hinge = scene.fixed(ball(0.05), centre_x=x, bottom=base.top)
    above = (hinge.height + THICKNESS) / 2 / math.cos(math.radians(20))
    plank = scene.moving(bar(0.25), -20 * outwards, centre_x=x, centre_y=hinge.centre_y + above)
    thrown = ball(0.07)
    return scene.moving(thrown, centre_x=x + outwards * (plank.width - thrown.width) / 2, bottom=plank.top)
