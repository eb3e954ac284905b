"""00005: miss the jar."""

from comphy.puzzles.phyre.templates.parts import floor
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, jar


@template(
    "00005",
    BALL,
    {
        "height": spaced(6, 0.15, 0.4),
        "left": spaced(6, 0.2, 0.7),
        "above": (0.0, 0.1, 0.2),
        "ball_bottom": (0.7, 0.8, 0.9),
    },
    Rule.SOLVABLE | Rule.DIVERSE,
)
def miss_the_jar(height: float, left: float, above: float, ball_bottom: float) -> Scene | None:
    """A ball falls towards a jar and has to reach the floor beside it."""
    scene = SceneBuilder()
    ground = floor(scene)
    bucket = scene.moving(jar(height), left=left, bottom=ground.top + above)
    target = scene.moving(ball(0.1), centre_x=bucket.centre_x, bottom=ball_bottom)
    scene.goal(target, ground)
    return scene.build()
