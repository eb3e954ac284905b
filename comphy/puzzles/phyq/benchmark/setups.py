"""The two published set-ups: which tasks test an agent.

- local: tasks 81 to 100 of every template; those before may be learned from.
- broad: tasks 81 to 100 of the testing templates of each scenario; the training templates may be learned from.

A list of tasks may be shorter. A template that has none of these tasks is tested on its last 20 others instead, as
stand-ins: good for agents that learn from no task, and told wherever the results are.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from comphy.choices import Generalisation
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.templates.published import Template

TEST_TASKS: Final = 20  # of a template


@dataclass(frozen=True)
class TemplateTasks:
    """The tasks that test a template. `stand_ins`: they are not those of the set-up, of which there are none."""

    template_id: str
    tasks: tuple[Task, ...]
    stand_ins: bool

    @property
    def complete(self) -> bool:
        return not self.stand_ins and len(self.tasks) == TEST_TASKS


@dataclass(frozen=True)
class Selection:
    """What tests an agent, template by template; `setup` is None if all tasks do."""

    setup: Generalisation | None
    templates: tuple[TemplateTasks, ...]

    @property
    def tasks(self) -> list[Task]:
        return [task for one in self.templates for task in one.tasks]

    @property
    def complete(self) -> bool:
        return self.setup is not None and all(one.complete for one in self.templates)


def select(setup: Generalisation | None, templates: Iterable[Template], tasks: Iterable[Task]) -> Selection:
    """The tasks of a list that test these templates, as far as they are of the set-up."""
    by_template: dict[str, list[Task]] = {}
    for task in tasks:
        by_template.setdefault(task.template_id, []).append(task)
    tested = [one for one in templates if setup is not Generalisation.BROAD or one.split == "test"]
    return Selection(setup, tuple(_template_tasks(setup, one.id, by_template.get(one.id, [])) for one in tested))


def coverage(found: Selection) -> list[str]:
    """What differs from the set-up, in sentences; nothing, if all its tasks are there."""
    if found.setup is None:
        return []
    missing = [one.template_id for one in found.templates if not one.tasks]
    stand_ins = [one for one in found.templates if one.tasks and one.stand_ins]
    partial = [one for one in found.templates if one.tasks and not (one.stand_ins or one.complete)]
    sentences = []
    if stand_ins:
        count = sum(len(one.tasks) for one in stand_ins)
        sentences.append(
            f"{_templates(stand_ins)} no tasks 81 to 100 yet: {count} earlier tasks stand in for them, "
            f"{min(len(one.tasks) for one in stand_ins)} to {max(len(one.tasks) for one in stand_ins)} of each."
        )
    if partial:
        counts = ", ".join(f"{one.template_id}: {len(one.tasks)}" for one in partial)
        sentences.append(f"{_templates(partial)} fewer than {TEST_TASKS} of the tasks 81 to 100 ({counts}).")
    if missing:
        sentences.append(f"Not tested, for want of tasks: {', '.join(missing)}.")
    if sentences:
        sentences.append("These are not yet the published test tasks.")
    return sentences


def levels_digest(tasks: Iterable[Task]) -> str:
    """Of the levels that were played, whatever their solutions: equal digests, equal tests."""
    lines = sorted(f"{task.id} {task.level}" for task in tasks)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _template_tasks(setup: Generalisation | None, template_id: str, tasks: Sequence[Task]) -> TemplateTasks:
    if setup is None:
        return TemplateTasks(template_id, tuple(tasks), stand_ins=False)
    ordered = sorted(tasks, key=lambda one: one.number)
    of_setup = [task for task in ordered if task.split == "test"]
    return TemplateTasks(template_id, tuple(of_setup or ordered[-TEST_TASKS:]), stand_ins=not of_setup)


def _templates(tests: Sequence[TemplateTasks]) -> str:
    return f"{len(tests)} template{'s have' if len(tests) != 1 else ' has'}"
