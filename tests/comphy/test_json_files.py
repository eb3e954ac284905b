"""Errors of files that are missing or damaged say what to do about the file in question, not about another kind of file."""

from pathlib import Path

import pytest

from comphy.dataset.annotations.annotation import read_annotation
from comphy.errors import DatasetError
from comphy.evaluation.puzzles.phyre.results import read_result
from comphy.files import read_json
from models.baselines.blind.lstm import load_blind


def test_no_word_of_sets_where_none_is_meant(tmp_path: Path) -> None:
    with pytest.raises(
        DatasetError, match=r"^.*report\.json: the file is missing\. Check the path, or make it"
    ) as missing:
        read_json(tmp_path / "report.json")
    (tmp_path / "report.json").write_text("{")
    with pytest.raises(DatasetError, match=r"report\.json: not valid JSON .* make it, or copy it, again\.$") as damaged:
        read_json(tmp_path / "report.json")
    assert not any("generate" in str(error.value) for error in (missing, damaged))


@pytest.mark.parametrize(
    ("read", "name", "told"),
    [
        (read_annotation, "annotation.json", "make the set again with comphy generate"),
        (read_result, "mem_0.json", "comphy phyre evaluate --agent NAME --json"),
        (load_blind, "", "train the model again with comphy train"),
    ],
)
def test_the_way_to_get_the_file_is_told(read, name: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=told):
        read(tmp_path / name)
