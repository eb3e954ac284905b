"""The checks find what is wrong with questions; each test breaks one thing in a real dataset."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from comphy.dataset.checks.questions import balance_table, check_questions
from comphy.dataset.manifest import Manifest
from comphy.dataset.notes import notes_path, read_notes
from comphy.dataset.questions import read_questions

pytestmark = pytest.mark.bullet


def _problems(root: Path) -> list[str]:
    return [str(problem) for problem in check_questions(root, Manifest.read(root))]


def _first(scenes: list[dict[str, Any]], factual: bool) -> dict[str, Any]:
    return next(q for scene in scenes for q in scene["questions"] if ("choices" not in q) is factual)


def _wrong_answer(scenes: list[dict[str, Any]]) -> None:
    question = _first(scenes, factual=True)
    question["answer"] = "no" if question["answer"] == "yes" else "yes"


def _wrong_choice(scenes: list[dict[str, Any]]) -> None:
    choice = _first(scenes, factual=False)["choices"][0]
    choice["answer"] = "correct" if choice["answer"] == "wrong" else "wrong"


def _no_choices(scenes: list[dict[str, Any]]) -> None:
    _first(scenes, factual=False)["choices"] = []


def _same_choice_twice(scenes: list[dict[str, Any]]) -> None:
    question = _first(scenes, factual=False)
    question["choices"] = [question["choices"][0], question["choices"][0] | {"choice_id": 1}]


def _unknown_operator(scenes: list[dict[str, Any]]) -> None:
    _first(scenes, factual=True)["program"][-1] = "query_colour"


def _idle_condition(scenes: list[dict[str, Any]]) -> None:
    question = _first(scenes, factual=True)
    question["program"] = ["objects", "null", "filter_moving", "count"]
    question["answer"] = "3"


def _asked_twice(scenes: list[dict[str, Any]]) -> None:
    questions = scenes[0]["questions"]
    questions[1] = questions[0] | {"question_id": questions[1]["question_id"]}


def _absent_object(scenes: list[dict[str, Any]]) -> None:
    _first(scenes, factual=True)["program"][:] = ["objects", "filter_heavy", "filter_light", "unique", "query_color"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_wrong_answer, "the program gives"),
        (_wrong_choice, "the program says"),
        (_no_choices, "expected an answer or choices"),
        (_same_choice_twice, "two choices name the same event"),
        (_unknown_operator, "unknown operator or word; did you mean 'query_color'"),
        (_idle_condition, "survives dropping a condition"),
        (_asked_twice, "asked twice"),
        (_absent_object, "expected exactly one (found 0)"),
    ],
)
def test_damage_is_found(
    small_dataset: Path, tmp_path: Path, damage: Callable[[list[dict[str, Any]]], None], message: str
) -> None:
    root = tmp_path / "copy"
    shutil.copytree(small_dataset, root)
    assert _problems(root) == []
    scenes = json.loads((root / "train.json").read_text())
    damage(scenes)
    (root / "train.json").write_text(json.dumps(scenes))
    found = _problems(root)
    assert any(message in problem for problem in found), found
    assert all("train.json: scene" in problem for problem in found)


def test_files_that_are_missing_malformed_or_out_of_step(small_dataset: Path, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    shutil.copytree(small_dataset, root)
    (root / "train.json").write_text("[{")
    assert "train.json" in _problems(root)[0]
    (root / "train.json").unlink()
    assert "train.json" in _problems(root)[0]
    shutil.copy(small_dataset / "train.json", root / "train.json")
    scenes = json.loads((root / "train.json").read_text())
    (root / "train.json").write_text(json.dumps(scenes[1:]))
    assert "expected the 4 sets of the split in order" in _problems(root)[0]


def test_a_note_that_names_other_evidence_is_found(small_dataset: Path, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    shutil.copytree(small_dataset, root)
    path = root / notes_path("train")
    records = json.loads(path.read_text())
    shown = next(q for scene in records for q in scene["questions"] if q["evidence"])
    shown["evidence"][0]["frame"] += 1
    path.write_text(json.dumps(records))
    (found,) = _problems(root)
    assert "other evidence" in found


def test_stability_of_other_choices_is_found(small_dataset: Path, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    shutil.copytree(small_dataset, root)
    path = root / notes_path("train")
    records = json.loads(path.read_text())
    asked = next(q for scene in records for q in scene["questions"] if q.get("run"))
    asked["stability"] = {"runs": 16, "options": [1.0], "question": 1.0}
    path.write_text(json.dumps(records))
    (found,) = _problems(root)
    assert "expected the stability of each of its choices (found 1)" in found


def test_the_balance_table_counts_every_answer(small_dataset: Path) -> None:
    scenes = read_questions(small_dataset / "train.json")
    rows = balance_table(scenes, read_notes(small_dataset / notes_path("train")))
    assert sum(row.asked for row in rows) == sum(len(scene.questions) for scene in scenes)
    answers = sum(sum(row.answers.values()) for row in rows)
    assert answers == sum(len(q.choices) or 1 for scene in scenes for q in scene.questions)
