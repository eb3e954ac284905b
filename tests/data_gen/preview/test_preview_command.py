"""The command that draws a set and prints its questions."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from comphy.dataset import layout
from data_gen.preview.pictures.write import Preview
from tests.support.commands import Result, comphy

pytestmark = [pytest.mark.bullet, pytest.mark.slow]

FILMED = 3


def questions_of(root: Path) -> list[dict[str, Any]]:
    """The records of the filmed set's questions, as they stand on disk."""
    scenes = json.loads((root / "train.json").read_text())
    return next(scene["questions"] for scene in scenes if scene["scene_index"] == FILMED)


def run(*arguments: object) -> Result:
    return comphy("preview", *arguments)


def test_pictures_lie_beside_what_the_manifest_lists(preview: Preview, filmed_dataset: Path):
    listed = {str(path) for path in layout.set_files(FILMED, rendered=True)}
    written = {str(path.relative_to(filmed_dataset)) for path in preview.folder.rglob("*") if path.is_file()}
    assert len(written) == 3 and not written & listed and all(name.startswith("preview/") for name in written)


@pytest.mark.usefixtures("small_clips")
def test_command_prints_the_questions_after_the_paths(filmed_dataset: Path, tmp_path: Path):
    result = run(filmed_dataset, FILMED, "--out", tmp_path / "set")
    assert result.returncode == 0, result.stderr
    assert {path.name for path in (tmp_path / "set").iterdir()} == {"sheet.png", "clip.mp4", "top.png"}
    paths, questions = result.stdout.split("top.png", 1)
    assert "sheet.png" in paths and "What" not in paths
    for question in questions_of(filmed_dataset):
        assert question["question"] in " ".join(questions.split())


def test_command_prints_questions_and_draws_nothing(filmed_dataset: Path, tmp_path: Path):
    result = run(filmed_dataset, "--questions", "--out", tmp_path / "pictures")
    assert result.returncode == 0, result.stderr
    assert not (tmp_path / "pictures").exists()
    words = " ".join(result.stdout.split())
    for question in questions_of(filmed_dataset):
        assert question["question"] in words


def test_command_works_without_questions(small_dataset: Path, tmp_path: Path):
    copy = Path(shutil.copytree(small_dataset, tmp_path / "copy"))
    (copy / "train.json").unlink()
    result = run(copy, 1, "--questions")
    assert result.returncode == 0, result.stderr
    assert "No questions: this dataset has none of the split train." in result.stdout.splitlines()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "0"), "error: nowhere: no such folder."),
        (("{filmed}", "0"), "no set 0 in this dataset. It holds set 3."),
        (("{filmed}",), "Expected the number of a set"),
        (("{filmed}", "3", "--out", "{filmed}/README.md"), "a file is in the way of a folder. Choose another --out"),
    ],
)
def test_command_errors_are_messages(filmed_dataset: Path, arguments: tuple[str, ...], message: str):
    result = run(*(argument.format(filmed=filmed_dataset) for argument in arguments))
    assert result.returncode == 1
    assert message in result.stderr and "Traceback" not in result.stderr
