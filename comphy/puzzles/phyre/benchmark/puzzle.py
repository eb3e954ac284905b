"""Puzzles for human players: tasks of the benchmark with their scenes."""

from dataclasses import dataclass

from comphy.puzzles.phyre.benchmark.tasks import find_task, load_tasks, template_of
from comphy.puzzles.phyre.templates.template import Template
from comphy.puzzles.phyre.world.scene import Scene


@dataclass(frozen=True)
class Puzzle:
    """A task with its scene. `solution` is the certified one: x, y and radius of each ball in pixels."""

    id: str
    template: Template
    scene: Scene
    solution: tuple[int, ...] | None


def puzzle_ids(template: Template) -> tuple[str, ...]:
    return tuple(task_id for task_id in load_tasks(template.tier) if template_of(task_id) == template.id)


def first_puzzle(template: Template) -> Puzzle:
    """The puzzle that represents its template in an overview."""
    return find_puzzle(puzzle_ids(template)[0])


def find_puzzle(puzzle_id: str) -> Puzzle:
    task = find_task(puzzle_id)
    return Puzzle(task.id, task.template, task.scene(), task.solution)
