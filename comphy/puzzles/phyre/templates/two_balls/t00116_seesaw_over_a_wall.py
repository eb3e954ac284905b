"""00116: seesaw over a wall.

Three weights instead of four, since two of the published ones round to the same radius. The plank starts a pixel from
the wall, so that it does not jam.
"""

from comphy.puzzles.phyre.templates.parts import THICKNESS, bottom_at_rest
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, standing_sticks


@template(
    "00116",
    TWO_BALLS,
    {
        "x": spaced(4, 0.4, 0.6),
        "y": spaced(4, 0.05, 0.15),
        "hinge_is_fixed": (True, False),
        "length": spaced(4, 0.4, 0.6),
        "weight": (0.04, 0.05, 0.06),
        "dot": spaced(4, 0.5, 0.7),
    },
    Rule.SOLVABLE,
)
def seesaw_over_a_wall(x: float, y: float, hinge_is_fixed: bool, length: float, weight: float, dot: float) -> Scene:
    """A ball lies at the end of a seesaw and has to be thrown over the wall beside it."""
    scene = SceneBuilder()
    trestle = scene.fixed(standing_sticks(0.1), centre_x=x, bottom=y)
    knob = ball(0.05)
    hinge_bottom = bottom_at_rest(knob, x, trestle)
    hinge = (scene.fixed if hinge_is_fixed else scene.moving)(knob, centre_x=x, bottom=hinge_bottom)
    plank = scene.moving(bar(length), centre_x=x, bottom=hinge.top)
    target = scene.moving(ball(0.04), left=plank.left, bottom=plank.top)
    scene.moving(ball(weight), centre_x=x + 0.2 * length, bottom=plank.top)
    wall = scene.fixed(bar(0.5), 90, right=plank.left - PX, bottom=0.0)
    blocker = scene.fixed(bar(0.2), 90, centre_x=x, bottom=plank.top + 10 * PX)
    scene.fixed(bar(0.05), 90, left=plank.right + 0.06, top=blocker.top)
    scene.fixed(bar(THICKNESS), centre_x=x + 0.07, centre_y=dot)
    scene.fixed(bar(1.4), 25, left=0.0, bottom=0.8)
    scene.fixed(bar(0.9), left=wall.right, bottom=10 * PX)
    scene.goal(target, scene.fixed(bar(wall.left), left=0.0, bottom=0.0))
    return scene.build()
