"""`Aim`: a shot as its template sees it. Tasks of a template are translations, so one aim serves all of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from comphy.puzzles.phyq.templates.published import Template
from comphy.puzzles.phyq.templates.variation import Placement
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.constants import MAX_STRETCH, Point
from comphy.puzzles.phyq.world.game import POWERS
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Thing, corners

FREE: Final = 0.15  # share of aims at an angle and not at a thing
ANGLES: Final = (-20.0, 80.0)
AT_PIGS: Final = 0.25  # share of aims at pigs
SPREAD: Final = 0.15  # metres around what is aimed at
WEAK: Final = 0.25  # share of shots with less than the full stretch
WEAKEST: Final = 0.5
TAP_SHARES: Final = (0.2, 1.0)  # of the way
FREE_TAPS: Final = (0.4, 2.5)  # seconds, of shots at an angle
WATCHES: Final = (0.5, 5.0)  # seconds to the next shot, where timing matters
JITTER: Final = 0.08  # metres; degrees, in tenths of a metre
OTHER_STRETCHES: Final = (0.7, MAX_STRETCH)  # of shots through the same point
TIMING: Final = 14  # the scenario in which the next shot must not wait


@dataclass(frozen=True)
class Aim:
    """Through `target`, in the template's place, by the low or the high arc; or at an angle, where there is no target."""

    target: Point | None
    high: bool
    stretch: float
    tap: float | None = None  # share of the way to the target; seconds, where there is none
    watch: float | None = None
    degrees: float = 0.0

    def shot(self, placement: Placement) -> Shot | None:
        """On a level; None if the target is out of reach there. Numbers are as round as a list of tasks keeps them."""
        if self.target is None:
            return _rounded(Shot.at(self.degrees, self.stretch, self.tap, self.watch))
        target = (self.target[0] + placement.dx, self.target[1] + placement.dy)
        arcs = aimed_at(target, self.stretch)
        if not arcs:
            return None
        shot = arcs[-1] if self.high else arcs[0]
        seconds = None
        if self.tap is not None:
            seconds = self.tap * (target[0] - shot.start[0]) / max(shot.velocity[0], 1e-9)
        return _rounded(replace(shot, tap=seconds, watch=self.watch))


def random_aim(template: Template, bird: Bird, rng: np.random.Generator) -> Aim:
    """At a point of the outline of a random thing of the template, or at a random angle."""
    stretch = rng.uniform(WEAKEST, MAX_STRETCH) if rng.random() < WEAK else MAX_STRETCH
    watch = rng.uniform(*WATCHES) if template.scenario == TIMING else None
    taps = bird in POWERS
    if rng.random() < FREE:
        tap = rng.uniform(*FREE_TAPS) if taps else None
        return Aim(None, False, stretch, tap, watch, rng.uniform(*ANGLES))
    things: Sequence[Thing] = template.level.things
    if rng.random() < AT_PIGS:
        things = list(template.level.pigs)
    x, y = _on_outline(things[int(rng.integers(len(things)))], rng)
    target = (x + rng.normal(0.0, SPREAD), y + rng.normal(0.0, SPREAD))
    return Aim(target, bool(rng.integers(2)), stretch, rng.uniform(*TAP_SHARES) if taps else None, watch)


def jittered(aims: Sequence[Aim], rng: np.random.Generator, by: float = JITTER) -> tuple[Aim, ...]:
    """Aims close to others."""
    return tuple(_jittered(aim, rng, by) for aim in aims)


def _jittered(aim: Aim, rng: np.random.Generator, by: float) -> Aim:
    tap = None if aim.tap is None else max(0.05, aim.tap + rng.normal(0.0, by))
    watch = None if aim.watch is None else max(0.1, aim.watch + rng.normal(0.0, 5 * by))
    stretch = aim.stretch if aim.stretch == MAX_STRETCH else min(MAX_STRETCH, aim.stretch + rng.normal(0.0, by / 4))
    moved = replace(aim, tap=tap, watch=watch, stretch=stretch, degrees=aim.degrees + rng.normal(0.0, 10 * by))
    if aim.target is None:
        return moved
    return replace(moved, target=(aim.target[0] + rng.normal(0.0, by), aim.target[1] + rng.normal(0.0, by)))


def restretched(aims: Sequence[Aim], rng: np.random.Generator) -> tuple[Aim, ...]:
    """Aims through the same points at another stretch: one of them, or each of them with a chance of a half."""
    chosen = rng.random(len(aims)) < 0.5
    chosen[int(rng.integers(len(aims)))] = True
    return tuple(
        replace(aim, stretch=rng.uniform(*OTHER_STRETCHES)) if other and aim.target is not None else aim
        for aim, other in zip(aims, chosen, strict=True)
    )


def _on_outline(thing: Thing, rng: np.random.Generator) -> Point:
    points = corners(thing)
    sides = [math.dist(points[k - 1], points[k]) for k in range(len(points))]
    k = int(rng.choice(len(points), p=np.array(sides) / sum(sides)))
    (ax, ay), (bx, by), share = points[k - 1], points[k], rng.random()
    return (ax + share * (bx - ax), ay + share * (by - ay))


def _rounded(shot: Shot) -> Shot:
    stretch = round(min(math.hypot(shot.dx, shot.dy), MAX_STRETCH), 3)
    tap = None if shot.tap is None else round(shot.tap, 2)
    return Shot.at(round(shot.degrees, 3), stretch, tap, None if shot.watch is None else round(shot.watch, 2))
