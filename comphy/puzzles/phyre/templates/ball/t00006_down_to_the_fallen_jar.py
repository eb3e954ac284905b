"""00006: down to the fallen jar."""

from comphy.puzzles.phyre.templates.parts import THICKNESS, shelf_with_hole
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, jar


@template(
    "00006",
    BALL,
    {"shelf": spaced(16, 0.3, 0.6), "hole": spaced(20, 0.2, 0.8), "ball_left": spaced(20, 0.2, 0.8)},
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def down_to_the_fallen_jar(shelf: float, hole: float, ball_left: float) -> Scene | None:
    """A jar falls upside down through a hole, and the ball beside the hole has to follow it."""
    scene = SceneBuilder()
    cap = scene.moving(jar(0.15), 180, centre_x=0.5, top=0.95)
    hole_right = hole + 0.2
    if cap.left < hole or cap.right > hole_right:
        return None
    shelf_with_hole(scene, shelf, hole, hole_right)
    target = scene.moving(ball(0.1), left=ball_left, bottom=shelf + THICKNESS)
    if hole <= target.centre_x <= hole_right:
        return None
    scene.fixed(bar(2.0), 10, left=0.0, bottom=-2 * PX)
    scene.goal(target, cap)
    return scene.build()
