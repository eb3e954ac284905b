"""Plans for several birds: first shots that change the scene, each followed by what the other birds can do then.

1. Each proposal is imagined alone. Those that change the scene in different ways are openings.
2. In the scene that an opening leaves, further shots are tried; the better half of the openings gets more of them.
3. If nothing has won, the next bird is shot at pigs while things still move, after several times.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from comphy.puzzles.phyq.benchmark.contract import SimulationResult
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level, Platform, Thing
from models.agents.phyq.proposals import AIMED, Proposer, varied

Plan = tuple[Shot, ...]  # a shot for each bird that is left
Simulate = Callable[[Level, Plan], SimulationResult]
Value = Callable[[SimulationResult], float]

EXPLORED: Final = 0.4  # share of the games in which first shots are tried
AT_ONCE: Final = 12  # games for an opening in each of two rounds
AT_PIGS: Final = 4  # of them, in the first round, at pigs
REPEATED: Final = 6  # good first shots that are also tried with all birds
HASTY_OPENINGS: Final = 3
HASTY: Final = 0.1  # about this share of the games again is for plans that do not wait
WATCHES: Final = (1.0, 1.8, 2.6, 4.0)  # seconds to the next shot
MOVED: Final = 0.4  # metres, by which scenes differ


@dataclass(frozen=True)
class _Opening:
    shot: Shot
    after: Level
    value: float


@dataclass(frozen=True)
class _Line:
    """An opening with the best that is known to follow it."""

    opening: _Opening
    rest: Plan
    value: float


def plans_for_several_birds(
    scene: Level, games: int, rng: np.random.Generator, simulate: Simulate, value: Value, proposer: Proposer = AIMED
) -> list[Plan]:
    """Plans that are worth a whole game, the best first."""
    shots = proposer.shots(scene, scene.birds[0], rng)
    openings, alone = [], list[tuple[float, Shot]]()
    for shot in shots[: round(EXPLORED * games)]:
        found = simulate(scene, (shot,))
        alone.append((value(found), shot))
        if found.after is not None:
            openings.append(_Opening(shot, found.after, value(found)))
    alone.sort(key=lambda one: one[0], reverse=True)
    repeated = [(shot,) * len(scene.birds) for _, shot in alone[:REPEATED]]
    chosen = _different(scene, openings, max(1, round((1.0 - EXPLORED) * games / (1.5 * AT_ONCE))))
    lines = [_followed(one, rng, simulate, value, proposer) for one in chosen]
    lines.sort(key=lambda one: one.value, reverse=True)
    half = len(lines) // 2
    lines[:half] = [_improved(one, rng, simulate, value, proposer) for one in lines[:half]]
    lines.sort(key=lambda one: one.value, reverse=True)
    plans = [*repeated, *((one.opening.shot, *one.rest) for one in lines if one.rest)]
    if not any(one.value == 1.0 for one in lines) and alone[0][0] < 1.0:
        hasty = [plan for one in chosen[:HASTY_OPENINGS] for plan in _hasty(scene, one, proposer, rng)]
        plans += hasty[:: max(1, round(len(hasty) / (HASTY * games)))]
    return list(dict.fromkeys(plans))


def _different(scene: Level, openings: Sequence[_Opening], count: int) -> list[_Opening]:
    """The best of those that change the scene, without those that leave it as a better one does."""
    found: list[_Opening] = []
    for one in sorted(openings, key=lambda one: one.value, reverse=True):
        if len(found) == count:
            break
        if not _alike(scene, one.after) and not any(_alike(one.after, other.after) for other in found):
            found.append(one)
    return found


def _alike(one: Level, other: Level) -> bool:
    mine, others = _loose(one), _loose(other)
    return len(mine) == len(others) and all(
        type(a) is type(b) and math.dist((a.x, a.y), (b.x, b.y)) < MOVED for a, b in zip(mine, others, strict=True)
    )


def _loose(level: Level) -> list[Thing]:
    return [thing for thing in level.things if not isinstance(thing, Platform)]


def _followed(
    opening: _Opening, rng: np.random.Generator, simulate: Simulate, value: Value, proposer: Proposer
) -> _Line:
    shots = proposer.shots(opening.after, opening.after.birds[0], rng)
    others = [shots[AT_PIGS + k] for k in rng.permutation(max(0, len(shots) - AT_PIGS))]
    return _best(_Line(opening, (), 0.0), [*shots[:AT_PIGS], *others][:AT_ONCE], simulate, value)


def _improved(line: _Line, rng: np.random.Generator, simulate: Simulate, value: Value, proposer: Proposer) -> _Line:
    """More proposals, and variations of the best one."""
    if line.value == 1.0:
        return line
    shots = proposer.shots(line.opening.after, line.opening.after.birds[0], rng)
    new = [shots[int(k)] for k in rng.permutation(len(shots))[: AT_ONCE // 2]]
    line = _best(line, new, simulate, value)
    return _best(line, [varied(line.rest[0], rng) for _ in range(AT_ONCE - len(new))], simulate, value)


def _best(line: _Line, shots: Sequence[Shot], simulate: Simulate, value: Value) -> _Line:
    for shot in shots:
        rest = (shot,) * len(line.opening.after.birds)
        found = value(simulate(line.opening.after, rest))
        if found > line.value or not line.rest:
            line = _Line(line.opening, rest, found)
        if found == 1.0:
            break
    return line


def _hasty(scene: Level, opening: _Opening, proposer: Proposer, rng: np.random.Generator) -> Iterator[Plan]:
    for shot in proposer.hasty(scene, scene.birds[1], rng):
        for watch in WATCHES:
            yield (replace(opening.shot, watch=watch), *(shot,) * (len(scene.birds) - 1))
