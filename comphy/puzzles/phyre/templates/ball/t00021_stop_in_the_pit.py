"""00021: stop in the pit.

More heights than published, since pits that reach below the floor are skipped.
"""

import math
from typing import Final

from comphy.puzzles.phyre.templates.parts import THICKNESS, resting_ball
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar, jar

GAP: Final = 0.005


@template(
    "00021",
    BALL,
    {
        "angle": spaced(3, 10.0, 20.0),
        "ramp": (0.1, 0.15, 0.2),
        "plank": (0.15, 0.225, 0.3),
        "height": spaced(40, 0.2, 0.5),
    },
    Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE,
)
def stop_in_the_pit(angle: float, ramp: float, plank: float, height: float) -> Scene | None:
    """A ball rolls down a path of ramps with a loose plank in it, and has to stop in the pit on the way."""
    scene = SceneBuilder()
    drop = THICKNESS * math.cos(math.radians(angle))  # from the surface at the low end of a ramp to its bottom
    first = scene.fixed(bar(ramp), -angle, left=0.0, bottom=height)
    loose = scene.moving(bar(plank), left=first.right + GAP, top=first.bottom + drop)
    for x in (loose.centre_x, loose.right - ball(0.05).width / 2):
        stone = scene.fixed(ball(0.05), centre_x=x, top=loose.bottom)
    scene.fixed(bar(plank), left=loose.left, top=stone.bottom)
    second = scene.fixed(bar(ramp), -angle, left=loose.right + GAP, top=loose.top)
    pit = scene.fixed(jar(plank), left=second.right + GAP, top=second.bottom)
    third = scene.fixed(bar(ramp), -angle, left=pit.right + GAP, top=pit.top)
    if pit.bottom < 0.0 or third.right > 0.8:
        return None
    scene.fixed(bar(1.0 - third.right), left=third.right, top=third.bottom + drop)
    target = resting_ball(scene, ball(0.05), ball(0.05).width / 2, first)
    scene.fixed(bar(1.0), left=0.0, bottom=target.top + 0.1)
    scene.goal(target, pit)
    return scene.build()
