"""00022: roll off into the jar."""

from comphy.puzzles.phyre.templates.parts import ball_in
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, jar


@template(
    "00022",
    BALL,
    {
        "corner_angle": spaced(5, 45.0, 60.0),
        "height": spaced(4, 0.2, 0.3),
        "jar_x": spaced(10, 0.4, 0.6),
        "shift": (0.0, 0.1),
        "angle": (-10, 0, 10),
        "bar_x": (0.4, 0.5, 0.6),
        "radius": spaced(5, 5.0, 12.0),
        "from_the_end": (5, 15),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def roll_off_into_the_jar(
    corner_angle: float,
    height: float,
    jar_x: float,
    shift: float,
    angle: float,
    bar_x: float,
    radius: float,
    from_the_end: int,
) -> Scene:
    """A ball on a bar above a jar has to get to the ball in the jar."""
    scene = SceneBuilder()
    scene.fixed(bar(0.5), -corner_angle, right=0.2, bottom=0.0)
    scene.fixed(bar(0.5), corner_angle, left=0.8, bottom=0.0)
    bucket = scene.moving(jar(height), centre_x=jar_x + shift, bottom=0.0)
    goal = ball_in(scene, bucket, 0.05 + height / 5)
    perch = scene.fixed(bar(90 * PX), angle, centre_x=bar_x + shift, bottom=max(0.3, bucket.top + 4 * radius * PX))
    target = scene.moving(ball(2 * radius * PX), left=perch.left + from_the_end * PX, bottom=perch.top + radius * PX)
    scene.goal(target, goal)
    return scene.build()
