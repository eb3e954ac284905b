"""00119: catapult without a stone.

The jar is tilted like its step, so that it rests from the start.
"""

from comphy.puzzles.phyre.templates.parts import jar_on_a_step
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00119",
    TWO_BALLS,
    {
        "tilt": spaced(13, -10.0, 10.0),
        "base": (0.01, 0.1),
        "higher_left": spaced(10, -0.3, 0.3),
        "height": (0.15, 0.225, 0.3),
        "jar_right": (0.9, 0.94, 0.98),
    },
    Rule.SOLVABLE | Rule.DIVERSE,
)
def catapult_without_a_stone(
    tilt: float, base: float, higher_left: float, height: float, jar_right: float
) -> Scene | None:
    """A plank with a ball on it falls onto a step; the ball has to be thrown to the ball in the jar."""
    scene = SceneBuilder()
    step = scene.fixed(bar(0.3), left=0.1, bottom=base + max(higher_left, 0.0))
    goal = jar_on_a_step(scene, tilt, base + max(-higher_left, 0.0), height, jar_right)
    plank = scene.moving(bar(0.4), left=5 * PX, bottom=step.top + 50 * PX)
    target = scene.moving(ball(0.05), left=plank.left, bottom=plank.top)
    scene.goal(target, goal)
    return scene.build()
