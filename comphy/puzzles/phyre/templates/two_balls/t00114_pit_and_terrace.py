"""00114: pit and terrace."""

from comphy.puzzles.phyre.templates.parts import valley
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, spaced, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


@template(
    "00114",
    TWO_BALLS,
    {
        "first_x": spaced(8, 0.15, 0.9),
        "second_x": spaced(8, 0.15, 0.9),
        "terrace": spaced(4, 0.3, 0.6),
        "longer": spaced(6, 0.1, 0.4),
    },
    Rule.SOLVABLE | Rule.DIVERSE,
)
def pit_and_terrace(first_x: float, second_x: float, terrace: float, longer: float) -> Scene | None:
    """One ball falls into a pit and another onto a terrace above it; they have to come together."""
    scene = SceneBuilder()
    first = scene.moving(ball(0.1), centre_x=first_x, bottom=0.9)
    second = scene.moving(ball(0.1), centre_x=second_x, bottom=0.9)
    edge, lower_edge = second.left, second.left - longer
    if second.left - first.right < 0.1 or first.right > lower_edge:
        return None
    upper = scene.fixed(bar(1.0 - edge), right=1.0, bottom=terrace)
    lower = scene.fixed(bar(1.0 - lower_edge), right=1.0, bottom=terrace - 0.4 * longer)
    scene.fixed(bar(0.1), 90, right=upper.left, centre_y=upper.top)
    cliff = scene.fixed(bar(1.0), 90, right=lower.left, top=lower.top + 0.03)
    scene.fixed(bar(1.0 - upper.top), 90, left=second.right + 0.02, top=1.0)
    valley(scene, 0.0, cliff.left, 10)
    scene.goal(first, second)
    return scene.build()
