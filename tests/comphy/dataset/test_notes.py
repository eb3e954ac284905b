import json
from pathlib import Path

import pytest

from comphy.dataset.notes import read_notes, write_notes
from comphy.errors import DatasetError
from comphy.questions.model import Note
from tests.support.scenes import SHOWN


def test_what_is_written_is_read(tmp_path: Path) -> None:
    notes = (Note(0, "object_query", ()), Note(1, "counterfact_heavier", SHOWN[:2], "mass_1_5"))
    write_notes(tmp_path / "notes.json", [(7, notes), (9, ())])
    assert read_notes(tmp_path / "notes.json") == {7: notes, 9: ()}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "expected a list of scenes"),
        ([{"scene_index": 3}], "expected the key 'questions'"),
        ([{"scene_index": 3, "questions": [{"question_id": 0}]}], "scene 3: expected the key 'family'"),
        (
            [{"scene_index": 3, "questions": [{"question_id": 0, "family": "f", "evidence": [
                {"video": "target", "kind": "colision", "frame": 1, "objects": [0, 1]}]}]}],
            "unknown kind of event 'colision'; did you mean 'collision'?",
        ),
    ],
)  # fmt: skip
def test_damage_is_named(tmp_path: Path, content: object, message: str) -> None:
    path = tmp_path / "notes.json"
    path.write_text(json.dumps(content))
    with pytest.raises(DatasetError) as error:
        read_notes(path)
    assert message in str(error.value) and str(path) in str(error.value)
