"""Frames are chosen evenly, described once by a network, and kept in a cache that knows what it was made of."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor
from torchvision.models import resnet18, resnet50

from comphy.dataset.frames import FrameKey
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import STANDARD, TARGET, reference
from comphy.errors import ConfigError, DatasetError
from models.baselines.video.features import FrameFeatureShape, fill_features
from models.baselines.video.network import FrameNetwork, build_network
from models.baselines.video.settings import FrameSettings
from models.perceiver.cache.arrays import ArrayReader
from models.perceiver.cache.feature_cache import FeatureCache
from models.train.run import Run

FEW = FrameSettings(width=96, target=3, reference=2, rows=2, columns=3)
CPU = torch.device("cpu")


class NumberedFrames:
    """Frames whose brightness is the frame's number, half as large in references; counts what is drawn."""

    size = (96, 64)

    def __init__(self) -> None:
        self.drawn: list[FrameKey] = []

    def draw(self, keys: list[FrameKey]) -> Tensor:
        self.drawn += keys
        shades = [key.frame if key.video == TARGET else key.frame // 2 for key in keys]
        return torch.tensor(shades, dtype=torch.uint8).reshape(-1, 1, 1, 1).expand(-1, 64, 96, 3)


@pytest.fixture
def network() -> FrameNetwork:
    """As fast as can be: the features are the pixels, normalised."""
    return FrameNetwork(torch.nn.AvgPool2d(8), 3, FEW, "pixels", "pixels")


def filled(
    folder: Path, run: Run, network: FrameNetwork, settings: FrameSettings = FEW
) -> ArrayReader[FrameFeatureShape]:
    cache = fill_features(folder, settings, network, run, CPU)
    assert cache is not None
    return cache


def test_frames_are_evenly_spaced_from_the_first_to_the_last() -> None:
    paper = FrameSettings()
    target, first = paper.numbers(TARGET, STANDARD), paper.numbers(reference(0), STANDARD)
    assert (len(target), target[0], target[-1]) == (25, 0, 124)
    assert (len(first), first[0], first[-1]) == (10, 0, 49)
    for numbers in (target, first):
        steps = {b - a for a, b in pairwise(numbers)}
        assert max(steps) - min(steps) <= 1
    with pytest.raises(ConfigError, match=r"frames\.reference=51: expected at most 50"):
        replace(paper, reference=51).numbers(reference(0), STANDARD)


def test_every_set_is_described_once(small_dataset: Path, tmp_path: Path, network: FrameNetwork) -> None:
    frames = NumberedFrames()
    run = Run(small_dataset, tmp_path, open_frames=lambda source, width, device: frames)
    cache = filled(tmp_path / "cache", run, network)
    sets = open_source(small_dataset).indices()
    assert cache.indices() == sets and len(frames.drawn) == len(sets) * (3 + 4 * 2)
    row = cache.row(sets[-1])
    assert row["target"].shape == (3, 6, 3) and row["references"].shape == (4, 2, 6, 3)
    shade = (62 / 255 - 0.485) / 0.229  # of the middle one of 125 frames
    assert row["target"][1, :, 0] == pytest.approx(shade, abs=1e-3)
    assert row["references"][3, 1, :, 0] == pytest.approx((24 / 255 - 0.485) / 0.229, abs=1e-3)
    filled(tmp_path / "cache", run, network)
    assert len(frames.drawn) == len(sets) * (3 + 4 * 2)


def test_several_sets_are_drawn_at_once(small_dataset: Path, tmp_path: Path, network: FrameNetwork) -> None:
    """As many as the batch has frames of; what comes out is the same."""
    frames, calls = NumberedFrames(), list[int]()
    draw = frames.draw
    frames.draw = lambda keys: calls.append(len(keys)) or draw(keys)
    run = Run(small_dataset, tmp_path, open_frames=lambda source, width, device: frames)
    alone = filled(tmp_path / "alone", run, network, replace(FEW, batch=1))
    assert set(calls) == {11}
    calls.clear()
    together = filled(tmp_path / "together", run, network, replace(FEW, batch=25))
    assert max(calls) == 22 and sum(calls) == 11 * len(alone)
    for index in alone.indices():
        assert all((alone.row(index)[name] == together.row(index)[name]).all() for name in ("target", "references"))


def test_a_run_that_must_stop_keeps_what_it_has(small_dataset: Path, tmp_path: Path, network: FrameNetwork) -> None:
    frames = NumberedFrames()
    run = Run(small_dataset, tmp_path, 0, open_frames=lambda source, width, device: frames)
    assert fill_features(tmp_path / "cache", replace(FEW, batch=1), network, run, CPU) is None
    assert len(frames.drawn) == 3 + 4 * 2
    cache = filled(tmp_path / "cache", replace(run, max_minutes=None), network)
    assert len(cache) == len(frames.drawn) // (3 + 4 * 2) == len(open_source(small_dataset).indices())


def test_caches_of_something_else_are_refused(small_dataset: Path, tmp_path: Path, network: FrameNetwork) -> None:
    run = Run(small_dataset, tmp_path, open_frames=lambda source, width, device: NumberedFrames())
    folder = tmp_path / "cache"
    filled(folder, run, network)
    with pytest.raises(DatasetError, match="a cache of another settings"):
        filled(folder, run, network, replace(FEW, target=4))
    other = FrameNetwork(torch.nn.AvgPool2d(8), 3, FEW, "other pixels", "other pixels")
    with pytest.raises(DatasetError, match="a cache of another checkpoint: expected other pixels"):
        filled(folder, run, other)
    with pytest.raises(DatasetError, match=r"expected a comphy feature cache of version .* comphy frame feature cache"):
        FeatureCache(folder)
    assert len(filled(folder, run, network, replace(FEW, batch=2))) == len(open_source(small_dataset).indices())


@pytest.mark.slow
def test_weights_of_torchvision_are_read_in_both_forms(tmp_path: Path) -> None:
    torch.manual_seed(1)
    state = resnet50().state_dict()
    older = {name: tensor for name, tensor in state.items() if not name.endswith("num_batches_tracked")}
    torch.save(older, tmp_path / "resnet50.pth")
    save_file(state, tmp_path / "resnet50.safetensors")
    for name in ("resnet50.pth", "resnet50.safetensors"):
        network = build_network(replace(FEW, weights=str(tmp_path / name)))
        assert network.features == 2048 and name in network.described and not network.training
        assert torch.equal(network.body[0].weight, state["conv1.weight"])


def test_random_weights_are_the_same_every_time_and_said_to_be_random() -> None:
    one, two = build_network(FEW), build_network(FEW)
    assert "random weights" in one.described and one.checkpoint == two.checkpoint
    assert torch.equal(one.body[0].weight, two.body[0].weight)


def test_the_backbone_of_a_perceiver() -> None:
    network = build_network(replace(FEW, network="perceiver", weights="pcr/perceiver"))
    assert network.features == 256 and "pcr/perceiver" in network.described
    assert network(torch.zeros(1, 64, 96, 3, dtype=torch.uint8)).shape == (1, 6, 256)


def test_weights_that_cannot_be_used_are_explained(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"none\.pth: expected a file with the weights"):
        build_network(replace(FEW, weights=str(tmp_path / "none.pth")))
    (tmp_path / "text.pth").write_text("not weights")
    with pytest.raises(DatasetError, match=r"text\.pth: expected .* Download the file again"):
        build_network(replace(FEW, weights=str(tmp_path / "text.pth")))
    torch.save(resnet18().state_dict(), tmp_path / "small.pth")
    with pytest.raises(DatasetError, match=r"small\.pth: the checkpoint is of another architecture"):
        build_network(replace(FEW, weights=str(tmp_path / "small.pth")))


@pytest.mark.parametrize("wrong", [{"network": "resnet51"}, {"network": "perceiver"}, {"width": 95}, {"target": 0}])
def test_bad_settings_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"expected|did you mean"):
        FrameSettings(**wrong)
