"""00104: two balls above two jars."""

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, jar


@template(
    "00104",
    TWO_BALLS,
    {
        "first_x": spaced(8, 0.1, 0.9),
        "second_x": spaced(8, 0.1, 0.9),
        "first_bottom": spaced(8, 0.5, 0.8),
        "second_bottom": spaced(8, 0.5, 0.8),
    },
)
def two_balls_above_two_jars(
    first_x: float, second_x: float, first_bottom: float, second_bottom: float
) -> Scene | None:
    """Two balls fall towards a jar each and have to come together instead."""
    if second_x - first_x <= 0.2:
        return None
    scene = SceneBuilder()
    first = scene.moving(ball(0.1), centre_x=first_x, bottom=first_bottom)
    second = scene.moving(ball(0.1), centre_x=second_x, bottom=second_bottom)
    for x in (first_x, second_x):
        scene.moving(jar(0.15), centre_x=x, bottom=0.0)
    scene.goal(first, second)
    return scene.build()
