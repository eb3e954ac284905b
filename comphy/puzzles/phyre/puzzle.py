"""Puzzles for people by their ids: the benchmark's tasks, or a template's first candidates while there is no task list."""

from dataclasses import dataclass
from functools import cache
from itertools import islice

from comphy.errors import ConfigError
from comphy.puzzles.phyre.scene import Scene
from comphy.puzzles.phyre.selection import TASKS
from comphy.puzzles.phyre.tasks import find_task, load_tasks, tasks_file, template_of
from comphy.puzzles.phyre.template import Candidate, Template, candidates, find_template


@dataclass(frozen=True)
class Puzzle:
    """A scene with its id. The solution is that of the task list: x, y and radius of each ball in pixels."""

    id: str
    template: Template
    scene: Scene
    solution: tuple[int, ...] | None


def puzzle_ids(template: Template) -> tuple[str, ...]:
    if tasks_file(template.tier).is_file():
        return tuple(task_id for task_id in load_tasks(template.tier) if template_of(task_id) == template.id)
    return tuple(f"{template.id}:{number:03d}" for number in range(len(_first_candidates(template))))


def first_puzzle(template: Template) -> Puzzle:
    """The one that stands for its template in an overview."""
    if tasks_file(template.tier).is_file():
        return find_puzzle(puzzle_ids(template)[0])
    return Puzzle(f"{template.id}:000", template, next(candidates(template)).scene, None)


def find_puzzle(puzzle_id: str) -> Puzzle:
    template = find_template(template_of(puzzle_id))
    if tasks_file(template.tier).is_file():
        task = find_task(puzzle_id)
        return Puzzle(task.id, template, task.scene(), task.solution)
    found, number = _first_candidates(template), int(puzzle_id[6:])
    if number >= len(found):
        raise ConfigError(f"Expected a number below {len(found)} for template {template.id} (got '{puzzle_id}').")
    return Puzzle(puzzle_id, template, found[number].scene, None)


@cache
def _first_candidates(template: Template) -> tuple[Candidate, ...]:
    return tuple(islice(candidates(template), TASKS))
