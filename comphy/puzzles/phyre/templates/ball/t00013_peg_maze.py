"""00013: peg maze."""

import math
from typing import Final

import numpy as np
from scipy.ndimage import label

from comphy.puzzles.phyre.templates.parts import floor
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import Rule, template
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball

STARTS: Final = ((0.2, 0.5), (0.7, 0.5))
TARGET: Final = 0.1
PEG: Final = 0.05
SQUEEZE: Final = 0.005  # a ball gets through gaps a little narrower than itself when it is pushed
GRID: Final = (np.arange(128) + 0.5) / 128

Point = tuple[float, float]


@template("00013", BALL, {"seed": tuple(range(1000))}, Rule.SOLVABLE | Rule.NOT_TRIVIAL | Rule.DIVERSE)
def peg_maze(seed: int) -> Scene | None:
    """A ball has to find its way to the floor past two winding chains of pegs."""
    rng = np.random.default_rng([13, seed])
    scene = SceneBuilder()
    target = scene.moving(ball(TARGET), centre_x=rng.uniform(0.4, 0.6), centre_y=0.9)
    highest = target.bottom - 2 * target.height
    pegs = [point for start in STARTS for point in _chain(rng, start, highest)]
    if not _leads_down(pegs):
        return None
    for x, y in pegs:
        scene.fixed(ball(PEG), centre_x=x, centre_y=y)
    scene.goal(target, floor(scene))
    return scene.build()


def _chain(rng: np.random.Generator, start: Point, highest: float) -> list[Point]:
    """Points on curves that turn evenly; a curve that leaves the scene, and now and then another, starts anew from an
    earlier point."""
    points, wanted = [start], rng.integers(15, 30)
    (x, y), heading, turn = start, rng.uniform(0.0, math.tau), rng.uniform(0.0, math.tau / 10)
    while len(points) < wanted:
        step = rng.uniform(0.05, 0.2)
        x, y, heading = x + step * math.cos(heading), y + step * math.sin(heading), heading + turn
        inside = 0.0 <= x <= 1.0 and 0.0 <= y <= highest
        if inside:
            points.append((x, y))
        if not inside or (len(points) >= 3 and rng.random() < 0.2):
            x, y = points[rng.integers(len(points))]
            heading, turn = rng.uniform(0.0, math.tau), rng.uniform(0.0, math.tau / 10)
    return points


def _leads_down(pegs: list[Point]) -> bool:
    """Whether there is a way for the ball from the top to the floor between the pegs."""
    x, y = np.meshgrid(GRID, GRID, indexing="ij")
    free = np.abs(x - 0.5) < 0.5 - TARGET / 2
    for peg_x, peg_y in pegs:
        free &= np.hypot(x - peg_x, y - peg_y) > (TARGET + PEG) / 2 - SQUEEZE
    parts, _ = label(free)
    at_the_floor = parts[:, int(TARGET / 2 * len(GRID))]
    return bool(np.isin(parts[:, -1], at_the_floor[at_the_floor > 0]).any())
