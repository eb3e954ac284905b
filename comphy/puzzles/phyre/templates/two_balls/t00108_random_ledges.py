"""00108: random ledges."""

import numpy as np

from comphy.puzzles.phyre.templates.parts import floor_between_traps, tipped_ledge
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball


@template("00108", TWO_BALLS, {"seed": tuple(range(1000))}, Rule.SOLVABLE | Rule.NEEDS_TWO_BALLS)
def random_ledges(seed: int) -> Scene:
    """A ball has to find its way past scattered ledges to the floor between two traps."""
    rng = np.random.default_rng([108, seed])
    scene = SceneBuilder()
    target = scene.moving(ball(0.07), centre_x=rng.uniform(0.2, 0.8), centre_y=0.93)
    for i in range(rng.integers(6, 9)):
        x = rng.uniform(0.1, 0.9) if i else target.centre_x
        y = rng.uniform(0.05, target.bottom - 2 * target.height)
        tipped_ledge(scene, rng.uniform(0.15, 0.35), x, y, *(rng.random(2) < 0.8))
    scene.goal(target, floor_between_traps(scene))
    return scene.build()
