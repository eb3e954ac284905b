"""Puzzles by their ids."""

from pathlib import Path

import pytest

from comphy.errors import ConfigError
from comphy.puzzles.phyre.benchmark.puzzle import find_puzzle, first_puzzle, puzzle_ids
from comphy.puzzles.phyre.templates.template import find_template
from tests.support.few_tasks import install


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("00002:100", "Its template has 100 of them"),
        ("00102:100", "Its template has 100 of them"),
        ("00002", "such as '00002:017'"),
        ("00999:000", "id of a PHYRE template"),
        ("../etc:000", "such as"),
    ],
)
def test_an_unknown_id_is_explained(wrong: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        find_puzzle(wrong)


def test_puzzles_are_the_tasks_of_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = install(tmp_path, monkeypatch)
    assert puzzle_ids(find_template("00013")) == ("00013:000", "00013:001")
    assert first_puzzle(find_template("00013")).id == "00013:000"
    puzzle = find_puzzle(listed[-1].id)
    assert puzzle.scene == listed[-1].scene()
    assert puzzle.solution == listed[-1].solution
    with pytest.raises(ConfigError, match="Its template has 2 of them"):
        find_puzzle("00013:002")
