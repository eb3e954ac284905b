"""00023: catapult into a jar.

The jar is tilted like its step, so that it rests from the start.
"""

from comphy.puzzles.phyre.templates.parts import jar_on_a_step
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00023",
    BALL,
    {
        "left": spaced(5, 0.05, 0.2),
        "tilt": spaced(13, -10.0, 10.0),
        "base": (0.01, 0.1),
        "higher_left": spaced(10, -0.3, 0.3),
        "height": (0.15, 0.225, 0.3),
        "jar_right": (0.9, 0.94, 0.98),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def catapult_into_a_jar(
    left: float, tilt: float, base: float, higher_left: float, height: float, jar_right: float
) -> Scene | None:
    """A ball on a plank that lies on a round stone has to be thrown to the ball in the jar."""
    scene = SceneBuilder()
    step = scene.fixed(bar(0.3), left=left, bottom=base + max(higher_left, 0.0))
    goal = jar_on_a_step(scene, tilt, base + max(-higher_left, 0.0), height, jar_right)
    pivot = scene.moving(ball(0.15), left=step.left, bottom=step.top)
    plank = scene.moving(bar(0.4), left=5 * PX, bottom=pivot.top)
    target = scene.moving(ball(0.05), left=plank.left, bottom=plank.top)
    scene.fixed(ball(0.1), centre_x=pivot.centre_x, top=1.0)
    scene.goal(target, goal)
    return scene.build()
