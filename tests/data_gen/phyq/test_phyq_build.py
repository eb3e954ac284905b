"""Choosing tasks: the same ones after a kill and with any number of workers, each certified."""

from dataclasses import replace
from pathlib import Path

import pytest

from comphy.errors import DatasetError
from comphy.puzzles.phyq.tasks.task import load_tasks, read_tasks
from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.world.launch import Shot
from comphy.sim.bullet import Engine
from data_gen.phyq.build import begin_with, build, go_on, tasks_of, write_chosen
from data_gen.phyq.candidates import read_candidates, records_file
from data_gen.phyq.certify import flaws
from data_gen.phyq.repair import repaired
from data_gen.phyq.solutions.aim_of_shot import aim_of
from data_gen.phyq.solutions.search import Effort

pytestmark = pytest.mark.bullet

TEMPLATES = [find_template(name) for name in ("1.5", "15.7")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("phyq")
    build(TEMPLATES, found, Effort(), 3, 1, lambda progress: None)
    return found


@pytest.mark.slow
def test_tasks_are_certified_and_listed(folder: Path, tmp_path: Path) -> None:
    assert write_chosen(tmp_path / "list", TEMPLATES, folder, Effort()) == 6
    tasks = read_tasks(tmp_path / "list")
    assert list(tasks) == ["1.5:001", "1.5:002", "1.5:003", "15.7:001", "15.7:002", "15.7:003"]
    with Engine() as engine:
        for task in tasks.values():
            assert not list(flaws(task, engine)), task.id


def test_a_killed_build_goes_on(folder: Path, tmp_path: Path) -> None:
    template = TEMPLATES[1]
    whole = records_file(folder, template).read_text()
    path = records_file(tmp_path, template)
    path.write_text(whole[: len(whole) * 2 // 3])  # within a line
    assert [progress.tasks for progress in go_on(template, tmp_path, Effort(), 3)][-1] == 3
    assert path.read_text() == whole
    path.write_text(whole.replace('"of": "', '"of": "x', 1))
    assert next(go_on(template, tmp_path, Effort(), 3)).tried == 0, "records of another game are not used"


def test_a_build_goes_on_from_a_list_alone(folder: Path, tmp_path: Path) -> None:
    write_chosen(tmp_path / "list", TEMPLATES, folder, Effort())
    tasks = list(read_tasks(tmp_path / "list").values())
    assert begin_with(tasks, TEMPLATES, tmp_path / "records", Effort()) == 2
    assert begin_with(tasks, TEMPLATES, tmp_path / "records", Effort()) == 0, "what has records keeps them"
    for template in TEMPLATES:
        before = read_candidates(records_file(folder, template), template, Effort())
        after = read_candidates(records_file(tmp_path / "records", template), template, Effort())
        assert [(one.placement, one.shots) for one in after] == [(one.placement, one.shots) for one in before]
    *_, last = go_on(TEMPLATES[0], tmp_path / "records", Effort(), 4)
    assert last.tasks == 4
    elsewhere = replace(tasks[0], placement=replace(tasks[0].placement, dx=0.1234))
    with pytest.raises(DatasetError, match=r"1\.5:001, whose level it does not draw"):
        begin_with([elsewhere], TEMPLATES, tmp_path / "other", Effort())


def test_the_aim_of_a_shot_is_the_shot() -> None:
    tasks = [task for task in load_tasks().values() if task.id.endswith(":003")]
    assert len(tasks) > 50
    for task in tasks:
        for shot in task.solution:
            again = aim_of(shot, task.template, task.placement).shot(task.placement)
            assert again is not None
            assert again.degrees == pytest.approx(shot.degrees, abs=0.02), task.id
            assert (again.tap, again.watch) == pytest.approx((shot.tap, shot.watch), abs=0.02), task.id


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(folder: Path, tmp_path: Path) -> None:
    build(TEMPLATES, tmp_path, Effort(), 3, 2, lambda progress: None)
    for template in TEMPLATES:
        assert records_file(tmp_path, template).read_text() == records_file(folder, template).read_text()


@pytest.mark.slow
def test_a_task_that_does_not_hold_gets_another_solution(folder: Path) -> None:
    first, *_ = tasks_of(TEMPLATES[0], folder, Effort())
    wrong = replace(first, solution=(Shot.at(first.solution[0].degrees + 15.0),))
    with Engine() as engine:
        assert list(flaws(wrong, engine))
        better = repaired(wrong, engine)
        assert better is not None and better.placement == first.placement
        assert not list(flaws(better, engine))


@pytest.mark.slow
def test_a_sample_of_the_package_holds() -> None:
    tasks = list(load_tasks().values())
    last_of_each = {task.template_id: task for task in tasks if task.template.scenario != 12}
    with Engine() as engine:
        for task in list(last_of_each.values())[::6]:
            assert not list(flaws(task, engine)), task.id
