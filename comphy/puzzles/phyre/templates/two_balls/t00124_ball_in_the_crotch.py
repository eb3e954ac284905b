"""00124: ball in the crotch."""

from comphy.puzzles.phyre.templates.parts import THICKNESS, floor, resting_ball
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, standing_sticks


@template(
    "00124",
    TWO_BALLS,
    {"x": spaced(10, 0.25, 0.7), "y": spaced(10, 0.0, 0.45), "size": (0.35, 0.45, 0.55)},
    Rule.SOLVABLE | Rule.DIVERSE,
)
def ball_in_the_crotch(x: float, y: float, size: float) -> Scene:
    """A small ball lies between the upper ends of crossed sticks, under a cover, and has to reach the floor."""
    scene = SceneBuilder()
    ground = floor(scene)
    base = scene.fixed(bar(0.15), centre_x=x, bottom=ground.top + y)
    for lip_x in (base.left + THICKNESS / 2, base.right - THICKNESS / 2):
        scene.fixed(bar(THICKNESS), centre_x=lip_x, bottom=base.top)
    sticks = scene.moving(standing_sticks(size), centre_x=x, bottom=base.top)
    target = resting_ball(scene, ball(0.03), x, sticks)
    scene.fixed(bar(0.15), centre_x=x, bottom=sticks.top + 0.05)
    scene.moving(ball(0.03), right=base.left, centre_y=sticks.centre_y)
    scene.moving(ball(0.03), left=base.right, centre_y=sticks.centre_y)
    scene.goal(target, ground)
    return scene.build()
