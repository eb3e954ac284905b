"""00118: two lying jars."""

from comphy.puzzles.phyre.templates.parts import bottom_at_rest, valley
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import ball, jar


@template(
    "00118",
    TWO_BALLS,
    {
        "first_height": (0.3, 0.35),
        "second_height": (0.3, 0.35),
        "first_opens_right": (True, False),
        "second_opens_right": (True, False),
        "first_bottom": spaced(5, 0.2, 0.7),
        "second_bottom": spaced(5, 0.2, 0.7),
    },
)
def two_lying_jars(
    first_height: float,
    second_height: float,
    first_opens_right: bool,
    second_opens_right: bool,
    first_bottom: float,
    second_bottom: float,
) -> Scene | None:
    """Two balls lie at the mouths of two lying jars and have to meet in the valley below."""
    if (first_height > 0.3 and not first_opens_right) or (second_height > 0.3 and second_opens_right):
        return None
    scene = SceneBuilder()
    valley(scene, 0.0, 1.0, 15)
    first = _ball_at_the_mouth(scene, first_height, 0.25, first_bottom, first_opens_right)
    second = _ball_at_the_mouth(scene, second_height, 0.75, second_bottom, second_opens_right)
    scene.goal(first, second)
    return scene.build()


def _ball_at_the_mouth(scene: SceneBuilder, height: float, x: float, bottom: float, opens_right: bool) -> Placed:
    """A ball whose middle is just inside the rim on which it lies."""
    lying = scene.fixed(jar(height), -85 if opens_right else 85, centre_x=x, bottom=bottom)
    shape = ball(0.07)
    inside = shape.width / 2 - 0.03
    x = lying.right - inside if opens_right else lying.left + inside
    return scene.moving(shape, centre_x=x, bottom=bottom_at_rest(shape, x, lying, start=lying.centre_y))
