"""00011: not off the cliff.

Slopes near the floor are left out: random actions solved three times as many of them.
"""

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00011",
    BALL,
    {
        "length": (0.2, 0.4, 0.6, 0.8),
        "left_angle": spaced(5, 15.0, 30.0),
        "right_angle": spaced(5, 15.0, 30.0),
        "bottom": spaced(10, 0.3, 0.5),
        "ball_x": spaced(10, 0.2, 0.8),
    },
    Rule.SOLVABLE | Rule.DIVERSE,
)
def not_off_the_cliff(
    length: float, left_angle: float, right_angle: float, bottom: float, ball_x: float
) -> Scene | None:
    """A ball rolls down a slope and over the gap at its end; it has to stay on the slope beyond."""
    scene = SceneBuilder()
    slope = scene.fixed(bar(length), -left_angle, left=-0.01, bottom=bottom + 0.2)
    beyond = scene.fixed(bar(1.0 - length), right_angle, right=1.01, bottom=bottom)
    if ball_x > slope.right:
        return None
    target = scene.moving(ball(0.1), centre_x=ball_x, bottom=0.9)
    scene.goal(target, beyond)
    return scene.build()
