"""00008: stairs over a jar."""

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, jar


@template(
    "00008",
    BALL,
    {
        "span": spaced(10, 0.4, 0.6),
        "height": (0.3, 0.4),
        "step": (1, 2, 3, 4),
        "aligned_left": (True, False),
        "ball_x": spaced(10, 0.1, 0.9),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def stairs_over_a_jar(span: float, height: float, step: int, aligned_left: bool, ball_x: float) -> Scene | None:
    """A small ball comes down stairs with gaps and has to end up in, or at, the jar below them."""
    scene = SceneBuilder()
    steps = [scene.fixed(bar(0.14), -5, left=0.2 * i, top=0.8 - i / 5 * span) for i in range(5)]
    if aligned_left:
        bucket = scene.fixed(jar(height), left=steps[step].left, bottom=0.0)
    else:
        bucket = scene.fixed(jar(height), right=steps[step].right, bottom=0.0)
    under = [s for s in steps if s.left < bucket.right and s.right > bucket.left]
    if not bucket.inside() or min(s.bottom for s in under) < bucket.top or ball_x > bucket.right:
        return None
    scene.fixed(bar(height), 90, right=bucket.left, bottom=0.0)
    scene.fixed(bar(height), 90, left=bucket.right, bottom=0.0)
    target = scene.moving(ball(0.05), centre_x=ball_x, top=1.0)
    scene.goal(target, bucket)
    return scene.build()
