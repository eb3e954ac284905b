"""00018: from the cover into the jar."""

from comphy.puzzles.phyre.templates.parts import ball_in
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, jar


@template(
    "00018",
    BALL,
    {
        "height": (0.15, 0.175, 0.2),
        "x": spaced(5, 0.25, 0.5),
        "shift": (0.1, 0.15, 0.2),
        "shelf": spaced(10, 0.4, 0.65),
        "angle": (30, 50, 70),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def from_the_cover_into_the_jar(height: float, x: float, shift: float, shelf: float, angle: float) -> Scene | None:
    """A ball lies under a cover at the edge of a shelf and has to get to the ball in the jar below."""
    if shelf >= 0.6 and x > 0.4:
        return None
    scene = SceneBuilder()
    bucket = scene.moving(jar(height), centre_x=x, bottom=0.0)
    goal = ball_in(scene, bucket, 0.05 + height / 8)
    ledge = scene.fixed(bar(1.0), left=bucket.left + shift, bottom=shelf)
    cover = scene.moving(jar(0.12), 180, left=ledge.left, bottom=ledge.top)
    target = scene.moving(ball(0.05), centre_x=cover.centre_x, bottom=ledge.top)
    scene.fixed(bar(1.0), angle, left=max(0.7, cover.right), bottom=ledge.top)
    scene.goal(target, goal)
    return scene.build()
