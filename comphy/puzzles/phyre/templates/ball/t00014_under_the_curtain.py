"""00014: under the curtain."""

from comphy.puzzles.phyre.templates.parts import mirrored
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00014",
    BALL,
    {
        "size": spaced(5, 0.05, 0.15),
        "x": spaced(8, 0.1, 0.3),
        "bottom": spaced(8, 0.3, 0.7),
        "ball_on_the_left": (True, False),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def under_the_curtain(size: float, x: float, bottom: float, ball_on_the_left: bool) -> Scene:
    """A ball falls outside a post and has to get to the half of the floor behind the curtain."""
    scene = SceneBuilder()
    near = scene.fixed(bar(0.5), left=0.0, bottom=0.0)
    far = scene.fixed(bar(0.5), right=1.0, bottom=0.0)
    target = scene.moving(ball(size), centre_x=x, bottom=bottom)
    scene.fixed(bar(0.75 * x), 90, centre_x=target.right, bottom=near.top)
    scene.fixed(bar(0.7), 90, centre_x=0.5, top=1.0)
    scene.goal(target, far)
    return scene.build() if ball_on_the_left else mirrored(scene.build())
