"""Asking as a user does it: an untrained reasoner and an untrained detector on tiny videos."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.dataset import layout
from comphy.dataset.media.video import read_mp4, write_mp4
from models.pcr.reasoner.checkpoint import MODEL, save_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from tests.support.commands import comphy
from tests.support.tiny import TINY, save_untrained

pytestmark = pytest.mark.bullet


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has learned nothing, with its perceiver in it."""
    folder = tmp_path_factory.mktemp("run")
    torch.manual_seed(0)
    save_reasoner(folder / MODEL, Reasoner(ReasonerSettings(hidden=8, attribute_hidden=8, state_fit=False)))
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


def square_over_noise(frames: int, rng: np.random.Generator) -> np.ndarray:
    video = rng.integers(100, 140, (frames, TINY.height, TINY.width, 3), np.uint8)
    for frame in range(frames):
        left = frame * (TINY.width - 8) // frames
        video[frame, 12:20, left : left + 8] = (200, 40, 40)
    return video


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


@pytest.mark.parametrize(
    ("number", "options", "message"),
    [
        (1, ["--program", "objects cont"], "token 1 'cont': unknown operator or word; did you mean 'count'?"),
        (1, ["How many cubes are there?"], "expected a trained parser"),
        (1, [], "expected either a question or --program"),
        (2, ["--program", "objects count"], "sim_00002_0.mp4: the video is missing"),
        (9, ["--program", "objects count"], "there is no set 9 in this dataset (it holds 4 sets: 0 to 3)"),
    ],
)
def test_bad_input_is_explained(run: Path, data: Path, number: int, options: list[str], message: str):
    result = comphy("ask", run, f"{data}:{number}", *options)
    assert result.returncode == 1
    assert message in result.stderr and "Traceback" not in result.stderr


def test_another_vocabulary_is_refused(run: Path, data: Path, tmp_path: Path):
    weights = (run / MODEL).read_bytes()
    (tmp_path / MODEL).write_bytes(weights.replace(b"filter_heavy", b"filter_havey", 1))
    result = comphy("ask", tmp_path, f"{data}:1", "--program", "objects count")
    assert result.returncode == 1
    assert "trained with another vocabulary" in result.stderr and "filter_havey" in result.stderr
