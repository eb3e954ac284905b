"""Which plays are stored of a task, and how they go.

Play n begins with release degree n, in an order that spreads any first few of them over all 180; the shots of later birds
are drawn. So the first 180 plays try every first shot once, and a play depends on its task and its number alone.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyq.benchmark.observing.scene import waiting_birds
from comphy.puzzles.phyq.benchmark.plain_shots import DEGREES, PUBLISHED_TAPS, degree_shot
from comphy.puzzles.phyq.pictures.drawing import present_things
from comphy.puzzles.phyq.plays.play import ANGLE_UNIT, GONE, LENGTH_UNIT, NO_TAP, ShotRecord, TaskPlays, gathered
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.world.game import FIRST_THING, Game, Status
from comphy.puzzles.phyq.world.level import Level, Platform
from comphy.sim.bullet import Engine

STRIDE: Final = 113  # degrees between first shots of one play and the next; prime to 180
_PLAYS_SEED: Final = 5123690


def different_plays(level: Level) -> int | None:
    """How many plays differ from each other; None if there is no end of them."""
    drawn = len(level.birds) > 1 or level.birds[0] in PUBLISHED_TAPS
    return None if drawn else DEGREES


def simulate_plays(task: Task, numbers: range, engine: Engine) -> TaskPlays:
    """Play a task from its start, once for each number."""
    with Game(task.level, engine) as game:
        return gathered(task.level, [_play(task, game, number) for number in numbers])


def _play(task: Task, game: Game, number: int) -> tuple[list[ShotRecord], bool]:
    rng = np.random.default_rng([_PLAYS_SEED, *map(int, task.template_id.split(".")), task.number, number])
    game.restart()
    shots: list[ShotRecord] = []
    while game.status is Status.PLAYING:
        action = int(rng.integers(DEGREES)) if shots else STRIDE * number % DEGREES
        shot = degree_shot(action, waiting_birds(game)[0], rng)
        pigs, points = game.pigs_left, game.score
        game.shoot(shot)
        moved = moved_in(game) if game.status is Status.PLAYING else None
        tap = NO_TAP if shot.tap is None else shot.tap
        shots.append(ShotRecord(action, tap, pigs - game.pigs_left, game.score - points, moved))
    return shots, game.status is Status.WON


def moved_in(game: Game) -> NDArray[np.int32]:
    """By how much each thing that can move is right, up and turned of where it was at first [T, 3], in units."""
    return np.array(list(_moves(game)), np.int32).reshape(-1, 3)


def _moves(game: Game) -> Iterator[tuple[int, int, int]]:
    present = present_things(game)
    for body, thing in enumerate(game.level.things, FIRST_THING):
        if isinstance(thing, Platform):
            next(present)
        elif body in game.world.absent:
            yield (GONE, GONE, GONE)
        else:
            now = next(present)
            turned = (now.degrees - thing.degrees + 180.0) % 360.0 - 180.0
            yield (
                round((now.x - thing.x) / LENGTH_UNIT),
                round((now.y - thing.y) / LENGTH_UNIT),
                round(turned / ANGLE_UNIT),
            )
