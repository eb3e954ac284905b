"""00020: chute with a window.

Bars of the comb under the floor are left out; one more clearance than published, for a choice of candidates.
"""

from typing import Final

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import spaced, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar

COMB: Final = tuple(round(0.15 * i, 2) for i in range(6, -1, -1))  # bottoms of the bars of the comb


@template(
    "00020",
    BALL,
    {
        "wall": spaced(4, 0.5, 0.6),
        "angle": spaced(5, 10.0, 45.0),
        "clearance": (0.01, 0.03, 0.05),
        "window": (1, 2, 3, 4),
    },
)
def chute_with_a_window(wall: float, angle: float, clearance: float, window: int) -> Scene:
    """A ball falls down a chute and has to leave it through the window to the floor on the other side."""
    scene = SceneBuilder()
    faller = ball(0.08)
    window_top = COMB[window]
    window_bottom = window_top - 2 * faller.width
    upper = scene.fixed(bar(1.0 - window_top), 90, centre_x=wall, top=1.0)
    scene.fixed(bar(window_bottom), 90, centre_x=wall, bottom=0.0)
    chute = faller.width + clearance
    for bottom in COMB:
        scene.fixed(bar(0.3), -angle, right=upper.left - chute, bottom=bottom)
    target = scene.moving(faller, centre_x=upper.left - chute / 2, bottom=0.9)
    scene.moving(ball(0.1), left=upper.right + 0.01, bottom=0.3 if window == 1 else 0.9)
    scene.goal(target, scene.fixed(bar(1.0 - upper.right), right=1.0, bottom=0.0))
    return scene.build()
