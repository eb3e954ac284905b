"""`comphy ask` and `comphy evaluate` with a language model as the parser, behind a server in a thread."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from comphy.dataset.questions import answers_path, read_questions
from models.llm.names import KEY_VARIABLE
from models.pcr.parser.sentences import distinct_sentences
from models.pcr.reasoner.checkpoint import FEATURES, MODEL, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from tests.support.chat_server import ChatServer, chat_server, said
from tests.support.commands import comphy
from tests.support.perceived_truth import perceive_truth

pytestmark = pytest.mark.bullet
NONE_LEFT = "objects count"


@pytest.fixture
def server(small_dataset: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """Knows the programs of the dataset's sentences; says the same of all others."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    sentences = distinct_sentences(read_questions(small_dataset / answers_path("train")), "train")
    known = {f"({one.kind.replace('_', ' ')}): {one.text}": " ".join(one.program) for one in sentences}

    def answer(body: dict[str, Any]) -> tuple[int, str]:
        asked = body["messages"][-1]["content"].removeprefix("Sentence ")
        return said(known.get(asked, NONE_LEFT))

    with chat_server(answer) as running:
        yield running


@pytest.fixture
def settings(server: ChatServer, tmp_path: Path) -> Path:
    path = tmp_path / "parser.yaml"
    path.write_text(yaml.safe_dump({"model": server.model, "examples": 0, "tries": 1}))
    return path


@pytest.fixture(scope="module")
def run(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained run with its own features of the sets, and no parser."""
    folder = tmp_path_factory.mktemp("run")
    save_reasoner(folder / MODEL, Reasoner(ReasonerSettings(state_fit=False, property_refinement=False)))
    perceive_truth(small_dataset, folder / FEATURES, range(4))
    return folder


@pytest.mark.slow
def test_a_reasoner_is_scored_with_the_readings_of_a_language_model(
    run: Path, settings: Path, small_dataset: Path, server: ChatServer, tmp_path: Path
):
    scores = tmp_path / "scores.json"
    options = ("--split", "train", "--sets", "2", "--parser", settings, "--json", scores, "--device", "cpu")
    result = comphy("evaluate", run, small_dataset, *options)
    assert result.returncode == 0, result.stderr
    assert "Sentences as the named parser reads them" in result.stdout
    assert f"gave {len(server.requests)} answers" in result.stdout.replace("\n", " ")
    record = json.loads(scores.read_text())
    assert record["programs"] == "as the named parser reads the questions"
    assert all(kind["accuracy"] == 1.0 for kind in record["reading"].values()) and len(record["reading"]) == 3


@pytest.mark.slow
def test_a_language_model_is_scored_as_a_parser(settings: Path, small_dataset: Path, tmp_path: Path):
    options = ("--split", "train", "--sets", "1", "--json", tmp_path / "scores.json", "--device", "cpu")
    result = comphy("evaluate", settings, small_dataset, *options)
    assert result.returncode == 0, result.stderr
    assert "as meant" in result.stdout and "gave" in result.stdout
    record = json.loads((tmp_path / "scores.json").read_text())
    assert all(kind["exact"]["accuracy"] == 1.0 for kind in record["as they are"].values())
    assert record["in held-out words"]["factual"]["meant"]["accuracy"] < 1.0


def test_asking_reads_the_question_before_it_looks(run: Path, settings: Path, small_dataset: Path, server: ChatServer):
    server.answer = lambda body: said("Let me think about that.")
    result = comphy(
        "ask", run, f"{small_dataset}:1", "How many cubes are there?", "--parser", settings, "--device", "cpu"
    )
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert (
        "the language model gave no program in 1 tries; its last answer was 'Let me think about that.'" in result.stderr
    )
    assert not list(run.glob("asked"))


def test_an_endpoint_that_is_down_leaves_nothing(
    run: Path, small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    scores = tmp_path / "scores.json"
    named = ("--parser", "http://127.0.0.1:9/v1#any", "--json", scores, "--device", "cpu")
    result = comphy("evaluate", run, small_dataset, "--split", "train", *named)
    assert result.returncode == 1 and "Start the server" in result.stderr and not scores.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--parser", "hf:nowhere"), "nowhere: expected a causal language model"),
        (("--parser", "http://host/v1"), "as http://host/v1#MODEL"),
        (("--parser", "hf:x", "--calibrate", "--split", "val"), "with its own parser"),
    ],
)
def test_names_that_cannot_be_used_are_explained(
    run: Path, small_dataset: Path, arguments: tuple[str, ...], message: str
):
    result = comphy("evaluate", run, small_dataset, "--device", "cpu", *arguments)
    assert result.returncode == 1 and message in result.stderr.replace("\n", " ")


def test_only_a_reasoner_goes_with_another_parser(settings: Path, small_dataset: Path):
    result = comphy("evaluate", settings, small_dataset, "--parser", settings)
    assert result.returncode == 1 and "expected the run of a reasoner to go with --parser" in result.stderr
