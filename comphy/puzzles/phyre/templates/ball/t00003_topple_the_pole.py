"""00003: topple the pole."""

from comphy.puzzles.phyre.templates.parts import jar_floor
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import bar, jar


@template(
    "00003",
    BALL,
    {
        "x": spaced(20, 0.05, 0.95),
        "length": spaced(4, 0.2, 0.5),
        "off_centre": (-2, -1, 0, 1, 2),
    },
    Rule.SOLVABLE,
)
def topple_the_pole(x: float, length: float, off_centre: int) -> Scene | None:
    """A pole stands in a small jar and has to fall against the wall that it can reach."""
    scene = SceneBuilder()
    pot = scene.moving(jar(0.1), centre_x=x, bottom=0.0)
    pole = scene.moving(bar(length), 90, centre_x=x + off_centre * PX, bottom=pot.bottom + jar_floor(0.1))
    reach = length + 40 * PX
    if reach > pole.left:
        wall = scene.fixed(bar(1.0), 90, left=0.0, bottom=0.0)
    elif reach > 1.0 - pole.right:
        wall = scene.fixed(bar(1.0), 90, right=1.0, bottom=0.0)
    else:
        return None
    scene.goal(pole, wall)
    return scene.build()
