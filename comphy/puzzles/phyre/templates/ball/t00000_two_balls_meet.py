"""00000: two balls meet."""

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball


@template(
    "00000",
    BALL,
    {
        "first_size": (0.06, 0.09, 0.12),
        "second_size": (0.06, 0.09, 0.12),
        "first_x": spaced(19, 0.05, 0.95),
        "second_x": spaced(19, 0.05, 0.95),
        "bottom": spaced(5, 0.2, 0.8),
    },
    Rule.SOLVABLE,
)
def two_balls_meet(
    first_size: float, second_size: float, first_x: float, second_x: float, bottom: float
) -> Scene | None:
    """Two balls fall side by side and have to come together."""
    scene = SceneBuilder()
    first = scene.moving(ball(first_size), centre_x=first_x, bottom=bottom)
    second = scene.moving(ball(second_size), centre_x=second_x, bottom=bottom)
    if second.left - first.right < max(first_size, second_size):
        return None
    scene.goal(first, second)
    return scene.build()
