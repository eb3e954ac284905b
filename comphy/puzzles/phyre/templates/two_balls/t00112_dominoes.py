"""00112: dominoes.

More places of the ball than published, since ledges too low for the tallest domino are skipped.
"""

from comphy.puzzles.phyre.templates.parts import floor, mirrored
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00112",
    TWO_BALLS,
    {
        "count": (5, 6, 7, 8),
        "ledge": spaced(10, 0.4, 0.8),
        "ball_x": spaced(7, 0.1, 0.4),
        "tall_on_the_left": (True, False),
    },
    Rule.SOLVABLE,
)
def dominoes(count: int, ledge: float, ball_x: float, tall_on_the_left: bool) -> Scene | None:
    """A ball on a ledge has to reach the floor where dominoes stand, and another ball is about to topple them."""
    scene = SceneBuilder()
    ground = floor(scene)
    stones = [scene.moving(bar(0.15 + 0.05 * i), 90, centre_x=0.8 - 0.1 * i, bottom=ground.top) for i in range(count)]
    shelf = scene.fixed(bar(0.7), left=0.0, bottom=ledge)
    target = scene.moving(ball(0.1), centre_x=ball_x, bottom=0.9)
    tallest = stones[-1]
    if shelf.bottom - tallest.top < 0.12:
        return None
    scene.moving(ball(0.1), centre_x=tallest.centre_x - 0.04, centre_y=(tallest.top + shelf.bottom) / 2)
    scene.goal(target, ground)
    return scene.build() if tall_on_the_left else mirrored(scene.build())
