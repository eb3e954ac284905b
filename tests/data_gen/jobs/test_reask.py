"""What is hidden by new hashes shows when questions and descriptions are made again from the seed."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from comphy.dataset import layout
from comphy.dataset.manifest import Manifest
from comphy.dataset.notes import notes_path
from data_gen.jobs.reask import check_asking
from data_gen.jobs.redraw import check_redraw

pytestmark = pytest.mark.bullet


@pytest.fixture
def copy(small_dataset: Path, tmp_path: Path) -> Path:
    shutil.copytree(small_dataset, tmp_path / "data")
    return tmp_path / "data"


def problems(root: Path, count: int = 4) -> list[str]:
    return [str(problem) for problem in check_asking(root, Manifest.read(root), count, "who knows")]


def first_question(scenes: list[dict[str, Any]]) -> dict[str, Any]:
    question: dict[str, Any] = scenes[0]["questions"][0]
    return question


def test_an_untouched_dataset_is_asked_the_same_again(small_dataset: Path) -> None:
    assert problems(small_dataset) == [] and problems(small_dataset, count=1) == []


@pytest.mark.parametrize("change", [{"question": "Is it so?"}, {"note": 1}, {"question_id": 0.0}])
def test_another_wording_is_found(copy: Path, change: dict[str, object]) -> None:
    scenes = json.loads((copy / "train.json").read_text())
    first_question(scenes).update(change)
    (copy / "train.json").write_text(json.dumps(scenes))
    (found,) = problems(copy)
    assert "train.json: set 0, asked again from the seed, has other questions" in found and found.endswith("who knows")


def test_stability_that_was_measured_later_is_no_difference(copy: Path) -> None:
    path = copy / notes_path("train")
    scenes = json.loads(path.read_text())
    first_question(scenes)["stability"] = {"runs": 2, "options": [], "question": 0.5}
    path.write_text(json.dumps(scenes))
    assert problems(copy) == []
    first_question(scenes)["family"] = "another"
    path.write_text(json.dumps(scenes))
    assert len(problems(copy)) == 1


def test_changed_descriptions_are_found(copy: Path) -> None:
    (copy / layout.CARD).write_text("# Another card\n")
    (copy / layout.CROISSANT).unlink()
    manifest = json.loads((copy / layout.MANIFEST).read_text())
    del manifest["config"]["blender"]["samples"]  # as it is by default
    (copy / layout.MANIFEST).write_text(json.dumps(manifest))
    first, *found = [str(problem) for problem in check_redraw(copy, 1)]
    assert str(layout.MANIFEST) in first and "its config, written again, differs" in first
    assert len(found) == 2 and str(layout.CARD) in found[0] and str(layout.CROISSANT) in found[1]
    assert all("written again from the recipe it differs" in problem for problem in found)
