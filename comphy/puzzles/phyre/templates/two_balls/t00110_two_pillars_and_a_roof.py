"""00110: two pillars and a roof."""

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00110",
    TWO_BALLS,
    {
        "first_left": spaced(8, 0.1, 0.8),
        "second_left": spaced(8, 0.1, 0.8),
        "first_bottom": spaced(4, 0.4, 0.7),
        "second_bottom": spaced(4, 0.4, 0.7),
        "ridge_on_the_left": (True, False),
    },
)
def two_pillars_and_a_roof(
    first_left: float, second_left: float, first_bottom: float, second_bottom: float, ridge_on_the_left: bool
) -> Scene | None:
    """Two balls lie on platforms, with a curtain between them, over a floor that slopes from under one of them."""
    if second_left - first_left <= 0.25:
        return None
    scene = SceneBuilder()
    stands = [
        scene.fixed(bar(0.1), left=left, bottom=bottom)
        for left, bottom in ((first_left, first_bottom), (second_left, second_bottom))
    ]
    first, second = [scene.moving(ball(0.1), centre_x=stand.centre_x, bottom=stand.top) for stand in stands]
    curtain = 1.0 - min(first_bottom, second_bottom)
    scene.fixed(bar(curtain), 90, centre_x=(stands[0].centre_x + stands[1].centre_x) / 2, top=1.0)
    ridge = stands[0 if ridge_on_the_left else 1].centre_x
    scene.fixed(bar(1.0), 5, right=ridge, top=20 * PX)
    scene.fixed(bar(1.0), -5, left=ridge, top=20 * PX)
    scene.goal(first, second)
    return scene.build()
