"""Puzzles by their ids, with a task list and without one."""

from pathlib import Path

import pytest
from few_tasks import install

from comphy.errors import ConfigError
from comphy.puzzles.phyre import tasks
from comphy.puzzles.phyre.puzzle import find_puzzle, first_puzzle, puzzle_ids
from comphy.puzzles.phyre.template import candidates, find_template


@pytest.fixture
def no_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "TASKS_FOLDER", tmp_path / "none")


@pytest.mark.usefixtures("no_list")
def test_without_a_list_candidates_are_numbered() -> None:
    template = find_template("00002")
    assert puzzle_ids(template)[:2] == ("00002:000", "00002:001")
    assert len(puzzle_ids(template)) == 100
    puzzle = find_puzzle("00002:000")
    assert puzzle.scene == first_puzzle(template).scene == next(candidates(template)).scene
    assert puzzle.solution is None


@pytest.mark.usefixtures("no_list")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("00002:100", "number below 100"),
        ("00002", "such as '00002:017'"),
        ("00999:000", "id of a PHYRE template"),
        ("../etc:000", "such as"),
    ],
)
def test_an_unknown_id_is_explained(wrong: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        find_puzzle(wrong)


def test_with_a_list_puzzles_are_its_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = install(tmp_path, monkeypatch)
    assert puzzle_ids(find_template("00013")) == ("00013:000", "00013:001")
    assert first_puzzle(find_template("00013")).id == "00013:000"
    puzzle = find_puzzle(listed[-1].id)
    assert puzzle.scene == listed[-1].scene()
    assert puzzle.solution == listed[-1].solution
    with pytest.raises(ConfigError, match="Its template has 2 of them"):
        find_puzzle("00013:002")
