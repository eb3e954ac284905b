"""00024: hole with a stopper."""

from comphy.puzzles.phyre.templates.parts import THICKNESS, floor, shelf_with_hole
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball


@template(
    "00024",
    BALL,
    {
        "shelf": spaced(10, 0.15, 0.6),
        "hole": spaced(12, 0.2, 0.8),
        "shift": (-0.025, 0.025),
        "above": (0.1, 0.134, 0.167, 0.2),
    },
    Rule.SOLVABLE | Rule.DIVERSE,
)
def hole_with_a_stopper(shelf: float, hole: float, shift: float, above: float) -> Scene | None:
    """A ball has to get through a hole that another ball, too wide for it, is about to close."""
    scene = SceneBuilder()
    shelf_with_hole(scene, shelf, hole, hole + 0.1)
    target = scene.moving(ball(0.1), centre_x=0.5, bottom=0.8)
    stopper = scene.moving(ball(0.11), centre_x=hole + 0.05 + shift, bottom=shelf + THICKNESS + above)
    if stopper.top > target.bottom or hole <= target.left <= target.right <= hole + 0.1:
        return None
    scene.goal(target, floor(scene))
    return scene.build()
