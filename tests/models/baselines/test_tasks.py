import json
from pathlib import Path

import pytest

from comphy.dataset.questions import read_questions
from comphy.dataset.submission import read_submission
from comphy.evaluation.qa.accuracy import score
from models.tasks import load_task, train
from models.train.run import Run, TrainingOutcome

TINY = {"blind_lstm": ["epochs=2", "model.hidden=8", "model.embedding=4"]}


def run(name: str, dataset: Path, out: Path, max_minutes: float | None = None) -> TrainingOutcome:
    return train(*load_task(Path(f"configs/baselines/{name}.yaml"), TINY.get(name, [])), Run(dataset, out, max_minutes))


@pytest.mark.parametrize("name", ["random", "frequent", "blind_lstm"])
def test_a_run_leaves_submissions_scores_and_a_log(name: str, dataset: Path, tmp_path: Path):
    out = tmp_path / "run"
    outcome = run(name, dataset, out)
    assert set(outcome.reports) == {"val", "test"}
    for split, truth in (("val", "val.json"), ("test", "test_answers.json")):
        again = score(read_questions(dataset / truth), read_submission(out / f"submission_{split}.json"))
        assert again == outcome.reports[split] and again.unanswered == 0
        assert json.loads((out / "scores.json").read_text())[split] == again.record()
    assert (out / "config.yaml").read_text().startswith(f"task: {name}\n")
    assert all("step" in json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines())


@pytest.mark.parametrize("name", ["random", "frequent", "blind_lstm"])
def test_running_again_changes_nothing(name: str, dataset: Path, tmp_path: Path):
    first = run(name, dataset, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.json*")}
    assert run(name, dataset, tmp_path) == first
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.json*")} == before


def test_answers_of_the_test_split_make_no_difference(dataset: Path, tmp_path: Path):
    run("blind_lstm", dataset, tmp_path / "with")
    (dataset / "test_answers.json").unlink()
    assert set(run("blind_lstm", dataset, tmp_path / "without").reports) == {"val"}
    name = "submission_test.json"
    assert (tmp_path / "with" / name).read_bytes() == (tmp_path / "without" / name).read_bytes()


def test_a_dataset_without_a_test_split(dataset: Path, tmp_path: Path):
    (dataset / "test.json").unlink()
    assert set(run("random", dataset, tmp_path).reports) == {"val"}
    assert not (tmp_path / "submission_test.json").exists()


def test_out_of_time_says_how_to_go_on(dataset: Path, tmp_path: Path):
    """Before the first epoch has ended there are no weights to answer with; after it, there are."""
    first = run("blind_lstm", dataset, tmp_path, max_minutes=0)
    assert first.note == (
        f"Out of time after 0 epochs, at batch 1 of the next: checkpoint in {tmp_path}; run the same command to go on."
    )
    assert not first.reports and first.exit_code == 0
    second = run("blind_lstm", dataset, tmp_path, max_minutes=0)
    assert second.note.startswith("Out of time after 1 epochs, the best is epoch 1: checkpoint in") and second.reports
    assert run("blind_lstm", dataset, tmp_path).note.startswith("Training finished: 2 epochs")


def test_frequent_writes_what_it_counted(dataset: Path, tmp_path: Path):
    run("frequent", dataset, tmp_path)
    assert json.loads((tmp_path / "model.json").read_text())["answers"]["color_pair"] == "blue and red"
