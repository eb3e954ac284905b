"""00001: reach the side wall."""

from comphy.puzzles.phyre.templates.parts import THICKNESS
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00001",
    BALL,
    {
        "size": spaced(5, 0.05, 0.12),
        "left": spaced(32, 0.1, 0.9),
        "above": spaced(8, 0.0, 40.0),
        "wall_on_the_left": (True, False),
    },
)
def reach_the_side_wall(size: float, left: float, above: float, wall_on_the_left: bool) -> Scene | None:
    """A ball over a table has to leave it at the side where the wall is the target."""
    scene = SceneBuilder()
    wall = scene.fixed(bar(1.0), 90, centre_x=THICKNESS / 2 if wall_on_the_left else 1.0 - THICKNESS / 2, bottom=0.0)
    table = scene.fixed(bar(0.99 - 2 * size), centre_x=0.5, top=20 * PX)
    scene.fixed(bar(0.2), 65, right=table.left, top=table.top)
    scene.fixed(bar(0.2), -65, left=table.right, top=table.top)
    target = scene.moving(ball(size), left=left, bottom=table.top + above * PX)
    if not table.left < target.centre_x < table.right or abs(target.centre_x - wall.centre_x) > 0.7:
        return None
    scene.goal(target, wall)
    return scene.build()
