"""00017: ball on a stick.

The published balls are up to twice as wide; here such a ball, heavier than its stick, rocks it until it falls.
"""

from comphy.puzzles.phyre.templates.parts import floor
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00017",
    BALL,
    {
        "length": spaced(5, 0.2, 0.5),
        "x": spaced(5, 0.2, 0.8),
        "size": spaced(5, 0.05, 0.13),
        "ramp": spaced(5, 0.05, 0.2),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def ball_on_a_stick(length: float, x: float, size: float, ramp: float) -> Scene:
    """A ball is balanced on a stick, close under a ceiling, and has to come down to the floor."""
    scene = SceneBuilder()
    ground = floor(scene)
    stick = scene.moving(bar(length), 90, centre_x=x, bottom=ground.top)
    target = scene.moving(ball(size), centre_x=x, bottom=stick.top)
    scene.fixed(bar(1.0), left=0.0, bottom=target.top + 0.01)
    scene.fixed(bar(ramp), -45, left=0.0, bottom=0.0)
    scene.fixed(bar(ramp), 45, right=1.0, bottom=0.0)
    scene.goal(target, ground)
    return scene.build()
