"""Chooses the tasks of each template, and keeps a record of every candidate in a folder.

A killed build goes on after the last whole line of a template's records; where the game or the template has changed
since, a template is begun anew. A template is one process's work from its first candidate on, so the tasks are the same
whatever the number of workers.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from comphy.puzzles.phyq.tasks.task import TASKS_PER_TEMPLATE, Task, write_tasks
from comphy.puzzles.phyq.templates.published import Template, find_template
from comphy.puzzles.phyq.templates.variation import draw_placement
from comphy.sim.bullet import Engine
from data_gen.phyq.candidates import (
    MOST_CANDIDATES,
    Candidate,
    candidate_rng,
    closest_tasks,
    read_candidates,
    record_line,
    records_file,
    write_candidates,
)
from data_gen.phyq.from_list import candidates_of_list
from data_gen.phyq.solutions.search import Effort, certified_solution
from data_gen.task_lists import BuildProgress, TemplateWorker, choose_tasks

HOPELESS: Final = 10  # candidates without a solution, before the first task


def build(
    templates: Sequence[Template],
    folder: Path,
    effort: Effort,
    wanted: int,
    workers: int,
    report: Callable[[BuildProgress], None],
    ray_address: str | None = None,
) -> None:
    """Choose the tasks of all templates, each in one process, or in one actor of a Ray cluster."""
    folder.mkdir(parents=True, exist_ok=True)
    worker = TemplateWorker(partial(_go_on_with, folder=folder.resolve(), effort=effort, wanted=wanted))
    choose_tasks(worker, [template.id for template in templates], workers, report, ray_address)


def _go_on_with(template_id: str, folder: Path, effort: Effort, wanted: int) -> Iterator[BuildProgress]:
    return go_on(find_template(template_id), folder, effort, wanted)


def go_on(template: Template, folder: Path, effort: Effort, wanted: int) -> Iterator[BuildProgress]:
    """Try candidates until there are enough tasks or no hope; every record is on disk before the next one begins."""
    path = records_file(folder, template)
    known = read_candidates(path, template, effort)
    yield _progress(template, known, wanted)
    with path.open("a") as file, Engine() as engine:
        while not _is_over(known, wanted):
            candidate = _candidate(template, known, effort, engine)
            known.append(candidate)
            file.write(record_line(candidate))
            file.flush()
            yield _progress(template, known, wanted)


def _is_over(known: Sequence[Candidate], wanted: int) -> bool:
    tasks = sum(one.is_task for one in known)
    return tasks >= wanted or len(known) >= MOST_CANDIDATES * wanted or (not tasks and len(known) >= HOPELESS)


def _candidate(template: Template, known: Sequence[Candidate], effort: Effort, engine: Engine) -> Candidate:
    """The next one: it depends on its number and on what the ones before it came to."""
    rng = candidate_rng(template, len(known))
    placement = draw_placement(template, rng)
    siblings = [one.aims for one in closest_tasks(known, placement)]
    found = certified_solution(template, placement, list(dict.fromkeys(siblings)), effort, rng, engine)
    return Candidate(placement) if found is None else Candidate(placement, found.aims, found.shots)


def _progress(template: Template, known: Sequence[Candidate], wanted: int) -> BuildProgress:
    return BuildProgress(template.id, sum(one.is_task for one in known), wanted, len(known))


def tasks_of(template: Template, folder: Path, effort: Effort) -> list[Task]:
    """The tasks of a template that were found, numbered from 1 on."""
    found = [one for one in read_candidates(records_file(folder, template), template, effort) if one.is_task]
    return [
        Task(f"{template.id}:{number:03d}", one.placement, one.shots)
        for number, one in enumerate(found[:TASKS_PER_TEMPLATE], 1)
    ]


def begin_with(tasks: Sequence[Task], templates: Sequence[Template], folder: Path, effort: Effort) -> int:
    """Let templates without records go on from the tasks of a list; returns how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    begun = 0
    for template in templates:
        path, known = records_file(folder, template), [task for task in tasks if task.template_id == template.id]
        if known and not read_candidates(path, template, effort):
            write_candidates(path, template, effort, candidates_of_list(template, known))
            begun += 1
    return begun


def write_chosen(path: Path, templates: Sequence[Template], folder: Path, effort: Effort) -> int:
    """Write the list of all tasks that were found; returns how many."""
    tasks = [task for template in templates for task in tasks_of(template, folder, effort)]
    write_tasks(path, tasks)
    return len(tasks)
