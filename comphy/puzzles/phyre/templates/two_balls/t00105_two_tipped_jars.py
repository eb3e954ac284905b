"""00105: two tipped jars."""

from comphy.puzzles.phyre.templates.parts import THICKNESS
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, jar


@template(
    "00105",
    TWO_BALLS,
    {
        "first_x": spaced(10, 0.3, 0.75),
        "second_x": spaced(10, 0.3, 0.75),
        "first_y": spaced(8, 0.0, 0.7),
        "second_y": spaced(8, 0.0, 0.7),
    },
    Rule.SOLVABLE,
)
def two_tipped_jars(first_x: float, second_x: float, first_y: float, second_y: float) -> Scene | None:
    """Two balls lie on ledges, each under a tipped jar, and have to come together."""
    if second_x - first_x < 0.31 or abs(second_y - first_y) > 0.31:
        return None
    scene = SceneBuilder()
    first = _ball_under_a_jar(scene, first_x, first_y, outwards=-1)
    second = _ball_under_a_jar(scene, second_x, second_y, outwards=1)
    scene.goal(first, second)
    return scene.build()


def _ball_under_a_jar(scene: SceneBuilder, x: float, y: float, outwards: int) -> Placed:
    ledge = scene.fixed(bar(0.2), centre_x=x, bottom=y)
    scene.fixed(bar(THICKNESS), centre_x=x + outwards * (0.1 - THICKNESS / 2), bottom=ledge.top)
    scene.moving(jar(0.2), outwards * 146, centre_x=x + outwards * 0.04, bottom=ledge.top)
    return scene.moving(ball(0.1), centre_x=x, bottom=ledge.top)
