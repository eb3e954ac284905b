"""00016: ski jump.

The jump ends nearer to the pad than in the published scenes: from there one random action in fifty found it.
"""

from comphy.puzzles.phyre.templates.parts import THICKNESS, resting_ball
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00016",
    BALL,
    {
        "pad_left": spaced(10, 0.35, 0.65),
        "angle": spaced(6, 30.0, 50.0),
        "radius": spaced(5, 5.0, 12.0),
        "shift": (0.0, 0.05, 0.1),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def ski_jump(pad_left: float, angle: float, radius: float, shift: float) -> Scene:
    """A ball goes down a ski jump behind a smaller one and has to land on the pad between two walls."""
    scene = SceneBuilder()
    pad = _floor_with_pad(scene, pad_left)
    near_wall = scene.fixed(bar(0.1), 90, right=pad.left, bottom=pad.top)
    ramp = scene.fixed(bar(0.5), -angle, right=near_wall.left - 0.06, bottom=0.3)
    lip = scene.fixed(bar(0.1), 10, left=ramp.right, bottom=ramp.bottom)
    for rise in (6, 10):
        scene.fixed(bar(0.5), -angle, right=ramp.right, bottom=ramp.bottom + rise * radius * PX)
    scene.fixed(bar(0.5), -30, left=lip.right, top=ramp.bottom + 8 * radius * PX)
    skier = ball(2 * radius * PX)
    target = resting_ball(scene, skier, ramp.left + shift + skier.radius * PX, ramp)
    resting_ball(scene, ball(radius * PX), target.centre_x + 4 * radius * PX, ramp)
    scene.goal(target, pad)
    return scene.build()


def _floor_with_pad(scene: SceneBuilder, pad_left: float) -> Placed:
    """The floor in three parts, and a block with a fence beyond the pad."""
    scene.fixed(bar(pad_left), left=0.0, bottom=0.0)
    pad = scene.fixed(bar(0.1), left=pad_left, bottom=0.0)
    scene.fixed(bar(1.0 - pad.right), right=1.0, bottom=0.0)
    block = [scene.fixed(bar(0.1), left=pad.right, bottom=pad.top + i * THICKNESS) for i in range(5)]
    scene.fixed(bar(0.1), 90, left=pad.right, bottom=block[-1].top)
    return pad
