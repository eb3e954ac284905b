"""Certifies tasks in the engine: the solution wins, also a little off, by the scenario's rule, and no cheap shot does."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from comphy.processes import in_chunks
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.templates.published import Template
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.launch import Shot, aimed_at, written_shot
from comphy.puzzles.phyq.world.level_check import problems_of
from comphy.sim.bullet import Engine
from data_gen.phyq.cheap_shots import cheap_shots
from data_gen.phyq.rules import WonGame, flaws_by_rule
from data_gen.phyq.solutions.solving import NUDGES, turned

TAP_SLACK: Final = 0.03  # seconds
CHUNK: Final = 10  # tasks that a process checks before it reports
# Where cheap shots may win. In 4.3, 15.3 and 15.4 straight shots at pigs do in the published game, too.
CHEAP_SCENARIOS: Final = (1, 2)
CHEAP_TEMPLATES: Final = ("4.3", "12.1", "12.2", "12.3", "15.3", "15.4")
# How many of them may win where hardly any level has none: the bird is meant to split above a pig, and 12.6 falls easily.
MOST_CHEAP_WINS: Final[Mapping[str, int]] = {"12.6": 1, "15.2": 1, "15.6": 1}
ARCS: Final = {"1.1": (0,), "1.2": (1,), "1.4": (0, 1), "1.5": (0, 1)}  # low and high ones that must win


def flaws(task: Task, engine: Engine) -> Iterator[str]:
    """What is wrong with a task, in words; nothing, if it keeps what the benchmark promises."""
    with Game(task.level, engine) as game:
        yield from flaws_of_solution(task.template, game, task.solution)
        yield from flaws_of_level(task.template, game)


def flaws_of_solution(template: Template, game: Game, shots: Sequence[Shot]) -> Iterator[str]:
    """The cheapest tests come first."""
    if game.play(shots) is not Status.WON:
        yield "its certified solution does not win"
        return
    if game.birds_left != len(game.level.birds) - len(shots):
        yield "its certified solution has shots that are not needed"
    won = WonGame.of(template, game)
    for off, name in _a_little_off(shots):
        if game.play(off) is not Status.WON:
            yield f"its certified solution does not win {name}"
    yield from flaws_by_rule(won, shots, game.play)


def flaws_of_level(template: Template, game: Game) -> Iterator[str]:
    """Whether things are where they cannot be, and whether shots of Pig Shooter win where they should not, or do not where
    they should."""
    yield from problems_of(game.level)
    straight = [aimed_at((pig.x, pig.y)) for pig in game.level.pigs]
    for arc in ARCS.get(template.id, ()):
        if any(len(arcs) <= arc or game.play([arcs[arc]]) is not Status.WON for arcs in straight):
            yield f"the {'high' if arc else 'low'} shot at the pig does not win"
    if template.scenario not in CHEAP_SCENARIOS and template.id not in CHEAP_TEMPLATES:
        won = (shot for shot in cheap_shots(game.level) if game.play([shot] * len(game.level.birds)) is Status.WON)
        for shot in islice(won, MOST_CHEAP_WINS.get(template.id, 0), None):
            yield f"a shot of Pig Shooter wins: {written_shot(shot)}"


def _a_little_off(shots: Sequence[Shot]) -> Iterator[tuple[list[Shot], str]]:
    for degrees in NUDGES:
        yield [turned(shot, degrees) for shot in shots], f"turned by {degrees} degrees"
    if any(shot.tap is not None for shot in shots):
        for seconds in (-TAP_SLACK, TAP_SLACK):
            later = [shot if shot.tap is None else replace(shot, tap=max(0.0, shot.tap + seconds)) for shot in shots]
            yield later, f"tapped {seconds} s off"


def check_tasks(tasks: Sequence[Task], workers: int, report: Callable[[int, int], None]) -> list[str]:
    """All flaws of these tasks, each with the id before it."""
    return in_chunks(_flaws_of, tasks, CHUNK, workers, report)


def _flaws_of(tasks: Sequence[Task]) -> list[str]:
    with Engine() as engine:
        return [f"{task.id}: {flaw}" for task in tasks for flaw in flaws(task, engine)]
