"""00010: out of the sliding jar.

The jar stands on the slope as high up as it fits, then 15 to 35 pixels lower; published jars start in the air. Slopes
that leave a gap at both walls, or on which no jar can stand, are skipped.
"""

import math
from typing import Final

import numpy as np

from comphy.puzzles.phyre.templates.parts import THICKNESS, centred_at, direction
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, jar

FARTHEST_SHIFT: Final = 0.08  # the distance between two feet: one that goes farther meets another
STEEPEST: Final = 80.0  # degrees; a jar leans on such a slope, but not on a steeper one


@template(
    "00010",
    BALL,
    {
        "angle": spaced(6, 10.0, 50.0),
        "between": spaced(5, 75.0, 105.0),
        "foot": spaced(6, 0.2, 0.6),
        "lower": (15, 25, 35),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def out_of_the_sliding_jar(angle: float, between: float, foot: float, lower: int) -> Scene | None:
    """A jar with a ball in it slides down one side of a valley; the ball has to lie on the other side."""
    steepness = between - angle
    if steepness > STEEPEST:
        return None
    left_reach, right_reach = (bar(1.0).bounds(math.radians(turn))[2] * 2 * PX for turn in (-steepness, angle))
    shift = min(max(foot, 1.0 - right_reach), left_reach) - foot  # so that no gap is left at a wall
    if left_reach + right_reach < 1.0 or abs(shift) >= FARTHEST_SHIFT:
        return None
    foot += shift
    scene = SceneBuilder()
    other_side = scene.fixed(bar(1.0), angle, left=foot, bottom=-2 * PX)
    slope = scene.fixed(bar(1.0), -steepness, right=foot, bottom=-2 * PX)
    bucket = _on_the_slope(scene, slope, lower * PX)
    target = scene.moving(ball(0.08), centre_x=bucket.centre_x, centre_y=bucket.centre_y)
    scene.goal(target, other_side)
    return scene.build()


def _on_the_slope(scene: SceneBuilder, slope: Placed, lower: float) -> Placed:
    """A jar that stands on the slope, so much lower than where it would meet the wall, the ceiling or the slope's end."""
    shape, degrees = jar(0.2), math.degrees(slope.angle)
    along, up = direction(degrees), direction(degrees + 90)
    start = np.array((slope.x, slope.y)) * PX + up * (THICKNESS / 2 - shape.bounds()[1] * PX)
    left, _, _, top = (edge * PX for edge in shape.bounds(slope.angle))
    to_the_wall = (start[0] + left) / along[0]
    to_the_ceiling = (start[1] + top - 1.0) / along[1]
    to_the_end = (1.0 - shape.width) / 2
    x, y = start - along * (min(to_the_wall, to_the_ceiling, to_the_end) - lower)
    return scene.moving(shape, degrees, **centred_at(shape, degrees, float(x), float(y)))
