"""Training as a user runs it."""

from pathlib import Path

import pytest

from comphy.dataset.questions import split_file, write_questions
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions
from tests.support.commands import comphy

BLIND = "configs/baselines/blind_lstm.yaml"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    factual = Question(0, QuestionKind.FACTUAL, "Is the cube heavy?", ("exist",), "object_mass_exist", "yes")
    choices = (Choice(0, "The cube and the ball collide", (), True), Choice(1, "The cubes collide", (), False))
    coming = Question(1, QuestionKind.PREDICTIVE, "What will happen next?", (), choices=choices)
    for start, split in enumerate(("train", "val", "test")):
        scenes = [SceneQuestions(10 * start + i, "sim.mp4", (factual, coming)) for i in range(4)]
        write_questions(split_file(tmp_path / "data", split, answers=True), scenes)
        if split == "test":
            asked = [scene.without_answers() for scene in scenes]
            write_questions(split_file(tmp_path / "data", split, answers=False), asked)
    return tmp_path / "data"


def test_stops_goes_on_and_prints_the_table(dataset: Path, tmp_path: Path):
    arguments = (BLIND, "epochs=3", "model.hidden=8", "--data", dataset, "--out", tmp_path / "run")
    stopped = comphy("train", *arguments, "--max-minutes", 0)
    assert stopped.returncode == 0, stopped.stderr
    assert "Out of time after 1 epochs" in stopped.stdout and "run the same command to go on" in stopped.stdout
    finished = comphy("train", *arguments)
    assert finished.returncode == 0, finished.stderr
    assert "Training finished: 3 epochs" in finished.stdout
    rows = [line.split("│")[1].split() for line in finished.stdout.splitlines() if "│" in line]
    assert ["val"] in rows and ["test"] in rows


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["configs/none.yaml"], "no such config file"),
        ([BLIND, "epoch=3"], "epoch: unknown key; did you mean 'epochs'?"),
        ([BLIND, "--data", "none"], "none: no such dataset"),
    ],
)
def test_bad_input_is_explained(arguments: list[str], message: str, tmp_path: Path):
    result = comphy("train", *arguments, "--out", tmp_path / "run")
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "run").exists()
