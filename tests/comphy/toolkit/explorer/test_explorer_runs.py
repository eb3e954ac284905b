"""Runs on the page: a run that knows all answers, and one that gets some of them wrong."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from comphy.dataset.dataset import open_dataset
from comphy.dataset.sources.opening import open_source
from comphy.dataset.submission import Answer, write_submission
from comphy.errors import ConfigError, DatasetError
from comphy.evaluation.qa.calibration.calibration import CalibrationReport, calibrations
from comphy.files import read_json, write_json
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app
from comphy.toolkit.explorer.runs.confusion import confusion
from comphy.toolkit.explorer.runs.runs import Runs
from comphy.toolkit.explorer.serving.server import Server
from tests.support.site import request

pytestmark = pytest.mark.bullet
SPLIT = "train"


def right(question: Question) -> Answer:
    if question.answer is not None:
        return question.answer
    return {choice.choice_id: bool(choice.correct) for choice in question.choices}


def wrong(question: Question) -> Answer:
    if question.answer is not None:
        return "no" if question.answer == "yes" else "yes"
    return {choice.choice_id: not choice.correct for choice in question.choices}


@pytest.fixture(scope="module")
def runs(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The second one is wrong about set 2 alone, and given as a file."""
    truth, folder = open_source(small_dataset).questions(SPLIT), tmp_path_factory.mktemp("runs")
    known = {(s.scene_index, q.question_id): right(q) for s in truth for q in s.questions}
    worse = known | {(2, q.question_id): wrong(q) for s in truth if s.scene_index == 2 for q in s.questions}
    paths = [folder / "knows" / f"submission_{SPLIT}.json", folder / "guesses" / "answers.json"]
    for path, answers in zip(paths, (known, worse), strict=True):
        path.parent.mkdir()
        write_submission(path, truth, answers)
    return [paths[0].parent, paths[1]]


@pytest.fixture(scope="module")
def site(small_dataset: Path, runs: list[Path]) -> Iterator[Server]:
    library = Library([small_dataset])
    with Server(build_app(library, Runs(runs, library.source(0).source))) as server:
        yield server


def test_runs_are_ranked(site: Server) -> None:
    assert request(site, "/api/sources").json["runs"] == ["knows", "guesses"]
    [board] = request(site, "/api/runs").json["splits"]
    assert (board["split"], [one["name"] for one in board["systems"]]) == (SPLIT, ["knows", "guesses"])
    best, worse = (one["columns"]["factual"]["accuracy"] for one in board["systems"])
    assert best == 1.0 > worse


def test_wrong_answers_are_found(site: Server, small_dataset: Path) -> None:
    assert request(site, "/api/runs/wrong").json["sets"] == {"knows": [], "guesses": [2]}
    questions = request(site, f"/api/runs/splits/{SPLIT}").json["questions"]
    asked = sum(len(one.questions) for one in open_dataset(small_dataset))
    assert len(questions) == asked
    missed = [one for one in questions if not one["answers"][1]["right"]]
    assert missed and all(one["set"] == 2 and one["answers"][0]["right"] for one in missed)
    of_set = request(site, "/api/runs/sets/2").json["answers"]
    assert [one["right"] for one in of_set["0"]] == [True, False]
    assert request(site, "/api/runs/splits/nothing").status == 400


def test_confusion_counts_every_question_and_choice(site: Server, small_dataset: Path) -> None:
    told = request(site, f"/api/runs/splits/{SPLIT}/confusion").json["confusion"]
    questions = [question for one in open_dataset(small_dataset) for question in one.questions]
    for run, misses in (("knows", False), ("guesses", True)):
        cells = [cell for one in told if one["run"] == run for cell in one["cells"]]
        assert sum(count for _, _, count in cells) == sum(len(one.choices) or 1 for one in questions)
        assert any(true != given for true, given, _ in cells) is misses
    families = {(one["kind"], one["family"]) for one in told}
    assert families == {(str(one.kind), one.family) for one in questions}


def test_what_was_not_answered_is_told() -> None:
    choices = (Choice(0, "a", (), True), Choice(1, "b", (), False))
    asked = SceneQuestions(
        7,
        "",
        (
            Question(0, QuestionKind.FACTUAL, "How many?", (), answer="2", family="count"),
            Question(1, QuestionKind.PREDICTIVE, "What next?", (), choices=choices, family="next"),
        ),
    )
    told = confusion([asked], {(7, 1): {0: False}})
    assert [(one["family"], one["cells"]) for one in told] == [
        ("count", [["2", "no answer", 1]]),
        ("next", [["correct", "wrong", 1], ["wrong", "no answer", 1]]),
    ]


def test_what_is_no_run_is_refused(small_dataset: Path, tmp_path: Path, runs: list[Path]) -> None:
    source = open_source(small_dataset)
    with pytest.raises(ConfigError, match=r"such as submission_test.json, .* \(found neither\)"):
        Runs([tmp_path], source)
    with pytest.raises(ConfigError, match="found nothing"):
        Runs([tmp_path / "none"], source)
    with pytest.raises(ConfigError, match="expected a source with --run"):
        Runs(runs, None)


def test_answers_to_another_source_are_refused(site: Server, six_rendered: Path, tmp_path: Path) -> None:
    library = Library([six_rendered])
    file = tmp_path / "submission_val.json"
    truth = open_source(six_rendered).questions("val")
    write_submission(file, truth, {(4, q.question_id): right(q) for q in truth[0].questions})
    file.write_text(file.read_text().replace('"scene_index":4', '"scene_index":9999'))
    with Server(build_app(library, Runs([tmp_path], library.source(0).source))) as server:
        answer = request(server, "/api/runs")
        assert (answer.status, str(file) in answer.json["error"]) == (400, True)


def test_curves_are_what_training_logged(runs: list[Path], small_dataset: Path, tmp_path: Path) -> None:
    """Also of a run that was killed in the middle of a line, or whose loss was no number."""
    folder, file = Path(shutil.copytree(runs[0], tmp_path / "logged")), runs[1]
    shown = Runs([folder, file], open_source(small_dataset))
    assert shown.curves() == []
    lines = [
        '{"step": 1, "val/loss": 2, "kind": "a"}',
        '{"step": 2, "val/loss": NaN, "rate": 0.5}',
        "[3]",
        '{"step": 3, "va',
    ]
    (folder / "metrics.jsonl").write_text("\n".join(lines))
    series = [{"name": "rate", "points": [(2, 0.5)]}, {"name": "val/loss", "points": [(1, 2)]}]
    assert shown.curves() == [{"run": "logged", "series": series}]
    (folder / "metrics.jsonl").write_text("".join(f'{{"step": {step}, "loss": {step}}}\n' for step in range(5000)))
    (long,) = shown.curves()[0]["series"]
    assert 400 < len(long["points"]) <= 500 and long["points"][0] == (0, 0)


def test_calibration_is_what_evaluate_wrote_into_a_run(runs: list[Path], small_dataset: Path, tmp_path: Path) -> None:
    folder, source = Path(shutil.copytree(runs[0], tmp_path / "sure")), open_source(small_dataset)
    shown = Runs([folder, runs[1]], source)
    assert shown.record()["splits"][0]["calibration"] == []
    truth = source.questions(SPLIT)
    asked = [(scene.scene_index, question) for scene in truth for question in scene.questions]
    answers = {(index, one.question_id): right(one) for index, one in asked}
    sure = {
        (index, one.question_id): {choice.choice_id: 0.75 for choice in one.choices} or 0.75 for index, one in asked
    }
    report = CalibrationReport(calibrations(truth, answers, sure), {})
    file = folder / f"evaluation_{SPLIT}.json"
    write_json(file, {"calibration": report.record()})
    [told] = shown.record()["splits"][0]["calibration"]
    assert told["run"] == "sure" and set(told["kinds"]) == {str(kind) for kind in report.computed}
    for one in told["kinds"].values():
        assert one == {"error": pytest.approx(0.25), "points": [[pytest.approx(0.75), 1.0]]}
    write_json(file, {"calibration": {"factual": {"recalibrated": None}}})
    with pytest.raises(DatasetError, match=r"evaluation_train\.json: expected the key 'computed'"):
        shown.record()


def test_robustness_is_what_a_stress_test_wrote_into_a_run(agrees: Path, six_rendered: Path, tmp_path: Path) -> None:
    source = open_source(six_rendered)
    [board] = Runs([agrees], source).record()["splits"]
    [told] = board["robustness"]
    assert [row["name"] for row in told["rows"]] == ["drawn", "h264-23", "h264-35"]
    of_board = board["systems"][0]["columns"]
    for row in told["rows"]:
        for column, (accuracy, low, high) in row["columns"].items():
            assert accuracy == of_board[column]["accuracy"] and low <= accuracy <= high
    copied = tmp_path / "agrees"
    shutil.copytree(agrees, copied)
    other = read_json(copied / "stress" / "stress.json") | {"split": "test"}
    write_json(copied / "stress" / "stress.json", other)
    assert Runs([copied], source).record()["splits"][0]["robustness"] == [], "a table of another split"
    write_json(copied / "stress" / "stress.json", {"split": "val", "rows": [{"name": "drawn"}]})
    with pytest.raises(DatasetError, match=r"stress.json.*about"):
        Runs([copied], source).record()
