"""00100: through the hole into the jar.

The published ball is balanced exactly over the edge, where it may fall on either side; here it lands just beside it.
"""

from typing import Final

from comphy.puzzles.phyre.templates.parts import shelf_with_hole
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, jar

ASIDE: Final = 0.01


@template(
    "00100",
    TWO_BALLS,
    {
        "shelf": (0.4, 0.5),
        "hole": (0.15, 0.2, 0.25),
        "hole_left": spaced(4, 0.3, 0.6),
        "size": (0.075, 0.1, 0.125),
        "over_the_left_edge": (True, False),
        "height": (0.2, 0.25),
    },
    Rule.NEEDS_TWO_BALLS,
)
def through_the_hole_into_the_jar(
    shelf: float, hole: float, hole_left: float, size: float, over_the_left_edge: bool, height: float
) -> Scene:
    """A ball falls close to the edge of a hole and has to get through it to the jar below."""
    scene = SceneBuilder()
    shelf_with_hole(scene, shelf, hole_left, hole_left + hole)
    x = hole_left - ASIDE if over_the_left_edge else hole_left + hole + ASIDE
    target = scene.moving(ball(size), centre_x=x, bottom=0.6)
    bucket = scene.moving(jar(height), centre_x=x, bottom=0.0)
    scene.goal(target, bucket)
    return scene.build()
