"""00107: past the ledge and back.

Ledges are placed at more heights than published, for a choice of candidates.
"""

from comphy.puzzles.phyre.templates.parts import THICKNESS, floor, lips_of_hole, shelf_with_hole
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00107",
    TWO_BALLS,
    {"length": spaced(7, 0.1, 0.7), "left": spaced(11, 0.0, 1.0), "bottom": spaced(7, 0.4, 0.7)},
)
def past_the_ledge_and_back(length: float, left: float, bottom: float) -> Scene | None:
    """A ball falls onto a ledge and has to get past it and through the hole that lies right under it."""
    scene = SceneBuilder()
    ledge = scene.fixed(bar(length), left=left, bottom=bottom)
    if not ledge.inside():
        return None
    target = scene.moving(ball(0.1), centre_x=ledge.centre_x, bottom=0.9)
    right = min(left + length, 1.0)
    shelf_with_hole(scene, bottom - 0.2, left, right)
    lips_of_hole(scene, bottom - 0.2 + THICKNESS, left, right)
    scene.goal(target, floor(scene))
    return scene.build()
