"""00113: from the edge into the jar."""

from comphy.puzzles.phyre.templates.parts import ball_in
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, jar


@template(
    "00113",
    TWO_BALLS,
    {
        "height": (0.15, 0.175, 0.2),
        "x": spaced(5, 0.25, 0.5),
        "shelf": spaced(10, 0.4, 0.7),
        "angle": (30, 50, 70),
    },
    Rule.SOLVABLE,
)
def from_the_edge_into_the_jar(height: float, x: float, shelf: float, angle: float) -> Scene:
    """A cover falls over the ball at the edge of a shelf, which has to get to the ball in the jar below."""
    scene = SceneBuilder()
    bucket = scene.moving(jar(height), centre_x=x, bottom=0.0)
    goal = ball_in(scene, bucket, 0.03 + height / 5)
    ledge = scene.fixed(bar(0.8 - bucket.left), left=bucket.left, bottom=shelf)
    scene.fixed(bar(0.15), 90, right=ledge.right, bottom=ledge.top)
    cover = scene.moving(jar(0.1), 180, left=ledge.left, top=min(1.0, ledge.top + 150 * PX))
    target = scene.moving(ball(0.05), centre_x=cover.centre_x, bottom=ledge.top)
    scene.fixed(bar(1.0), -angle, right=0.1, bottom=0.0)
    scene.fixed(bar(1.0), angle, left=0.9, bottom=0.0)
    scene.goal(target, goal)
    return scene.build()
