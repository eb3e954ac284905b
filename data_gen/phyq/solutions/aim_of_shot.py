"""`aim_of`: what a shot was aimed at, so that the same can be tried on the other tasks of its template."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from comphy.puzzles.phyq.templates.published import Template
from comphy.puzzles.phyq.templates.variation import Placement, placed_level
from comphy.puzzles.phyq.world.constants import GRAVITY, Point
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Thing, corners
from data_gen.phyq.solutions.aims import Aim

TOUCHES: Final = 0.3  # metres from a flight to an outline: about a bird's radius, and some more for the samples
SAMPLES: Final = np.arange(0.0, 6.0, 0.02)  # seconds of flight


def aim_of(shot: Shot, template: Template, placement: Placement) -> Aim:
    """The aim behind a shot: through the place at which it first comes to a thing of the assembly, else its angle."""
    stretch = round(math.hypot(shot.dx, shot.dy), 3)
    assembly = placed_level(template, placement).things[: len(template.level.things)]
    met = _first_meeting(shot, assembly)
    arcs = [] if met is None else aimed_at(met, stretch)
    if met is None or not arcs:
        return Aim(None, False, stretch, shot.tap, shot.watch, shot.degrees)
    high = abs(arcs[-1].degrees - shot.degrees) < abs(arcs[0].degrees - shot.degrees)
    seconds = (met[0] - shot.start[0]) / max(shot.velocity[0], 1e-9)
    return Aim(_in_template(met, placement), high, stretch, shot.tap and shot.tap / seconds, shot.watch)


def _in_template(point: Point, placement: Placement) -> Point:
    return (point[0] - placement.dx, point[1] - placement.dy)


def _first_meeting(shot: Shot, things: Sequence[Thing]) -> Point | None:
    x = shot.start[0] + shot.velocity[0] * SAMPLES
    y = shot.start[1] + shot.velocity[1] * SAMPLES - GRAVITY / 2 * SAMPLES**2
    flight = np.stack([x, y], axis=1)
    close = np.min([distances for thing in things for distances in _to_outline(flight, thing)], axis=0) < TOUCHES
    if not close.any():
        return None
    first = int(close.argmax())
    return (float(x[first]), float(y[first]))


def _to_outline(points: np.ndarray, thing: Thing) -> Iterator[np.ndarray]:
    outline = np.array(corners(thing))
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        side = end - start
        share = np.clip((points - start) @ side / (side @ side), 0.0, 1.0)
        yield np.linalg.norm(points - start - share[:, None] * side, axis=1)
