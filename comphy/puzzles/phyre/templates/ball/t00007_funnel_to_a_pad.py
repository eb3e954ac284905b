"""00007: funnel to a pad."""

from comphy.puzzles.phyre.templates.parts import mirrored
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00007",
    BALL,
    {"ball_x": spaced(20, 0.4, 0.6), "angle": spaced(10, 20.0, 30.0), "pad_on_the_right": (True, False)},
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def funnel_to_a_pad(ball_x: float, angle: float, pad_on_the_right: bool) -> Scene | None:
    """A small ball falls through a funnel and has to get over a kerb onto the pad in a corner."""
    scene = SceneBuilder()
    target = scene.moving(ball(0.05), centre_x=ball_x, top=1.0)
    left = scene.fixed(bar(0.5), -angle, left=0.0, top=0.9)
    right = scene.fixed(bar(0.5), angle, right=1.0, top=0.9)
    if right.left - left.right <= target.width:
        return None
    ground = scene.fixed(bar(0.8), left=0.0, bottom=0.0)
    pad = scene.fixed(bar(0.2), right=1.0, bottom=0.0)
    scene.fixed(bar(0.2), right=pad.left, bottom=ground.top)
    scene.goal(target, pad)
    return scene.build() if pad_on_the_right else mirrored(scene.build())
