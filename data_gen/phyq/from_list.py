"""Goes on from a list of tasks without its records: what was tried for it, as far as the list tells."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from comphy.errors import DatasetError
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.templates.published import Template
from comphy.puzzles.phyq.templates.variation import Placement, draw_placement
from comphy.puzzles.phyq.world.constants import GRAVITY, Point
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Thing, corners
from data_gen.phyq.aims import Aim
from data_gen.phyq.candidates import MOST_CANDIDATES, Candidate, candidate_rng

TOUCHES: Final = 0.3  # metres from a flight to an outline: about a bird's radius, and some more for the samples
SAMPLES: Final = np.arange(0.0, 6.0, 0.02)  # seconds of flight


def candidates_of_list(template: Template, tasks: Sequence[Task]) -> list[Candidate]:
    """Candidates are drawn by their numbers, so those between the tasks of a list were tried without success."""
    wanted = list(tasks)
    found: list[Candidate] = []
    while wanted:
        if len(found) >= MOST_CANDIDATES * max(100, len(tasks)):
            raise DatasetError(
                f"Expected tasks that `comphy phyq build` of this version chose (got {wanted[0].id}, whose level it does "
                "not draw). Go on without the list, in a new folder."
            )
        placement = draw_placement(template, candidate_rng(template, len(found)))
        if placement == wanted[0].placement:
            task = wanted.pop(0)
            found.append(Candidate(placement, tuple(aim_of(shot, task) for shot in task.solution), task.solution))
        else:
            found.append(Candidate(placement))
    return found


def aim_of(shot: Shot, task: Task) -> Aim:
    """The aim behind a shot: through the place at which it first comes to a thing of the assembly, else its angle."""
    stretch = round(math.hypot(shot.dx, shot.dy), 3)
    assembly = task.level.things[: len(task.template.level.things)]
    met = _first_meeting(shot, assembly)
    arcs = [] if met is None else aimed_at(met, stretch)
    if met is None or not arcs:
        return Aim(None, False, stretch, shot.tap, shot.watch, shot.degrees)
    high = abs(arcs[-1].degrees - shot.degrees) < abs(arcs[0].degrees - shot.degrees)
    seconds = (met[0] - shot.start[0]) / max(shot.velocity[0], 1e-9)
    return Aim(_in_template(met, task.placement), high, stretch, shot.tap and shot.tap / seconds, shot.watch)


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
