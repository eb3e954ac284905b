"""The leaderboard as a user runs it."""

import json
from pathlib import Path

import pytest
import yaml

from comphy.config import to_plain
from comphy.dataset.questions import write_questions
from comphy.dataset.submission import Answer, QuestionKey, write_submission
from comphy.errors import ConfigError
from comphy.evaluation.qa.bias_audit import SingleCue
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions
from comphy.toolkit.leaderboard import single_cues
from models.tasks import load_task
from tests.support.commands import comphy

ASKED = (
    Question(0, QuestionKind.FACTUAL, "?", ("objects", "exist"), "object_mass_exist", "yes"),
    Question(1, QuestionKind.PREDICTIVE, "?", ("belong_to",), choices=(Choice(0, "…", (), True),)),
)
TRUTH = [SceneQuestions(5, "sim_00005.mp4", ASKED), SceneQuestions(6, "sim_00006.mp4", ASKED)]
RIGHT: dict[QuestionKey, Answer] = {(5, 0): "yes", (5, 1): {0: True}, (6, 0): "yes", (6, 1): {0: True}}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A dataset's questions with the folders of two runs beside them."""
    write_questions(tmp_path / "test_answers.json", TRUTH)
    for name, answers in (("good", RIGHT), ("poor", {**RIGHT, (5, 0): "no"})):
        (tmp_path / name).mkdir()
        write_submission(tmp_path / name / "submission_test.json", TRUTH, answers)
    return tmp_path


def test_runs_and_files_stand_in_one_table(runs: Path):
    other = runs / "others.json"
    write_submission(other, TRUTH, {**RIGHT, (6, 1): {0: False}})
    out = runs / "board"
    result = comphy("leaderboard", runs / "poor", runs / "good", other, "--data", runs, "--out", out)
    assert result.returncode == 0, result.stderr
    assert "poor" in result.stdout and "p = 1.000" in result.stdout
    record = json.loads((out / "leaderboard.json").read_text())
    assert next(iter(record["systems"])) == "good" and record["files"]["poor"].endswith("poor/submission_test.json")
    assert record["systems"]["poor"]["columns"]["factual"]["accuracy"] == 0.5
    assert record["comparisons"]["factual"]["poor"]["against"] == "good"
    assert "| good | 100.0 (" in (out / "leaderboard.md").read_text()
    assert (out / "leaderboard.png").read_bytes().startswith(b"\x89PNG")


def test_missing_answers_are_refused_unless_they_count_as_wrong(runs: Path):
    part = runs / "part.json"
    write_submission(part, TRUTH, {(5, 0): "yes", (5, 1): {}})
    refused = comphy("leaderboard", part, "--data", runs)
    assert refused.returncode == 1
    assert "part.json: expected an answer to each of 4 questions" in refused.stderr
    assert "missing: 3; the first is scene 5 question 1" in refused.stderr and "--partial" in refused.stderr
    assert "25.0" not in refused.stdout
    accepted = comphy("leaderboard", part, runs / "good", "--data", runs, "--partial", "--against", "first")
    assert accepted.returncode == 0 and "50.0" in accepted.stdout


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (["good", "nobody"], [], "nobody: expected the folder of a run, or a submission file (found nothing)"),
        (["good", "empty"], [], "expected the answers of a run to the split test (found no submission in the folder)"),
        (["good"], ["--split", "val"], "the split val (found submission_test.json in the folder)"),
        (["good", "good"], [], "good more than once"),
        (["good", "strange.json"], [], "strange.json: 1 of 1 answers belong to no question (scene 7 question 0)"),
    ],
)
def test_bad_input_is_explained(runs: Path, names: list[str], options: list[str], message: str):
    (runs / "empty").mkdir()
    strange = [SceneQuestions(7, "sim_00007.mp4", ASKED)]
    write_submission(runs / "strange.json", strange, {(7, 0): "yes"})
    result = comphy("leaderboard", *(runs / name for name in names), "--data", runs, *options)
    assert result.returncode == 1
    assert message in result.stderr and "Traceback" not in result.stderr


def test_runs_with_a_single_cue_are_held_against_the_blind_ones(runs: Path):
    out = runs / "board"
    (runs / "poor" / "config.yaml").write_text("task: blind_lstm\n")
    (runs / "good" / "config.yaml").write_text("task: mac\ncue: single_frame\ntarget: true\nreferences: false\n")
    result = comphy("leaderboard", runs / "poor", runs / "good", "--data", runs, "--audit", "--out", out)
    assert result.returncode == 0, result.stderr
    assert "Bias audit" in result.stdout and "one frame" in result.stdout and "100.0 (+61.0)!" in result.stdout
    record = json.loads((out / "leaderboard.json").read_text())["bias_audit"]
    assert record["reader"] == "poor" and record["cues"] == {"good": "one frame", "poor": "nothing"}
    assert record["families"]["factual, object mass exist"]["good"]["excess"] == 0.5
    assert "| paper's Blind-LSTM | nothing | 39.0 |" in (out / "leaderboard.md").read_text()


CUES = {
    "random": SingleCue.QUESTION,
    "blind_lstm": SingleCue.QUESTION,
    "mac": SingleCue.TARGET,
    "hcrn": SingleCue.TARGET,
    "alpro": SingleCue.TARGET,
    "mac_ref": None,
    "mac_references_only": SingleCue.REFERENCES,
    "mac_single_frame": SingleCue.SINGLE_FRAME,
    "mac_shuffled_frames": SingleCue.SHUFFLED_FRAMES,
    "cpl": None,
    "lvlm": None,
}


def test_configs_tell_what_a_run_is_shown(tmp_path: Path):
    folders = [tmp_path / name for name in CUES]
    for folder in folders:
        folder.mkdir()
        _, config = load_task(Path("configs/baselines", f"{folder.name}.yaml"))
        (folder / "config.yaml").write_text(yaml.safe_dump(to_plain(config)))
    assert single_cues(folders) == {name: cue for name, cue in CUES.items() if cue}
    with pytest.raises(ConfigError, match=r"--audit: expected .* a single cue \(found none among cpl, lvlm\)"):
        single_cues([folder for folder in folders if folder.name in ("cpl", "lvlm")])
