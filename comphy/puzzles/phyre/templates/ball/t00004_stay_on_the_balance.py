"""00004: stay on the balance.

Balls pass below the guards: one that leans on a guard would press the other against the fallen beam.
"""

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00004",
    BALL,
    {
        "shelf": spaced(12, 0.1, 0.6),
        "pivot_x": spaced(5, 0.25, 0.65),
        "length": spaced(8, 0.3, 0.45),
        "ball_x": spaced(14, 0.2, 0.8),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def stay_on_the_balance(shelf: float, pivot_x: float, length: float, ball_x: float) -> Scene | None:
    """A ball falls onto a beam that balances on a stone, and has to stay on it."""
    scene = SceneBuilder()
    ground = scene.fixed(bar(1.0), left=0.0, bottom=shelf)
    pivot = scene.fixed(ball(0.1), centre_x=pivot_x, bottom=ground.top)
    beam = scene.moving(bar(length), centre_x=pivot_x, bottom=pivot.top)
    if not beam.left < ball_x < beam.right:
        return None
    target = scene.moving(ball(0.1), centre_x=ball_x, bottom=0.9)
    guard_bottom = max(ground.top + 0.15, target.bottom - 0.15 - 0.2)
    scene.fixed(bar(0.2), 90, right=beam.left - 0.15, bottom=guard_bottom)
    scene.fixed(bar(0.2), 90, left=beam.right + 0.15, bottom=guard_bottom)
    scene.goal(target, beam)
    return scene.build()
