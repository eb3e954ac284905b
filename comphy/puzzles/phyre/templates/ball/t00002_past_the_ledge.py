"""00002: past the ledge."""

from comphy.puzzles.phyre.templates.parts import floor
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00002",
    BALL,
    {"length": spaced(7, 0.1, 0.7), "left": spaced(11, 0.0, 1.0), "bottom": spaced(5, 0.3, 0.7)},
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def past_the_ledge(length: float, left: float, bottom: float) -> Scene | None:
    """A ball falls onto the middle of a ledge and has to get past it to the floor."""
    scene = SceneBuilder()
    ledge = scene.fixed(bar(length), left=left, bottom=bottom)
    if not ledge.inside():
        return None
    target = scene.moving(ball(0.1), centre_x=ledge.centre_x, bottom=0.9)
    scene.goal(target, floor(scene))
    return scene.build()
