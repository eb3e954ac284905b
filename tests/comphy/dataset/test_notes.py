import json
from dataclasses import replace
from pathlib import Path

import pytest

from comphy.dataset.manifest import FileEntry
from comphy.dataset.notes import generated_entry, notes_path, read_notes, read_stabilities, write_notes
from comphy.errors import DatasetError
from comphy.questions.model import Note, Stability
from tests.support.scenes import SHOWN


def test_what_is_written_is_read(tmp_path: Path) -> None:
    notes = (Note(0, "object_query", ()), Note(1, "counterfact_heavier", SHOWN[:2], "mass_1_5"))
    write_notes(tmp_path / "notes.json", [(7, notes), (9, ())])
    assert read_notes(tmp_path / "notes.json") == {7: notes, 9: ()}


def test_stability_stands_beside_what_was_generated(tmp_path: Path) -> None:
    path, name = tmp_path / notes_path("val"), str(notes_path("val"))
    notes = (Note(0, "object_query", ()), Note(1, "counterfact_heavier", SHOWN[:2], "mass_1_5"))
    write_notes(path, [(7, notes)])
    generated, entry = path.read_bytes(), FileEntry.of(path)
    assert b"stability" not in generated and read_stabilities(tmp_path, "val") == {}
    measured = (notes[0], replace(notes[1], stability=Stability(16, (1.0, 0.5), 0.5)))
    write_notes(path, [(7, measured)])
    record = json.loads(path.read_text())[0]["questions"][1]
    assert record["stability"] == {"runs": 16, "options": [1.0, 0.5], "question": 0.5}
    assert read_notes(path) == {7: measured}
    assert read_stabilities(tmp_path, "val") == {(7, 1): Stability(16, (1.0, 0.5), 0.5)}
    assert read_stabilities(tmp_path, "test") is None
    assert path.read_bytes() != generated and generated_entry(tmp_path, name) == entry
    path.write_text('[{"stability": ')
    assert generated_entry(tmp_path, name) == FileEntry.of(path) != entry


def with_stability(stability: object) -> list[object]:
    return [
        {"scene_index": 3, "questions": [{"question_id": 5, "family": "f", "evidence": [], "stability": stability}]}
    ]


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
        (with_stability(0.5), "scene 3: question 5: stability: expected a JSON object with 'runs'"),
        (with_stability({"runs": 16, "options": [1.0]}), "expected the key 'question'"),
        (with_stability({"runs": 16, "options": [1.5], "question": 1.0}), "expected shares from 0 to 1 (got 1.5)"),
        (with_stability({"runs": 16, "options": ["1"], "question": 1.0}), "expected shares from 0 to 1 (got '1')"),
    ],
)  # fmt: skip
def test_damage_is_named(tmp_path: Path, content: object, message: str) -> None:
    path = tmp_path / "notes.json"
    path.write_text(json.dumps(content))
    with pytest.raises(DatasetError) as error:
        read_notes(path)
    assert message in str(error.value) and str(path) in str(error.value)
