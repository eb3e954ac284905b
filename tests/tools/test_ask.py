"""Asking as a user does it: an untrained reasoner and an untrained detector on tiny videos."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.dataset import layout
from comphy.dataset.media.video import read_mp4, write_mp4
from comphy.resources import find_weights
from models.pcr.reasoner.checkpoint import MODEL, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.train.checkpoint import load_tensors, save_tensors
from tests.support.commands import comphy
from tests.support.tiny import save_untrained, square_over_noise

pytestmark = pytest.mark.bullet


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has learned nothing, with its perceiver in it."""
    folder = tmp_path_factory.mktemp("run")
    torch.manual_seed(0)
    save_reasoner(
        folder / MODEL,
        Reasoner(ReasonerSettings(hidden=8, attribute_hidden=8, state_fit=False, property_refinement=False)),
    )
    save_untrained(folder / "perceiver")
    return folder


@pytest.fixture(scope="module")
def data(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small dataset with videos of set 1, in which a square moves over noise; set 2 lacks a reference."""
    root = Path(shutil.copytree(small_dataset, tmp_path_factory.mktemp("data") / "dataset"))
    rng = np.random.default_rng(0)
    for path in (layout.target_video(1), *(layout.reference_video(1, number) for number in range(4))):
        write_mp4(root / path, square_over_noise(125 if path == layout.target_video(1) else 50, rng))
    write_mp4(root / layout.target_video(2), square_over_noise(125, rng))
    return root


@pytest.mark.slow
def test_what_will_happen(run: Path, data: Path, tmp_path: Path):
    clip = tmp_path / "next.mp4"
    result = comphy("ask", run, f"{data}:1", "--program", "unseen_events belong_to", "--clip", clip, "--device", "cpu")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert any(line.startswith("After the video") for line in lines) and "Hidden properties" in lines and "How" in lines
    assert str(clip) in result.stdout.replace("\n", "")
    assert len(read_mp4(clip)[0]) == 75
    assert list(run.glob("asked/*/index.json"))
    counted = comphy("ask", run, f"{data}:1", "--program", "objects count", "--cache", *run.glob("asked/*"))
    assert counted.returncode == 0, counted.stderr
    assert "all" in counted.stdout and "count" in counted.stdout and "Clip" not in counted.stdout


@pytest.mark.slow
def test_a_conversation_through_a_pipe(run: Path, data: Path, tmp_path: Path):
    """A line for each question; commands in between; the exit code tells that one was not understood."""

    def talk(*lines: str) -> tuple[int, list[str]]:
        given = (run, f"{data}:1", "--parser", find_weights("pcr/parser"), "--device", "cpu")
        result = comphy("ask", *given, lines="\n".join(lines))
        assert not result.stderr
        return result.returncode, result.stdout.splitlines()

    code, (counted, *_) = talk("How many objects are there?", "", ":quit", "How many cubes are there?")
    assert code == 0 and counted[0].isdigit() and not _

    code, lines = talk(
        ":trace", ":clip", "How many objects are there?", ":trace", ":clip", ":props", ":help", ":prop", "9"
    )
    assert code == 1 and lines[:2] == ["No question was answered yet. Ask one first."] * 2
    assert lines[4] == "objects count" and [line.split()[:2] for line in lines[6:8]] == [
        ["1", "objects"],
        ["2", "count"],
    ]
    assert lines[8].startswith("Nothing was imagined for the last question.")
    assert lines[9].split() == ["color", "material", "shape", "mass", "charge"]
    assert "(" in lines[10], "a probability"
    assert any(line.split()[:2] == [":clip", "[FILE]"] for line in lines)
    assert lines[-2] == "There is no command ':prop'; did you mean ':props'?"
    assert lines[-1].startswith("Expected a question, or the number of a reading (got 9; there are none")

    code, lines = talk("Why is the moon made of cheese and jam?", "1", ":set 7", ":open nowhere")
    assert code == 1 and lines[0].startswith("I did not understand 'Why is the moon") and lines[1].startswith("  1  ")
    chosen = lines[1].removeprefix("  1  ")
    after = lines.index(chosen)
    assert len(lines) > after + 1, "the reading is shown and asked"
    assert "there is no set 7 in this dataset" in lines[-2] and lines[-1].startswith("Expected a set as DATASET:NUMBER")


@pytest.mark.slow
def test_a_conversation_films_what_was_imagined(run: Path, data: Path, tmp_path: Path):
    clip = tmp_path / "next.mp4"
    options = ("--parser", find_weights("pcr/parser"), "--device", "cpu")
    result = comphy("ask", run, f"{data}:1", *options, lines=f"What will happen next?\n:clip {clip}\n")
    assert result.returncode == 0, result.stdout
    assert result.stdout.splitlines()[-1] == f"Clip  {clip}" and len(read_mp4(clip)[0]) == 75


@pytest.mark.parametrize(
    ("number", "options", "message"),
    [
        (1, ["--program", "objects cont"], "token 1 'cont': unknown operator or word; did you mean 'count'?"),
        (1, ["How many cubes are there?"], "expected a trained parser"),
        (1, ["How many?", "--program", "objects count"], "expected either a question or --program (got both)"),
        (1, ["--clip", "next.mp4"], "expected a question with --choice or --clip (got none)"),
        (1, [], "expected a trained parser"),
        (2, ["--program", "objects count"], "sim_00002_0.mp4: the video is missing"),
        (9, ["--program", "objects count"], "there is no set 9 in this dataset (it holds 4 sets: 0 to 3)"),
    ],
)
def test_bad_input_is_explained(run: Path, data: Path, number: int, options: list[str], message: str):
    result = comphy("ask", run, f"{data}:{number}", *options)
    assert result.returncode == 1
    assert message in result.stderr and "Traceback" not in result.stderr


def test_another_vocabulary_is_refused(run: Path, data: Path, tmp_path: Path):
    tensors, facts = load_tensors(run / MODEL)
    other = json.loads(json.dumps(facts).replace("filter_heavy", "filter_havey", 1))
    save_tensors(tmp_path / MODEL, tensors, other)
    result = comphy("ask", tmp_path, f"{data}:1", "--program", "objects count")
    assert result.returncode == 1
    assert "trained with another vocabulary" in result.stderr and "filter_havey" in result.stderr
