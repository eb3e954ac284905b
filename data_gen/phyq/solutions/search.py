"""Searches for certified solutions of a level: aims that solved siblings first, then variations of them, then others."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from comphy.puzzles.phyq.templates.published import Template
from comphy.puzzles.phyq.templates.variation import Placement, placed_level
from comphy.puzzles.phyq.world.game import FIRST_THING, Game, Status
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Block
from comphy.sim.bullet import Engine
from data_gen.phyq.certify import flaws_of_level, flaws_of_solution
from data_gen.phyq.solutions.aim_of_shot import aim_of
from data_gen.phyq.solutions.aims import TIMING, Aim, jittered, random_aim, restretched
from data_gen.phyq.solutions.middle_of_run import middle_of_run
from data_gen.phyq.solutions.shot_by_shot import ShotsResult, shot_by_shot
from data_gen.phyq.solutions.solving import is_robust

Aims = tuple[Aim, ...]

KEPT: Final = 0.6  # share of the aims of a good try that are kept when it is varied
CLOSE: Final = 0.03  # metres
CLEARED: Final = 0.5  # metres by which a block that is out of the way has moved
REFINED: Final = 3  # tries close to one that wins with flaws


@dataclass(frozen=True)
class Effort:
    """How many games a level may take, besides those of certificates."""

    siblings: int = 6  # solutions of other tasks
    variations: int = 10  # of those
    fresh: int = 1500  # others, where no sibling has been solved yet
    more: int = 20  # others, where some have


@dataclass(frozen=True)
class Certified:
    aims: Aims
    shots: tuple[Shot, ...]


def certified_solution(
    template: Template,
    placement: Placement,
    known: Sequence[Aims],
    effort: Effort,
    rng: np.random.Generator,
    engine: Engine,
) -> Certified | None:
    """A solution of a level that keeps all that a certificate asks for, or none. `known`: aims that solved siblings."""
    with Game(placed_level(template, placement), engine) as game:
        search = _Search(template, placement, game, rng)
        for aims in search.proposals(known, effort):
            shots = search.shots(aims)
            if shots is None or not search.wins(aims, shots):
                continue
            used = shots[: len(shots) - game.birds_left]
            if not any(flaws_of_solution(template, game, used)):
                return None if any(flaws_of_level(template, game)) else Certified(aims[: len(used)], used)
            search.flawed(aims, used)
        return None


class _Search:
    def __init__(self, template: Template, placement: Placement, game: Game, rng: np.random.Generator) -> None:
        self._template = template
        self._placement = placement
        self._game = game
        self._rng = rng
        self._best_merit = self._outcome().merit
        self._best: Aims | None = None
        self._flawed: tuple[Aims, tuple[Shot, ...]] | None = None

    def proposals(self, known: Sequence[Aims], effort: Effort) -> Iterator[Aims]:
        """After one that wins with flaws comes what is close to it: it may have been a hair off."""
        for aims in self._far_and_wide(known, effort):
            yield aims
            if self._flawed is not None:
                yield from self._close_to(*self._flawed)
                self._flawed = None

    def _far_and_wide(self, known: Sequence[Aims], effort: Effort) -> Iterator[Aims]:
        siblings = known[: effort.siblings]
        for aims in siblings:
            yield self._completed(aims)
        for k in range(effort.variations if siblings else 0):
            vary = restretched if k % 2 else jittered
            yield self._completed(vary(siblings[k // 2 % len(siblings)], self._rng))
        if not siblings and self._birds_may_wait():
            for shots in shot_by_shot(self._game, self._outcome):
                yield self._completed(self._aims_of(shots))
        for _ in range(effort.more if siblings else effort.fresh):
            yield self._next()

    def flawed(self, aims: Aims, shots: Sequence[Shot]) -> None:
        """Remember that these win with flaws."""
        self._flawed = (aims, tuple(shots))

    def _close_to(self, aims: Aims, shots: tuple[Shot, ...]) -> Iterator[Aims]:
        """Where shots do not win when they are turned, the middle of the directions around them that win comes first."""
        if not is_robust(self._game, shots):
            middle = middle_of_run(shots, lambda other: self._game.play(other) is Status.WON)
            yield self._completed(self._aims_of(middle))
        for _ in range(REFINED):
            yield jittered(aims, self._rng, CLOSE)

    def _birds_may_wait(self) -> bool:
        """Whether there are several birds, and each may be shot when all is at rest."""
        return len(self._game.level.birds) > 1 and self._template.scenario != TIMING

    def _next(self) -> Aims:
        fresh = self._fresh()
        return fresh if self._best is None or self._rng.random() < 0.5 else self._varied(fresh)

    def shots(self, aims: Aims) -> tuple[Shot, ...] | None:
        """None if a target is out of reach."""
        found = [aim.shot(self._placement) for aim in aims]
        return tuple(shot for shot in found if shot is not None) if None not in found else None

    def wins(self, aims: Aims, shots: Sequence[Shot]) -> bool:
        won = self._game.play(shots) is Status.WON
        if (merit := self._outcome().merit) > self._best_merit:
            self._best, self._best_merit = aims, merit
        return won

    def _outcome(self) -> ShotsResult:
        """What the last game came to."""
        game = self._game
        blocks = [
            (body, thing) for body, thing in enumerate(game.level.things, FIRST_THING) if isinstance(thing, Block)
        ]
        cleared = sum(self._cleared(body, block) for body, block in blocks)
        return ShotsResult(game.pigs_left, game.pig_life, cleared)

    def _cleared(self, body: int, block: Block) -> bool:
        world = self._game.world
        return body in world.absent or math.dist(world.position(body)[:2], (block.x, block.y)) > CLEARED

    def _fresh(self) -> Aims:
        return tuple(random_aim(self._template, bird, self._rng) for bird in self._game.level.birds)

    def _aims_of(self, shots: Sequence[Shot]) -> Aims:
        return tuple(aim_of(shot, self._template, self._placement) for shot in shots)

    def _completed(self, aims: Aims) -> Aims:
        """With further shots, where a solution did without."""
        return (*aims, *self._fresh()[len(aims) :])

    def _varied(self, fresh: Aims) -> Aims:
        """Of several shots, the first ones of the best try as they were, then others; or all of them a little changed."""
        assert self._best is not None
        if len(fresh) > 1 and self._rng.random() < 0.5:
            first = int(self._rng.integers(1, len(fresh)))
            return (*self._best[:first], *fresh[first:])
        close = jittered(self._best, self._rng)
        return tuple(old if self._rng.random() < KEPT else new for old, new in zip(close, fresh, strict=True))
