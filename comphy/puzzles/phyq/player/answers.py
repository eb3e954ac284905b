"""What the page can ask for: each question is a JSON object, and so is each answer.

    catalogue                   constants, shapes, scenarios with their templates, agents
    task      task              a level, its birds, its neighbours
    aim       x, y, stretch     the shots whose flight leads through a point, low and high
    play      task, shots       how everything moves, and what became of it
    solution  task              the same of the certified solution
    agent     task, agent, seed the same of an agent's play, with the strategy of each shot and its reason

A shot is degrees, stretch, seconds to the tap, seconds to the next shot; the last two may be null.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from comphy.errors import ConfigError, did_you_mean
from comphy.files import require
from comphy.puzzles.phyq.benchmark.contract import Agent
from comphy.puzzles.phyq.player.game import PlayedGames
from comphy.puzzles.phyq.player.scene import recording_record, shape_records, thing_record, thumbnail_view, view_of
from comphy.puzzles.phyq.player.shots import LEAST_STRETCH, POWER_PLACE, STEEPEST, read_shots
from comphy.puzzles.phyq.tasks.task import Task, find_task, load_tasks, plain_shot
from comphy.puzzles.phyq.templates.published import SCENARIOS, Template, load_templates
from comphy.puzzles.phyq.world.catalog import BIRDS
from comphy.puzzles.phyq.world.constants import (
    GRAVITY,
    GROUND,
    LAUNCH_SPEED,
    MAX_STRETCH,
    RELEASE,
    TIMESTEP,
    WORLD_LEFT,
    WORLD_RIGHT,
)
from comphy.puzzles.phyq.world.game import POWERS
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.player.player import Json, Player

Agents = Callable[[], Mapping[str, Agent]]  # found at first use
Answer = Callable[[Json], Json]
MOST_SEEDS: Final = 10**6
FARTHEST: Final = 100.0  # metres, of a place that is aimed at


def phyq_player(game: PlayedGames, agents: Agents, more: Mapping[str, Answer]) -> Player:
    """Args:
    agents: who may be watched; they are handed in, since they live above this package.
    more: further questions, which others answer."""
    answers: dict[str, Answer] = {
        "catalogue": partial(_catalogue, agents),
        "task": _task,
        "aim": _aim,
        "play": partial(_play, game),
        "solution": partial(_solution, game),
        "agent": partial(_agent, game, agents),
        **more,
    }
    return Player("phyq", answers)


def task_of(question: Json) -> Task:
    return find_task(require(question, "task", str, "question"))


def shots_of(question: Json, task: Task) -> list[Shot]:
    return read_shots(require(question, "shots", list, "question"), task)


def number_of(question: Json, key: str, least: float, most: float) -> float:
    value = require(question, key, (int, float), "question")
    if isinstance(value, bool) or not least <= value <= most:
        raise ConfigError(f"question: expected '{key}' from {least:g} to {most:g} (got {str(value)[:40]}).")
    return float(value)


def whole_number(question: Json, key: str, most: int) -> int:
    value = require(question, key, int, "question")
    if isinstance(value, bool) or not 0 <= value <= most:
        raise ConfigError(f"question: expected '{key}' as a whole number from 0 to {most} (got {str(value)[:40]}).")
    return value


def _catalogue(agents: Agents, question: Json) -> Json:
    return {
        "steps_per_second": round(1 / TIMESTEP),
        "gravity": GRAVITY,
        "ground": GROUND,
        "release": RELEASE,
        "launch_speed": LAUNCH_SPEED,
        "stretch": [LEAST_STRETCH, MAX_STRETCH],
        "steepest": STEEPEST,
        "power_place": POWER_PLACE,
        "world": [WORLD_LEFT, WORLD_RIGHT],
        "birds": {bird.value: {"radius": kind.radius, "power": bird in POWERS} for bird, kind in BIRDS.items()},
        "shapes": shape_records(),
        "scenarios": _scenarios(),
        "agents": list(agents()),
    }


def _task(question: Json) -> Json:
    task = task_of(question)
    template = task.template
    return {
        "id": task.id,
        "template": template.id,
        "scenario": template.scenario,
        "name": template.scenario_name,
        "description": template.layout,
        "birds": [bird.value for bird in task.level.birds],
        "things": [thing_record(thing) for thing in task.level.things],
        "view": view_of(task.level.things),
        "tasks": [one for one in load_tasks() if one.startswith(f"{template.id}:")],
        "solution": True,
    }


def _aim(question: Json) -> Json:
    """By the trajectory planner."""
    x, y = (number_of(question, key, -FARTHEST, FARTHEST) for key in ("x", "y"))
    stretch = number_of(question, "stretch", LEAST_STRETCH, MAX_STRETCH)
    return {"shots": [plain_shot(shot) for shot in aimed_at((x, y), stretch)]}


def _play(game: PlayedGames, question: Json) -> Json:
    task = task_of(question)
    return recording_record(game.play(task, shots_of(question, task)))


def _solution(game: PlayedGames, question: Json) -> Json:
    task = task_of(question)
    return {**recording_record(game.replay(task, task.solution)), "shots": [plain_shot(one) for one in task.solution]}


def _agent(game: PlayedGames, agents: Agents, question: Json) -> Json:
    task, name = task_of(question), require(question, "agent", str, "question")
    known = agents()
    if name not in known:
        raise ConfigError(f"Expected an agent to watch (got '{name[:40]}'); {did_you_mean(name, known)}")
    play, found = game.watch(known[name], task, whole_number(question, "seed", MOST_SEEDS))
    return {
        **recording_record(found),
        "shots": [plain_shot(choice.shot) for choice in play.choices],
        "choices": [{"strategy": one.strategy, "reason": one.reason, "imagined": one.imagined} for one in play.choices],
        "seconds": round(play.seconds, 2),
    }


def _scenarios() -> list[Json]:
    firsts: dict[str, str] = {}
    for task_id in load_tasks():
        firsts.setdefault(task_id.split(":")[0], task_id)
    found: dict[int, list[Template]] = {}
    for template in load_templates().values():
        found.setdefault(template.scenario, []).append(template)
    return [
        {"name": str(number), "title": SCENARIOS[number - 1], "templates": list(_templates(templates, firsts))}
        for number, templates in sorted(found.items())
    ]


def _templates(templates: Iterable[Template], firsts: Mapping[str, str]) -> Iterable[Json]:
    """`first`: its first task; null where none is certified yet."""
    for template in templates:
        yield {
            "id": template.id,
            "name": template.scenario_name,
            "first": firsts.get(template.id),
            "things": [thing_record(thing) for thing in template.level.things],
            "view": thumbnail_view(template.level.things),
        }
