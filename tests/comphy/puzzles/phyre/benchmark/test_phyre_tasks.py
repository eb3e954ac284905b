"""The list of tasks: same bytes whenever it is written, same scenes when it is read, clear words when it is not right."""

import gzip
import json
import time
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from comphy.errors import ConfigError, DatasetError
from comphy.puzzles.phyre.benchmark.tasks import Task, find_task, load_tasks, read_tasks, tasks_file, write_tasks
from comphy.puzzles.phyre.templates.template import candidates, find_template
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from tests.support.few_tasks import first_tasks, install, solved_task


def test_tasks_are_read_as_they_were_written(tmp_path: Path) -> None:
    made = [*first_tasks("00013", 2), *first_tasks("00000", 3)]
    write_tasks(tmp_path / "ball.json.gz", BALL, made)
    read = read_tasks(tmp_path / "ball.json.gz", BALL)
    assert list(read) == ["00000:000", "00000:001", "00000:002", "00013:000", "00013:001"]
    assert list(read.values()) == sorted(made, key=lambda t: t.id)
    assert {type(value) for task in read.values() for value in task.parameters.values()} == {
        type(value) for task in made for value in task.parameters.values()
    }
    assert read["00000:001"].scene() == list(islice(candidates(find_template("00000")), 2))[1].scene
    assert (read["00013:001"].template_id, read["00013:001"].tier) == ("00013", BALL)


def test_equal_tasks_give_equal_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = first_tasks("00000", 4)
    write_tasks(tmp_path / "one.json.gz", BALL, made)
    monkeypatch.setattr(time, "time", lambda: 2e9)
    write_tasks(tmp_path / "other.json.gz", BALL, reversed(made))
    assert (tmp_path / "one.json.gz").read_bytes() == (tmp_path / "other.json.gz").read_bytes()


@pytest.mark.bullet
def test_a_certified_solution_solves_its_task(tmp_path: Path) -> None:
    write_tasks(tmp_path / "ball.json.gz", BALL, [solved_task()])
    [task] = read_tasks(tmp_path / "ball.json.gz", BALL).values()
    assert task.solving_action.shape == (3,)
    np.testing.assert_array_equal(BALL.balls_of([task.solving_action]).ravel(), task.solution)
    with ActionSimulator({task.id: task.scene()}, BALL) as simulator:
        assert simulator.simulate_action(0, task.solving_action, need_images=False).status.is_solved()


def test_tasks_are_found_by_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = install(tmp_path, monkeypatch)
    assert [find_task(task.id) for task in made] == made
    assert len(load_tasks(BALL)) == 5 and len(load_tasks(TWO_BALLS)) == 2
    assert load_tasks(BALL) is load_tasks(BALL)


@pytest.mark.parametrize(
    ("task_id", "message"),
    [
        ("00000:999", "'00000:999'.* Its template has 3 of them, from 00000:000 to 00000:002"),
        ("00001:000", "'00001:000'.* Its template has none of them"),
        ("00025:000", "id of a PHYRE template .got '00025'.; did you mean"),
        ("00000", "id of a task such as '00002:017' .got '00000'"),
        ("00000:1", "got '00000:1'"),
        ("", "got ''"),
    ],
)
def test_an_unknown_task_is_explained(
    task_id: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    with pytest.raises(ConfigError, match=message):
        find_task(task_id)


def test_tasks_of_another_tier_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="tasks of tier two_balls with 6 numbers"):
        write_tasks(tmp_path / "x.json.gz", TWO_BALLS, first_tasks("00000", 1))
    [task] = first_tasks("00000", 1)
    with pytest.raises(ConfigError, match="tier ball with 3 numbers"):
        write_tasks(tmp_path / "x.json.gz", BALL, [Task(task.id, task.parameters, (1, 2))])


def written(path: Path, content: object) -> Path:
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    return path


def test_a_wrong_file_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ball.json.gz"
    with pytest.raises(DatasetError, match="tasks of tier ball are missing"):
        read_tasks(path, BALL)
    write_tasks(path, BALL, first_tasks("00000", 4))
    with pytest.raises(DatasetError, match=r"tier two_balls \(got 1 and ball\)"):
        read_tasks(path, TWO_BALLS)
    whole = path.read_bytes()
    for damaged in (whole[:-20], b"not gzip at all", gzip.compress(b"{"), whole[:40] + b"\0\0\0\0" + whole[44:]):
        path.write_bytes(damaged)
        with pytest.raises(DatasetError, match=r"ball\.json\.gz: expected JSON in gzip"):
            read_tasks(path, BALL)
    with pytest.raises(DatasetError, match="expected the key 'templates'"):
        read_tasks(written(path, {"format": 1, "tier": "ball"}), BALL)
    listed = {"00000": {"parameters": ["a", "b"], "tasks": {"007": [[1], [1, 2, 3]]}}}
    with pytest.raises(DatasetError, match="values of a, b and a solution for task 00000:007"):
        read_tasks(written(path, {"format": 1, "tier": "ball", "templates": listed}), BALL)
    monkeypatch.setattr("comphy.puzzles.phyre.benchmark.tasks.TASKS_FOLDER", tmp_path / "nowhere")
    assert not tasks_file(BALL).exists()
    with pytest.raises(DatasetError, match=r"comphy phyre build"):
        find_task("00000:000")
