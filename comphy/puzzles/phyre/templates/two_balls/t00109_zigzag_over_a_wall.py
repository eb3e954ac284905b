"""00109: zigzag over a wall.

More places and lower walls than published: before a high wall, one ball of the player is often enough.
"""

from comphy.puzzles.phyre.templates.parts import resting_ball
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00109",
    TWO_BALLS,
    {
        "x": spaced(9, 0.2, 0.6),
        "y": (0.6, 0.7, 0.8),
        "angle": (15.0, 22.5, 30.0),
        "size": (0.05, 0.1),
        "wall": (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.NEEDS_TWO_BALLS | Rule.DIVERSE,
)
def zigzag_over_a_wall(x: float, y: float, angle: float, size: float, wall: float) -> Scene | None:
    """A ball runs down two ramps, to and fro, and over a wall; it has to stay on this side of it."""
    scene = SceneBuilder()
    first = scene.fixed(bar(0.3), -20, centre_x=x, centre_y=y)
    second = scene.fixed(bar(0.3), angle, right=first.right + 0.15, top=first.bottom - 0.1)
    faller = ball(size)
    target = resting_ball(scene, faller, first.left + faller.width / 2, first)
    fence = scene.fixed(bar(wall), 90, right=second.left - 0.15, bottom=0.0)
    scene.fixed(bar(1.0), -20, left=second.right + 0.05, top=second.top)
    scene.goal(target, scene.fixed(bar(1.0), left=fence.right, bottom=0.0))
    return scene.build()
