"""00117: launch to a high shelf."""

import math

from comphy.puzzles.phyre.templates.parts import THICKNESS, resting_ball
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00117",
    TWO_BALLS,
    {"x": spaced(10, 0.2, 0.4), "length": spaced(10, 0.35, 0.5), "angle": spaced(10, 15.0, 30.0)},
    Rule.SOLVABLE | Rule.DIVERSE,
)
def launch_to_a_high_shelf(x: float, length: float, angle: float) -> Scene:
    """A ball on the raised end of a beam has to be thrown to the wall above a high shelf."""
    scene = SceneBuilder()
    pivot = scene.fixed(ball(0.1), centre_x=x, bottom=0.0)
    above = (pivot.height + THICKNESS) / 2 / math.cos(math.radians(angle))
    beam = scene.moving(bar(length), angle, centre_x=x, centre_y=pivot.centre_y + above)
    target = resting_ball(scene, ball(0.1), beam.right - THICKNESS, beam)
    wall = scene.fixed(bar(0.4), 90, right=1.0, bottom=0.6)
    scene.fixed(bar(0.25), -10, right=1.0, bottom=wall.bottom - THICKNESS)
    scene.goal(target, wall)
    return scene.build()
