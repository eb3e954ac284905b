"""00121: two balls in alleys."""

from comphy.puzzles.phyre.templates.parts import THICKNESS, valley
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00121",
    TWO_BALLS,
    {
        "first_x": spaced(6, 0.2, 0.7),
        "second_x": spaced(6, 0.2, 0.7),
        "first_y": spaced(6, 0.2, 0.7),
        "second_y": spaced(6, 0.2, 0.7),
    },
    Rule.SOLVABLE | Rule.DIVERSE,
)
def two_balls_in_alleys(first_x: float, second_x: float, first_y: float, second_y: float) -> Scene | None:
    """Two balls lie in alleys, each behind a standing stick, and have to meet in the basket between."""
    if second_x - first_x < 0.29:
        return None
    scene = SceneBuilder()
    first, left_post = _alley(scene, first_x, first_y, outwards=-1)
    second, right_post = _alley(scene, second_x, second_y, outwards=1)
    valley(scene, left_post.right, right_post.left, 10)
    scene.goal(first, second)
    return scene.build()


def _alley(scene: SceneBuilder, x: float, y: float, outwards: int) -> tuple[Placed, Placed]:
    """The ball in the alley and the post under the alley's inner end."""
    target = scene.moving(ball(0.1), centre_x=x, centre_y=y)
    ground = scene.fixed(bar(0.2), centre_x=x + outwards * 0.05, top=target.bottom)
    scene.fixed(bar(0.1), centre_x=x, bottom=target.top + 0.01)
    stick = scene.moving(bar(0.12), 90, centre_x=x + outwards * (0.15 - THICKNESS / 2), bottom=ground.top)
    post = scene.fixed(bar(1.0), 90, centre_x=x - outwards * (0.05 - THICKNESS / 2), top=ground.bottom)
    scene.fixed(bar(0.1), centre_x=x + outwards * 0.1, bottom=stick.top + 0.2)
    return target, post
