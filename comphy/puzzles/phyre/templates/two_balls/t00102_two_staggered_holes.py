"""00102: two staggered holes.

Shelves are placed at twice as many heights as published, since a lower shelf has to lie above the floor.
"""

import math

from comphy.puzzles.phyre.templates.parts import THICKNESS, floor, lips_of_hole, shelf_with_hole
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball


@template(
    "00102",
    TWO_BALLS,
    {
        "size": (0.1, 0.15, 0.2),
        "shelf": spaced(13, 0.1, 0.7),
        "hole": (0.11, 0.16, 0.21),
        "hole_left": spaced(7, 0.2, 0.8),
    },
)
def two_staggered_holes(size: float, shelf: float, hole: float, hole_left: float) -> Scene | None:
    """A ball has to find its way through two holes, one nearer to the middle than the other."""
    lower = shelf - 2 * size
    if hole < size or hole_left + hole > 1.0 or lower <= THICKNESS:
        return None
    scene = SceneBuilder()
    target = scene.moving(ball(size), centre_x=0.5, top=0.95)
    shelf_with_hole(scene, shelf, hole_left, hole_left + hole)
    lower_left = hole_left + math.copysign(0.15, 0.5 - hole_left)
    shelf_with_hole(scene, lower, lower_left, lower_left + hole)
    lips_of_hole(scene, lower + THICKNESS, lower_left, lower_left + hole)
    scene.goal(target, floor(scene))
    return scene.build()
