"""Perceiving and scoring a perceiver as a user does it, with an untrained detector on tiny pictures."""

import json
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest

from comphy.dataset import layout
from comphy.dataset.media.video import write_mp4
from comphy.toolkit.torture.processes.children import Child
from comphy.toolkit.torture.processes.workloads import Command
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.commands import comphy
from tests.support.tiny import save_untrained, square_over_noise

pytestmark = pytest.mark.bullet


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_untrained(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def data(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small dataset with videos of two sets, in which a square moves over noise."""
    root = Path(shutil.copytree(small_dataset, tmp_path_factory.mktemp("data") / "dataset"))
    rng = np.random.default_rng(0)
    for index in (0, 1):
        write_mp4(root / layout.target_video(index), square_over_noise(125, rng))
        for reference in range(4):
            write_mp4(root / layout.reference_video(index, reference), square_over_noise(50, rng))
    return root


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_cache(weights: Path, data: Path, tmp_path: Path) -> None:
    """Killed before the last rename, which names the second set as done."""
    cut, whole = tmp_path / "cut", tmp_path / "whole"
    arguments = ("perceive", weights, data, "--split", "train", "--sets", 2, "--frames", "videos", "--device", "cpu")
    arguments += ("--batch", 64)
    job = Command((*map(str, arguments), "--out", "{out}"))
    made = Child(job, whole, tmp_path / "whole.log").ended()
    assert made.code == 0, made.printed
    assert "2 sets perceived, " in made.printed and " frames/s on cpu" in made.printed
    assert f"Cache: {whole}, 2 sets, 0.1 MB." in made.printed
    killed = Child(job, cut, tmp_path / "cut.log", kill_at=made.operations - 1).ended()
    assert killed.code == -signal.SIGKILL and FeatureCache(cut).indices() == [0]
    resumed = comphy(*arguments, "--out", cut)
    assert resumed.returncode == 0, resumed.stderr
    assert "1 sets perceived, " in resumed.stdout and "; 1 found done." in resumed.stdout
    assert contents(cut) == contents(whole)
    both = tmp_path / "both"
    assert comphy(*arguments, "--workers", 2, "--out", both).returncode == 0
    assert contents(both) == contents(whole), "two processes see the same"
    other = save_untrained(tmp_path / "other", seed=1)
    refused = comphy("perceive", other, data, "--frames", "videos", "--out", cut)
    assert refused.returncode == 1
    assert "a cache of another checkpoint" in refused.stderr and "Traceback" not in refused.stderr
    assert contents(cut) == contents(whole)


def test_bad_input_is_explained(weights: Path, data: Path, tmp_path: Path) -> None:
    result = comphy("perceive", weights, data, "--split", "val", "--out", tmp_path / "cache")
    assert result.returncode == 1
    assert "expected sets of the split 'val'" in result.stderr and "Traceback" not in result.stderr
    assert not (tmp_path / "cache").exists()


@pytest.mark.slow
def test_a_perceiver_is_scored_on_its_references(weights: Path, data: Path, tmp_path: Path) -> None:
    options = ("--split", "train", "--sets", 1, "--frames", "videos", "--videos", "references")
    result = comphy("evaluate", weights, data, *options, "--json", tmp_path / "scores.json")
    assert result.returncode == 0, result.stderr
    assert "in 200 frames" in result.stdout and "in 4 videos" in result.stdout and "Alignment" not in result.stdout
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["videos"] == "references" and scores["alignment"] is None and scores["tracking"]["videos"] == 4
