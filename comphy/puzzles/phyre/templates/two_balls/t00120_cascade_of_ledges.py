"""00120: cascade of ledges."""

import numpy as np

from comphy.puzzles.phyre.templates.parts import floor_between_traps, tipped_ledge
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, template
from comphy.puzzles.phyre.world.actions import TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball


@template("00120", TWO_BALLS, {"seed": tuple(range(1000))}, Rule.SOLVABLE | Rule.NEEDS_TWO_BALLS)
def cascade_of_ledges(seed: int) -> Scene:
    """A ball has to find its way down a cascade of ledges with tips, to the floor between two traps."""
    rng = np.random.default_rng([120, seed])
    scene = SceneBuilder()
    target = scene.moving(ball(0.07), centre_x=rng.uniform(0.2, 0.8), centre_y=0.93)
    ends = [target.centre_x]
    levels = np.linspace(target.bottom - 2 * target.height, 0.15, rng.integers(6, 9))
    for level in levels[rng.random(len(levels)) >= 0.2]:
        x = ends[rng.integers(len(ends))] if len(ends) > 1 else ends.pop()
        ledge = tipped_ledge(scene, rng.uniform(0.15, 0.35), x, level + rng.normal(0.0, 0.02), True, True)
        ends += [end for end in (ledge.left, ledge.right) if 0.0 < end < 1.0]
    scene.goal(target, floor_between_traps(scene))
    return scene.build()
