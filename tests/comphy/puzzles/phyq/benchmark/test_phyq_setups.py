"""Which tasks test an agent: the published ones, and what is told where they are not there."""

from dataclasses import replace

import pytest

from comphy.choices import Generalisation
from comphy.puzzles.phyq.benchmark.contract import AgentKind
from comphy.puzzles.phyq.benchmark.setups import coverage, levels_digest, select, thinned, training_tasks
from comphy.puzzles.phyq.tasks.task import Task, find_task
from comphy.puzzles.phyq.templates.published import load_templates
from comphy.puzzles.phyq.templates.variation import Placement
from comphy.puzzles.phyq.world.launch import Shot

TEMPLATES = list(load_templates().values())


def tasks(template_id: str, numbers: range) -> list[Task]:
    return [Task(f"{template_id}:{number:03d}", Placement(0.0, 0.0, ()), (Shot.at(10.0),)) for number in numbers]


def test_a_whole_list_gives_the_published_test_tasks() -> None:
    whole = [task for one in TEMPLATES for task in tasks(one.id, range(1, 101))]
    local, broad = (select(setup, TEMPLATES, whole) for setup in Generalisation)
    assert (len(local.tasks), len(broad.tasks)) == (1500, 680), "as published"
    assert {task.number for task in local.tasks} == set(range(81, 101))
    assert {task.template.split for task in broad.tasks} == {"test"}
    assert local.complete and broad.complete and not coverage(broad)
    assert len(select(None, TEMPLATES, whole).tasks) == 7500


def test_a_shorter_list_is_told() -> None:
    chosen = [load_templates()[one] for one in ("1.4", "1.5", "3.4", "3.5")]
    short = [*tasks("1.4", range(1, 51)), *tasks("1.5", range(1, 91)), *tasks("3.4", range(81, 101))]
    found = select(Generalisation.BROAD, chosen, short)
    assert [task.number for task in found.tasks] == [*range(31, 51), *range(81, 91), *range(81, 101)]
    assert [one.substitutes for one in found.templates[:3]] == [True, False, False] and not found.complete
    told = " ".join(coverage(found))
    assert "1 template has no tasks 81 to 100 yet: 20 earlier tasks stand in" in told
    assert "fewer than 20 of the tasks 81 to 100 (1.5: 10)" in told
    assert "Not tested, for want of tasks: 3.5." in told


def test_every_so_many_tasks_of_each_template_are_told() -> None:
    chosen = [load_templates()[one] for one in ("1.4", "1.5")]
    found = thinned(
        select(Generalisation.BROAD, chosen, [*tasks("1.4", range(1, 101)), *tasks("1.5", range(1, 86))]), 4
    )
    assert [task.number for task in found.tasks] == [81, 85, 89, 93, 97, 81, 85]
    assert not found.complete
    told = " ".join(coverage(found))
    assert (
        "fewer than 5 of the tasks 81 to 100 (1.5: 2)" in told and "Of every 4 tasks of a template, the first" in told
    )


def test_what_is_learned_from_is_never_tested() -> None:
    whole = [task for one in TEMPLATES for task in tasks(one.id, range(1, 101))]
    local, broad = (training_tasks(setup, TEMPLATES, whole) for setup in Generalisation)
    assert (len(local), len(broad)) == (75 * 80, 41 * 100), "as published"
    assert {task.number for task in local} == set(range(1, 81))
    assert {task.template.split for task in broad} == {"train"}
    few_local, few_broad = (training_tasks(setup, TEMPLATES, whole, first=20) for setup in Generalisation)
    assert (len(few_local), len(few_broad)) == (75 * 20, 41 * 20)
    assert {task.number for task in [*few_local, *few_broad]} == set(range(1, 21))


@pytest.mark.parametrize("count", [1, 4, 7, 20, 80, 85])
def test_of_a_shorter_list_the_last_fifth_tests_an_agent_that_learns(count: int) -> None:
    chosen, short = [load_templates()["1.4"]], tasks("1.4", range(1, count + 1))
    learned = training_tasks(Generalisation.LOCAL, chosen, short)
    tested = select(Generalisation.LOCAL, chosen, short, learns=True).tasks
    assert [*learned, *tested] == short, "each task is one or the other"
    assert len(tested) == (count - 80 if count > 80 else -(-count // 5))
    assert len(select(Generalisation.LOCAL, chosen, short).tasks) == (5 if count > 80 else min(count, 20))
    assert not training_tasks(Generalisation.BROAD, chosen, short), "1.4 is a testing template"
    fixed = select(Generalisation.BROAD, chosen, short, learns=True).tasks
    assert fixed == select(Generalisation.BROAD, chosen, short).tasks


def test_the_digest_is_of_levels_and_not_of_solutions() -> None:
    first, second = find_task("1.5:001"), find_task("1.5:002")
    assert levels_digest([first, second]) == levels_digest([second, first])
    assert levels_digest([first]) == levels_digest([replace(first, solution=(Shot.at(80.0),))])
    assert levels_digest([first]) != levels_digest([replace(second, id=first.id)])


@pytest.mark.parametrize(("kind", "plays"), [("random", 50), ("heuristic", 5), ("planning", 1)])
def test_attempts_are_the_published_ones(kind: str, plays: int) -> None:
    assert AgentKind(kind).plays == plays
