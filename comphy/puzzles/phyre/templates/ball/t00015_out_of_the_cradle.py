"""00015: out of the cradle."""

from comphy.puzzles.phyre.templates.parts import floor, resting_ball
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00015",
    BALL,
    {"length": spaced(5, 0.05, 0.1), "x": spaced(10, 0.2, 0.8), "y": spaced(10, 0.2, 0.5)},
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def out_of_the_cradle(length: float, x: float, y: float) -> Scene:
    """A ball lies in a shallow cradle and has to be knocked down to the floor."""
    scene = SceneBuilder()
    left = scene.fixed(bar(length), -5, right=x, bottom=y)
    right = scene.fixed(bar(length), 5, left=x, bottom=y)
    target = resting_ball(scene, ball(0.1), x, left, right)
    scene.goal(target, floor(scene))
    return scene.build()
