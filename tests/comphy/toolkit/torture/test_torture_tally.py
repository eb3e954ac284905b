"""Counts in a file, to which later trials are added."""

import json
from pathlib import Path

import pytest

from comphy.choices import Torture
from comphy.errors import ConfigError, DatasetError
from comphy.toolkit.torture.run import torture
from comphy.toolkit.torture.tally import Tallies, Tally
from comphy.toolkit.torture.trial_result import TrialResult

FINE, BAD = TrialResult("read", "it"), TrialResult("nonsense", "it", different=True, told="what")


def test_counts_come_back_from_their_file(tmp_path: Path) -> None:
    counted = Tallies(3, tmp_path / "counts.json")
    for number, outcome in ((0, FINE), (1, BAD), (2, FINE), (7, FINE)):
        counted.of(Torture.PACKS).add(number, outcome, "again")
    counted.write()
    record = json.loads((tmp_path / "counts.json").read_text())["packs"]
    assert record["trials"] == [[0, 2], [7, 7]] and (record["tried"], record["survived"]) == (4, 3)
    found = Tallies(3, tmp_path / "counts.json").of(Torture.PACKS)
    assert found == counted.of(Torture.PACKS)
    with pytest.raises(ConfigError, match=r"expected trials of seed 4 \(found seed 3"):
        Tallies(4, tmp_path / "counts.json")


@pytest.mark.parametrize("content", ["{", "[]", '{"seed": 3, "packs": {"trials": [5]}}', '{"seed": 3, "packs": {}}'])
def test_other_files_are_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "counts.json").write_text(content)
    with pytest.raises(DatasetError, match=r"counts\.json"):
        Tallies(3, tmp_path / "counts.json")


def test_only_failures_are_tried_again(tmp_path: Path) -> None:
    tally = Tally(Torture.PACKS)
    for number in range(5):
        tally.add(number, BAD if number == 3 else FINE, "again")
    done: list[int] = []
    torture(Torture.PACKS, tmp_path, 0, range(7), lambda number, of: done.append(number), tally=tally)
    assert done == [5, 6, 7] and tally.trials == set(range(7))
    assert (tally.tried, tally.survived, tally.different, tally.failures) == (7, 7, 0, [])
    assert tally.ways["nonsense"] == 0 and tally.ways.total() == 7
    untouched = Tally.parse(Torture.PACKS, tally.record(), "file")
    assert untouched.record() == tally.record()
