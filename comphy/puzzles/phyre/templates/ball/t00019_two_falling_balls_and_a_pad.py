"""00019: two falling balls and a pad.

Each lip is one bar that stands on the floor beside the pad. Columns over the pad are skipped.
"""

from comphy.puzzles.phyre.templates.parts import THICKNESS, floor
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00019",
    BALL,
    {
        "x": spaced(128, 0.0, 1.0),
        "lower_bottom": (0.5, 0.7),
        "pad": (0.1, 0.2),
        "pad_x": spaced(128, 0.0, 1.0),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def two_falling_balls_and_a_pad(x: float, lower_bottom: float, pad: float, pad_x: float) -> Scene | None:
    """The upper one of two falling balls has to end up on a small pad between lips."""
    scene = SceneBuilder()
    target = scene.moving(ball(0.1), centre_x=x, bottom=0.9)
    scene.moving(ball(0.1), centre_x=x, bottom=lower_bottom)
    ground = floor(scene)
    tray = scene.fixed(bar(pad), centre_x=pad_x, bottom=ground.top)
    left = scene.fixed(bar(2 * THICKNESS), 90, right=tray.left, bottom=ground.top)
    right = scene.fixed(bar(2 * THICKNESS), 90, left=tray.right, bottom=ground.top)
    if not (left.inside() and right.inside()) or (target.left < right.right and target.right > left.left):
        return None
    scene.goal(target, tray)
    return scene.build()
