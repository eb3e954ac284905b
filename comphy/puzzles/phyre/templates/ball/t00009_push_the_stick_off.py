"""00009: push the stick off."""

from comphy.puzzles.phyre.templates.parts import THICKNESS, floor
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import bar


@template(
    "00009",
    BALL,
    {
        "platform": spaced(4, 0.4, 0.6),
        "left": spaced(64, 0.0, 1.0),
        "bottom": spaced(5, 0.2, 0.5),
        "stick": (0.2, 0.3),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def push_the_stick_off(platform: float, left: float, bottom: float, stick: float) -> Scene | None:
    """A stick stands at the edge of a platform, under a low ceiling, and has to fall to the floor."""
    scene = SceneBuilder()
    stage = scene.fixed(bar(platform), left=left, bottom=bottom)
    if not stage.inside():
        return None
    room_on_the_left = stage.left > 1.0 - stage.right
    x = stage.left + THICKNESS / 2 if room_on_the_left else stage.right - THICKNESS / 2
    target = scene.moving(bar(stick), 90, centre_x=x, bottom=stage.top)
    ceiling = scene.fixed(bar(1.0), left=0.0, bottom=target.top + 0.2)
    if not ceiling.inside():
        return None
    scene.goal(target, floor(scene))
    return scene.build()
