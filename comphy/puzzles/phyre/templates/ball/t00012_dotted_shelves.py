"""00012: dotted shelves."""

import math
from typing import Final

import numpy as np

from comphy.puzzles.phyre.templates.parts import floor
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball

ROWS: Final = 4


@template("00012", BALL, {"seed": tuple(range(1000))}, Rule.SOLVABLE | Rule.NOT_TRIVIAL)
def dotted_shelves(seed: int) -> Scene:
    """A ball has to find its way to the floor past rows of pegs that rise from the walls."""
    rng = np.random.default_rng([12, seed])
    scene = SceneBuilder()
    target = scene.moving(ball(0.1), centre_x=rng.uniform(0.2, 0.5), centre_y=0.9)
    for row, height in enumerate(np.linspace(0.1, target.bottom - 2 * target.height, ROWS)):
        _pegs(scene, rng, height, from_the_left=row % 2 == 0)
    scene.goal(target, floor(scene))
    return scene.build()


def _pegs(scene: SceneBuilder, rng: np.random.Generator, height: float, from_the_left: bool) -> None:
    away, y = 0.0, height
    for _ in range(rng.integers(4, 9)):
        if not 0.0 <= away <= 1.0:
            return
        scene.fixed(ball(0.04), centre_x=away if from_the_left else 1.0 - away, centre_y=y)
        step, heading = rng.uniform(0.05, 0.17), math.radians(rng.normal(5.0, 9.0))
        away, y = away + step * math.cos(heading), y + step * math.sin(heading)
