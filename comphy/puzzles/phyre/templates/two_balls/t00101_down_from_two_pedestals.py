"""00101: down from two pedestals."""

from comphy.puzzles.phyre.templates.parts import valley
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00101",
    TWO_BALLS,
    {
        "x": spaced(4, 0.1, 0.4),
        "bottom": (0.3, 0.4, 0.5),
        "further": spaced(6, 0.25, 0.5),
        "higher": (0.2, 0.3, 0.4),
    },
)
def down_from_two_pedestals(x: float, bottom: float, further: float, higher: float) -> Scene:
    """Two balls fall onto pedestals and have to meet in the valley between them."""
    scene = SceneBuilder()
    first = scene.moving(ball(0.1), centre_x=x, bottom=bottom)
    second = scene.moving(ball(0.1), centre_x=x + further, bottom=bottom + higher)
    posts = [_pedestal(scene, x, bottom - 0.2), _pedestal(scene, x + further, bottom + higher - 0.2)]
    valley(scene, posts[0].right, posts[1].left, 10)
    scene.goal(first, second)
    return scene.build()


def _pedestal(scene: SceneBuilder, x: float, top: float) -> Placed:
    """A small table on one leg; the leg is returned."""
    table = scene.fixed(bar(0.1), centre_x=x, top=top)
    return scene.fixed(bar(table.bottom), 90, centre_x=x, bottom=0.0)
