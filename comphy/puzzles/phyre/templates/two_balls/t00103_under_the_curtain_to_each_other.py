"""00103: under the curtain to each other.

The lowest plateau lies on the floor, so that all of it can be seen.
"""

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00103",
    TWO_BALLS,
    {"first_x": spaced(7, 0.1, 0.4), "second_x": spaced(7, 0.6, 0.9), "plateau": spaced(7, 0.02, 0.5)},
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.NEEDS_TWO_BALLS | Rule.DIVERSE,
)
def under_the_curtain_to_each_other(first_x: float, second_x: float, plateau: float) -> Scene:
    """Two balls fall outside two posts and have to meet under the curtain that hangs between these."""
    scene = SceneBuilder()
    first = scene.moving(ball(0.1), centre_x=first_x, bottom=0.9)
    second = scene.moving(ball(0.1), centre_x=second_x, bottom=0.9)
    scene.fixed(bar(1.0), left=0.0, top=plateau)
    for x in (first.right, second.left):
        scene.fixed(bar(0.1), 90, centre_x=x, bottom=plateau)
    scene.fixed(bar(1.0 - plateau - 0.1), 90, centre_x=(first.right + second.left) / 2, top=1.0)
    scene.goal(first, second)
    return scene.build()
