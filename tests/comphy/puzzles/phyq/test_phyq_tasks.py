"""Tasks: found by id, written and read, and what is said of damaged lists."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from comphy.errors import ConfigError, DatasetError
from comphy.puzzles.phyq.tasks.task import (
    TASKS_FILE,
    TASKS_PER_TEMPLATE,
    Task,
    find_task,
    load_tasks,
    read_tasks,
    write_tasks,
)
from comphy.puzzles.phyq.templates.published import find_template, load_templates
from comphy.puzzles.phyq.templates.variation import draw_placement, placed_level, vary
from comphy.puzzles.phyq.world.launch import Shot


def a_task(template_id: str = "13.4", number: int = 17) -> Task:
    placement = draw_placement(find_template(template_id), np.random.default_rng(number))
    shots = (Shot.at(12.345, 0.875, tap=1.25, watch=2.5), Shot.at(-3.0))
    return Task(f"{template_id}:{number:03d}", placement, shots)


def test_what_is_written_is_read_and_its_bytes_do_not_depend_on_the_order(tmp_path: Path) -> None:
    tasks = [a_task(), a_task("1.4", 100), a_task("4.4", 2)]
    write_tasks(tmp_path / "one", tasks)
    write_tasks(tmp_path / "other", tasks[::-1])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    read = read_tasks(tmp_path / "one")
    assert list(read) == ["1.4:100", "4.4:002", "13.4:017"]
    assert {task.id: task for task in tasks} == read
    write_tasks(tmp_path / "again", read.values())
    assert (tmp_path / "again").read_bytes() == (tmp_path / "one").read_bytes()


def test_a_task_is_a_level_of_its_template() -> None:
    task = a_task()
    template = find_template("13.4")
    assert task.level == placed_level(template, task.placement) == vary(template, np.random.default_rng(17))
    assert (task.number, task.split, a_task(number=81).split) == (17, "train", "test")
    assert task.file_name == "3_07_02_00017.xml", "template 13.4 is 3_7_2"


def test_the_list_of_the_package_is_small_and_well_formed() -> None:
    assert TASKS_FILE.stat().st_size <= 400_000
    tasks = load_tasks()
    numbers: dict[str, list[int]] = {}
    for task in tasks.values():
        numbers.setdefault(task.template_id, []).append(task.number)
        assert 1 <= len(task.solution) <= len(task.template.level.birds)
        assert len({task.level.things[: len(task.template.level.things)]}) == 1
    assert set(numbers) <= set(load_templates())
    for template_id, found in numbers.items():
        assert found == list(range(1, len(found) + 1)) and len(found) <= TASKS_PER_TEMPLATE, template_id
    levels = [task.level for task in tasks.values() if task.template.variation.anchor is not None]
    assert len(set(levels)) == len(levels), "no task is there twice"
    assert find_task("1.5:001") is tasks["1.5:001"]


@pytest.mark.parametrize(
    ("task_id", "message"),
    [
        ("1.5", "Expected the id of a task such as '4.4:017' (got '1.5')"),
        ("1.5:1", "Expected the id of a task such as"),
        ("16.1:001", "Expected a template of Phy-Q (got '16.1')"),
        ("1.5:999", "Its template has"),
    ],
)
def test_unknown_tasks(task_id: str, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        find_task(task_id)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "expected JSON in gzip"),
        ('{"format": 7, "templates": {}}', "expected format 1 (got 7)"),
        ('{"format": 1, "templates": {"1.5": {"001": [[1, 2], []]}}}', "1.5:001"),
        ('{"format": 1, "templates": {"1.5": {"x": [[1, 2], [], []]}}}', "1.5:x"),
        ('{"format": 1, "templates": {"1.5": {"001": [[1, 2], [["A", "ice", 1]], []]}}}', "1.5:001"),
    ],
)
def test_damaged_lists(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "tasks.json.gz").write_bytes(gzip.compress(text.encode()))
    with pytest.raises(DatasetError) as raised:
        read_tasks(tmp_path / "tasks.json.gz")
    assert message in str(raised.value)


def test_a_list_that_is_no_gzip_and_a_missing_one(tmp_path: Path) -> None:
    (tmp_path / "tasks.json.gz").write_bytes(b"no gzip")
    with pytest.raises(DatasetError, match="expected JSON in gzip"):
        read_tasks(tmp_path / "tasks.json.gz")
    with pytest.raises(DatasetError, match="Make them with: comphy phyq build"):
        read_tasks(tmp_path / "missing")
