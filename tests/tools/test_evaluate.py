"""The evaluation as a user runs it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from comphy.dataset.notes import notes_path, write_notes
from comphy.dataset.questions import read_questions, split_file, write_questions
from comphy.dataset.submission import Answer, QuestionKey, write_submission
from comphy.questions.model import Choice, Note, Question, QuestionKind, SceneQuestions, Stability
from models.pcr.reasoner.checkpoint import MODEL, load_reasoner, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.train.checkpoint import load_tensors
from tests.support.commands import comphy
from tests.support.perceived_truth import perceive_truth

ASKED = (
    Question(0, QuestionKind.FACTUAL, "?", ("objects", "exist"), "object_mass_exist", "yes"),
    Question(1, QuestionKind.PREDICTIVE, "?", ("belong_to",), choices=(Choice(0, "…", (), True),)),
)
TRUTH = [SceneQuestions(5, "sim_00005.mp4", ASKED)]
ANSWERS: dict[QuestionKey, Answer] = {(5, 0): "yes", (5, 1): {0: True}}


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A dataset's question files with a submission beside them."""
    hidden = [replace(scene, questions=tuple(q.without_answers() for q in scene.questions)) for scene in TRUTH]
    write_questions(tmp_path / "test.json", hidden)
    write_questions(tmp_path / "test_answers.json", TRUTH)
    write_submission(tmp_path / "submission.json", TRUTH, ANSWERS)
    return tmp_path


def test_a_dataset_folder(dataset: Path):
    result = comphy("evaluate", dataset / "submission.json", dataset, "--json", dataset / "scores.json")
    assert result.returncode == 0, result.stderr
    assert "submission" in result.stdout and "Blind-LSTM" in result.stdout and "object_mass_exist" in result.stdout
    scores = json.loads((dataset / "scores.json").read_text())
    assert scores["columns"]["factual"]["accuracy"] == 1.0
    assert scores["columns"]["counterfactual_per_option"] is None


def test_stability_adds_tables_and_figures(dataset: Path):
    options = ("--json", dataset / "scores.json")
    write_notes(dataset / notes_path("test"), [(5, [Note(0, "f", ()), Note(1, "predictive", ())])])
    before = comphy("evaluate", dataset / "submission.json", dataset, *options)
    assert before.returncode == 0 and "by stability" not in before.stdout
    assert f"first run comphy stability {dataset} --split test" in before.stdout.replace("\n", "")
    assert "stability" not in json.loads((dataset / "scores.json").read_text())
    stable = Stability(16, (0.875,), 0.875)
    write_notes(dataset / notes_path("test"), [(5, [Note(0, "f", ()), Note(1, "predictive", (), "", stable)])])
    after = comphy("evaluate", dataset / "submission.json", dataset, *options)
    assert after.returncode == 0 and "by stability" in after.stdout and "ceiling, majority" in after.stdout
    assert "first run" not in after.stdout
    found = json.loads((dataset / "scores.json").read_text())["stability"]
    whole, steady, chaotic = found["scores"]
    assert (whole["ceiling"]["per_option"], chaotic["per_option"]["accuracy"]) == (0.875, 1.0)
    assert steady["per_option"] is None and (found["measured"], found["asked"]) == (1, 1)


def test_a_question_file(dataset: Path):
    result = comphy("evaluate", dataset / "submission.json", dataset / "test_answers.json")
    assert result.returncode == 0, result.stderr


def test_the_authors_own_pair_of_files(dataset: Path, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("internal")
    (dataset / "test_answers.json").rename(folder / "open_end_questions.json")
    result = comphy("evaluate", dataset / "submission.json", folder)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("submission", "questions", "options", "message"),
    [
        ("submission.json", "test.json", [], "keeps its answers back; use test_answers.json"),
        ("submission.json", ".", ["--split", "val"], "val.json: no such question file"),
        ("none.json", ".", [], "no such submission file"),
        ("test.json", ".", [], "expected 'answer' or 'choices' (got neither)"),
    ],
)
def test_bad_input_is_explained(dataset: Path, submission: str, questions: str, options: list[str], message: str):
    result = comphy("evaluate", dataset / submission, dataset / questions, *options)
    assert result.returncode == 1
    assert message in result.stderr and "Traceback" not in result.stderr


def test_splits_are_a_closed_set(dataset: Path):
    result = comphy("evaluate", dataset / "submission.json", dataset, "--split", "tset")
    assert result.returncode == 2 and all(split in result.stderr for split in ("train", "val", "test"))


def test_other_systems_stand_in_the_same_table(dataset: Path):
    write_questions(dataset / "train.json", TRUTH)
    run = dataset / "other"
    run.mkdir()
    write_submission(run / "submission_test.json", TRUTH, {(5, 0): "no", (5, 1): {0: True}})
    options = ("--baselines", "--beside", run, "--plots", dataset / "plots", "--json", dataset / "scores.json")
    result = comphy("evaluate", dataset / "submission.json", dataset, *options)
    assert result.returncode == 0, result.stderr
    assert all(name in result.stdout for name in ("random", "frequent", run.name, "CPL, paper", "Humans, paper"))
    scores = json.loads((dataset / "scores.json").read_text())
    assert scores["beside"][run.name]["factual"]["accuracy"] == 0.0
    assert scores["beside"]["frequent"]["factual"]["accuracy"] == 1.0
    assert (dataset / "plots" / "groups.png").is_file() and (dataset / "plots" / "comparison.png").is_file()


@pytest.mark.slow
def test_a_reasoner(small_dataset: Path, tmp_path: Path):
    save_reasoner(tmp_path / MODEL, Reasoner(ReasonerSettings(state_fit=False, property_refinement=False)))
    perceive_truth(small_dataset, tmp_path / "features", range(4))
    before, _ = load_tensors(tmp_path / MODEL)
    questions = read_questions(split_file(small_dataset, "train", answers=True))
    beside = tmp_path / "beside.json"
    given = {
        (scene.scene_index, one.question_id): one.answer for scene in questions for one in scene.questions if one.answer
    }
    write_submission(beside, questions, given)
    options = ("--split", "train", "--diagnose", "--calibrate", "--plots", tmp_path / "plots", "--device", "cpu")
    result = comphy(
        *("evaluate", tmp_path, small_dataset, *options, "--json", tmp_path / "scores.json"),
        *("--sets", "2", "--beside", beside),
    )
    assert result.returncode == 0, result.stderr
    assert all(text in result.stdout for text in ("Accuracy of concepts", "everything", "no parser", "laws: left out"))
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["diagnosis"]["replaced"]["everything"]["factual"]["accuracy"] == 1.0
    assert scores["diagnosis"]["unmatched_sets"] == [] and scores["concepts"]["color"]["count"] >= 6
    assert scores["diagnosis"]["sets"] == 2 and "states" in scores["diagnosis"]["left_out"]
    (other,) = scores["beside"].values()
    assert other["factual"]["accuracy"] == 1.0 and other["factual"]["count"] == sum(
        not one.choices for scene in questions[:2] for one in scene.questions
    )
    found = scores["calibration"]["factual"]
    assert found["computed"]["count"] == found["recalibrated"]["count"] == scores["columns"]["factual"]["count"]
    assert "Calibration of answers" in result.stdout and (tmp_path / "plots" / "reliability.png").is_file()
    kept, (after, _) = load_reasoner(tmp_path).recalibrations, load_tensors(tmp_path / MODEL)
    assert kept[QuestionKind.FACTUAL].temperature == found["recalibrated"]["temperature"]
    assert all(torch.equal(before[name], after[name]) for name in before | after)


@pytest.mark.parametrize("options", [("--split", "test"), ("--split", "val", "--without", "follow_recording")])
def test_test_answers_and_parts_of_a_reasoner_recalibrate_nothing(dataset: Path, options: tuple[str, ...]):
    save_reasoner(dataset / MODEL, Reasoner(ReasonerSettings()))
    result = comphy("evaluate", dataset, dataset, "--calibrate", *options)
    assert result.returncode == 1 and "Test answers are only measured" in result.stderr.replace("\n", " ")


def test_a_submission_has_nothing_to_recalibrate(dataset: Path):
    result = comphy("evaluate", dataset / "submission.json", dataset, "--calibrate", "--split", "val")
    assert result.returncode == 1 and "expected the run of a whole reasoner" in result.stderr.replace("\n", " ")
