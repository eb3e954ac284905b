"""00115: two sticks against each other.

More lengths than published, for a choice of candidates.
"""

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import bar


@template(
    "00115",
    TWO_BALLS,
    {"length": spaced(13, 0.2, 0.5), "first_left": spaced(19, 0.05, 0.95), "second_left": spaced(19, 0.05, 0.95)},
    Rule.SOLVABLE,
)
def two_sticks_against_each_other(length: float, first_left: float, second_left: float) -> Scene | None:
    """Two sticks stand under a low ceiling, further apart than they are long, and have to touch."""
    apart = round(second_left - first_left, 6)
    if not 1.75 * length <= apart <= 2.5 * length:
        return None
    scene = SceneBuilder()
    first = scene.moving(bar(length), 90, left=first_left, bottom=0.0)
    second = scene.moving(bar(length), 90, left=second_left, bottom=0.0)
    scene.fixed(bar(1.0), left=0.0, bottom=length + 0.25)
    scene.goal(first, second)
    return scene.build()
