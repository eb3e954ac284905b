"""The two published set-ups: which tasks test an agent, and which it may learn from.

- local: tasks 81 to 100 of every template; those before may be learned from.
- broad: tasks 81 to 100 of the testing templates of each scenario; all tasks of the training templates may be learned from.

A list of tasks may be shorter. A template that has none of these tasks is tested on its last 20 others instead, as
stand-ins, which is told wherever the results are. In the local set-up these are all that there are, so an agent that
learns is tested on the last fifth of them, and may learn from the others.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from comphy.choices import Generalisation
from comphy.errors import ConfigError
from comphy.puzzles.phyq.benchmark.contract import Agent
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.templates.published import Template

TEST_TASKS: Final = 20  # of a template
ONE_OF: Final = 5  # as many of a template's tasks test an agent that learns


@dataclass(frozen=True)
class TemplateTasks:
    """The tasks that test a template. `substitutes`: they are not those of the set-up, of which there are none."""

    template_id: str
    tasks: tuple[Task, ...]
    substitutes: bool

    @property
    def complete(self) -> bool:
        return not self.substitutes and len(self.tasks) == TEST_TASKS


@dataclass(frozen=True)
class Selection:
    """What tests an agent, template by template; `setup` is None if all tasks do. `every`: the first of so many tasks."""

    setup: Generalisation | None
    templates: tuple[TemplateTasks, ...]
    every: int = 1

    @property
    def tasks(self) -> list[Task]:
        return [task for one in self.templates for task in one.tasks]

    @property
    def complete(self) -> bool:
        return self.setup is not None and self.every == 1 and all(one.complete for one in self.templates)


def select(
    setup: Generalisation | None, templates: Iterable[Template], tasks: Iterable[Task], learns: bool = False
) -> Selection:
    """The tasks of a list that test these templates, as far as they are of the set-up. `learns`: from the others."""
    by_template = _by_template(tasks)
    tested = [one for one in templates if setup is not Generalisation.BROAD or one.split == "test"]
    fewer = learns and setup is Generalisation.LOCAL
    return Selection(setup, tuple(_template_tasks(setup, one.id, by_template.get(one.id, []), fewer) for one in tested))


def thinned(found: Selection, every: int) -> Selection:
    """The first of every so many tasks of each template, for agents that think long."""
    return replace(
        found, templates=tuple(replace(one, tasks=one.tasks[::every]) for one in found.templates), every=every
    )


def training_tasks(
    setup: Generalisation, templates: Iterable[Template], tasks: Iterable[Task], first: int | None = None
) -> list[Task]:
    """The tasks of these templates that an agent may learn from, or the first so many of each template."""
    chosen, by_template = list(templates), _by_template(tasks)
    if setup is Generalisation.BROAD:
        return [task for one in chosen if one.split == "train" for task in by_template.get(one.id, [])[:first]]
    tests = {task.id for task in select(setup, chosen, chain.from_iterable(by_template.values()), learns=True).tasks}
    learned = ([task for task in by_template.get(one.id, []) if task.id not in tests] for one in chosen)
    return [task for tasks_of_template in learned for task in tasks_of_template[:first]]


def suited_templates(
    agent: Agent, setup: Generalisation | None, templates: Sequence[Template]
) -> tuple[list[Template], list[str]]:
    """The templates that an agent can play, and what is missing, in sentences. Raises `ConfigError` if it has learned for
    another set-up, or for none of the templates that are tested."""
    if setup is not None and agent.setup not in (None, setup):
        raise ConfigError(
            f"Expected --setup {agent.setup}, for which {agent.name} was trained (got {setup}). Train another one for it."
        )
    tested = [one for one in templates if setup is not Generalisation.BROAD or one.split == "test"]
    known = [one for one in tested if agent.for_template(one.id) is not None]
    missing = [one.id for one in tested if one not in known]
    if tested and not known:
        raise ConfigError(f"{agent.name}: expected networks for {', '.join(missing)} (found none). Train them first.")
    return known, [f"Not tested, since {agent.name} has learned nothing for them: {', '.join(missing)}."] * bool(
        missing
    )


def learned_tasks(agent: Agent, found: Selection) -> list[str]:
    """How many of the tasks an agent has learned from, in a sentence. Raises `ConfigError` if some are tasks of a set-up."""
    learned = [
        task.id for one in found.templates for task in one.tasks if task.id in agent.learned_from(one.template_id)
    ]
    if learned and found.setup is not None:
        raise ConfigError(
            f"{agent.name}: expected to be tested on tasks that it has not learned from (it has learned from {len(learned)} "
            f"of {len(found.tasks)}, such as {learned[0]}). The list of tasks has changed since; train it anew."
        )
    return [f"{agent.name} has learned from {len(learned)} of these tasks."] * bool(learned)


def coverage(found: Selection) -> list[str]:
    """What differs from the set-up, in sentences; nothing, if all its tasks are there."""
    thin = [f"Of every {found.every} tasks of a template, the first was played."] * (found.every > 1)
    if found.setup is None:
        return thin
    whole = -(-TEST_TASKS // found.every)
    missing = [one.template_id for one in found.templates if not one.tasks]
    substitutes = [one for one in found.templates if one.tasks and one.substitutes]
    partial = [one for one in found.templates if not one.substitutes and 0 < len(one.tasks) < whole]
    sentences = []
    if substitutes:
        count = sum(len(one.tasks) for one in substitutes)
        sentences.append(
            f"{_templates(substitutes)} no tasks 81 to 100 yet: {count} earlier tasks stand in for them, "
            f"{min(len(one.tasks) for one in substitutes)} to {max(len(one.tasks) for one in substitutes)} of each."
        )
    if partial:
        counts = ", ".join(f"{one.template_id}: {len(one.tasks)}" for one in partial)
        sentences.append(f"{_templates(partial)} fewer than {whole} of the tasks 81 to 100 ({counts}).")
    if missing:
        sentences.append(f"Not tested, for want of tasks: {', '.join(missing)}.")
    if sentences:
        sentences.append("These are not yet the published test tasks.")
    return [*sentences, *thin]


def levels_digest(tasks: Iterable[Task]) -> str:
    """Of the levels that were played, whatever their solutions: equal digests, equal tests."""
    lines = sorted(f"{task.id} {task.level}" for task in tasks)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _by_template(tasks: Iterable[Task]) -> dict[str, list[Task]]:
    found: dict[str, list[Task]] = {}
    for task in tasks:
        found.setdefault(task.template_id, []).append(task)
    return found


def _template_tasks(
    setup: Generalisation | None, template_id: str, tasks: Sequence[Task], fewer: bool
) -> TemplateTasks:
    if setup is None:
        return TemplateTasks(template_id, tuple(tasks), substitutes=False)
    ordered = sorted(tasks, key=lambda one: one.number)
    of_setup = [task for task in ordered if task.split == "test"]
    count = -(-len(ordered) // ONE_OF) if fewer else TEST_TASKS
    return TemplateTasks(template_id, tuple(of_setup or ordered[-count:]), substitutes=not of_setup)


def _templates(tests: Sequence[TemplateTasks]) -> str:
    return f"{len(tests)} template{'s have' if len(tests) != 1 else ' has'}"
