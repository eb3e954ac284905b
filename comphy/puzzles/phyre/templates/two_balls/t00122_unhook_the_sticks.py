"""00122: unhook the sticks.

The published sticks lean by 35 degrees; here they would come off at a touch. They lean less, and stand in more places,
since long ones do not fit into a short stand.
"""

from typing import Final

import numpy as np

from comphy.puzzles.phyre.templates.parts import direction, mirrored
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS, Floats
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import STICKS_ANGLE, PuzzleShape, bar, standing_sticks

LEAN: Final = 30.0  # degrees


@template(
    "00122",
    TWO_BALLS,
    {
        "ground": (0.0, 0.075),
        "fixed_size": spaced(4, 0.5, 0.7),
        "x": spaced(12, 0.4, 0.7),
        "moving_size": spaced(4, 0.4, 0.6),
        "hangs_left": (True, False),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.NEEDS_TWO_BALLS | Rule.DIVERSE,
)
def unhook_the_sticks(ground: float, fixed_size: float, x: float, moving_size: float, hangs_left: bool) -> Scene:
    """Crossed sticks hang on others that stand fast, and have to come down to the ground."""
    scene = SceneBuilder()
    base = scene.fixed(bar(1.0), left=0.0, bottom=ground)
    stand = scene.fixed(standing_sticks(fixed_size), centre_x=x if hangs_left else 1.0 - x, bottom=base.top)
    shape = standing_sticks(moving_size)
    hung_x, hung_y = _hung_on(stand, shape)
    target = scene.moving(shape, LEAN, centre_x=hung_x, centre_y=hung_y)
    scene.goal(target, base)
    return scene.build() if hangs_left else mirrored(scene.build())


def _hung_on(stand: Placed, shape: PuzzleShape) -> Floats:
    """Where the sticks hang: one leg lies over the stand's left tip, the end of the other holds from outside."""
    arm, leg = stand.shape.slabs[1], shape.slabs[0]
    half = arm.half_thickness * PX
    across_arm = direction(90 - STICKS_ANGLE)
    tip = np.array((stand.centre_x, stand.centre_y)) + arm.half_length * PX * direction(180 - STICKS_ANGLE)
    over, outer = direction(LEAN + 90 - STICKS_ANGLE), direction(LEAN + STICKS_ANGLE - 180)
    across_outer = direction(LEAN + STICKS_ANGLE - 90)
    outer_end = leg.half_length * PX * outer + half * across_outer
    return _crossing(
        over,
        _dot(tip + half * across_arm, over) + half,
        across_arm,
        _dot(tip - half * across_arm - outer_end, across_arm),
    )


def _crossing(one: Floats, its_distance: float, other: Floats, others_distance: float) -> Floats:
    """Where two lines cross, each given by its normal and its distance from the origin. Solvers of numpy round it
    otherwise on every kind of machine."""
    area = one[0] * other[1] - one[1] * other[0]
    return np.array(
        (
            (its_distance * other[1] - others_distance * one[1]) / area,
            (others_distance * one[0] - its_distance * other[0]) / area,
        )
    )


def _dot(one: Floats, other: Floats) -> float:
    return float(one[0] * other[0] + one[1] * other[1])
