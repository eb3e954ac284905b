"""The committed tasks of all 50 templates: they are what they are certified to be, in this machine's engine."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from comphy.puzzles.phyre.benchmark.tasks import Task, load_tasks
from comphy.puzzles.phyre.templates.template import Template, all_templates, templates_of
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS, Tier
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from comphy.sim.bullet import Engine
from data_gen.phyre.certify import check_tasks, flaws
from tests.support.few_tasks import first_tasks

# Of each template; `comphy phyre check` goes through all.
TASKS_CHECKED = (2, pytest.param(20, marks=pytest.mark.full))
SAME_EVERYWHERE = "e4f4ed36aeb97678"

pytestmark = pytest.mark.bullet
every_template = pytest.mark.parametrize("template", all_templates(), ids=lambda t: t.id)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


def tasks_of(template: Template) -> list[Task]:
    return [task for task in load_tasks(template.tier).values() if task.template_id == template.id]


@pytest.mark.parametrize("tier", [BALL, TWO_BALLS], ids=lambda tier: tier.name)
def test_every_template_has_a_hundred_different_tasks(tier: Tier) -> None:
    tasks = load_tasks(tier).values()
    assert Counter(task.template_id for task in tasks) == {template.id: 100 for template in templates_of(tier)}
    assert len({(task.template_id, *task.parameters.values()) for task in tasks}) == len(tasks)


@pytest.mark.slow  # together
@pytest.mark.parametrize("checked", TASKS_CHECKED)
@every_template
def test_tasks_are_puzzles_and_their_solutions_solve_them(template: Template, checked: int, engine: Engine) -> None:
    for task in tasks_of(template)[:: 100 // checked]:
        assert list(flaws(task, engine)) == [], task


@every_template
def test_a_run_is_the_same_bits_in_a_fresh_engine(template: Template, engine: Engine) -> None:
    task = tasks_of(template)[-1]
    runs = []
    for used in (engine, None):
        simulator = ActionSimulator({task.id: task.scene()}, task.tier, used)
        run = simulator.simulate_action(0, task.solving_action, need_images=False, need_states=True, stride=16)
        runs.append((run.status, run.states))
        if used is None:
            simulator.close()
    assert runs[0][0] == runs[1][0]
    np.testing.assert_array_equal(runs[0][1], runs[1][1])


def test_runs_are_the_same_bits_on_every_machine(engine: Engine) -> None:
    """Where all bodies are as the last task of each template is solved; x86_64 and aarch64 agree. If this machine does
    not, Bullet was compiled with other options than those of tools/setup.sh, or its C library rounds otherwise."""
    seen = hashlib.sha256()
    for template in all_templates():
        task = tasks_of(template)[-1]
        simulator = ActionSimulator({task.id: task.scene()}, task.tier, engine)
        run = simulator.simulate_action(0, task.solving_action, need_images=False, need_states=True, stride=16)
        assert run.states is not None
        seen.update(np.ascontiguousarray(run.states[:, :, :2]).tobytes())
    assert seen.hexdigest()[:16] == SAME_EVERYWHERE


def test_flaws_are_found(engine: Engine) -> None:
    task = first_tasks("00000", 1)[0]
    [unsolved] = flaws(task, engine)
    assert unsolved == "its certified solution (100, 200, 4) gives NOT_SOLVED"
    elsewhere = replace(task, parameters={**task.parameters, "bottom": 0.123})
    assert "bottom = 0.123 is not in the template's domain" in flaws(elsewhere, engine)


@pytest.mark.slow
def test_many_tasks_are_checked_by_processes() -> None:
    seen = []
    tasks = list(load_tasks(BALL).values())[:12]
    assert check_tasks(tasks, 2, lambda done, total: seen.append((done, total))) == []
    assert seen == [(10, 12), (12, 12)]
