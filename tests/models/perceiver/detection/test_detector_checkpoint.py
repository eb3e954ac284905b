from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch

from comphy.config import to_plain
from comphy.errors import ConfigError, DatasetError
from models.perceiver.detection.checkpoint import KIND, load_detector, save_detector
from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.detection.network import DetectorSettings
from models.perceiver.training.trainer import PerceiverConfig
from models.tasks import load_task
from models.train.checkpoint import load_tensors, save_tensors, split_checkpoint
from tests.support.tiny import TINY

MIB = 2**20
CONFIGS = sorted(Path("configs/perceiver").glob("*.yaml"))


def _save(path: Path, detector: DetectorSettings, **facts: object) -> Path:
    """A detector's file with other facts than `save_detector` would write."""
    save_detector(path, _untrained(detector), step=3)
    weights, found = load_tensors(path)
    save_tensors(path, weights, {**found, **facts})
    return path


@cache
def _untrained(settings: DetectorSettings) -> FasterRCNN:
    return FasterRCNN(settings)


@pytest.mark.parametrize("backbone", ["resnet18", "resnet34"])
@pytest.mark.slow
def test_the_backbone_comes_back(tmp_path: Path, backbone: str) -> None:
    path = _save(tmp_path / "detector.safetensors", replace(TINY, backbone=backbone))
    loaded = load_detector(tmp_path)
    assert loaded.settings.backbone == backbone and not loaded.training
    blocks = sum(len(stage) for stage in loaded.trunk.stages) + len(loaded.regions.stage)
    assert blocks == {"resnet18": 8, "resnet34": 16}[backbone], (
        "two convolutions each, one before them, one layer after"
    )
    assert path.stat().st_size == pytest.approx({"resnet18": 25e6, "resnet34": 45e6}[backbone], rel=0.05)


@pytest.mark.slow
def test_a_checkpoint_from_before_there_was_a_choice_has_a_resnet34(tmp_path: Path) -> None:
    old = replace(TINY, backbone="resnet34")
    settings = {name: value for name, value in to_plain(old).items() if name != "backbone"}
    assert load_detector(_save(tmp_path / "d.safetensors", old, settings=settings)).settings == old


@pytest.mark.slow
def test_a_checkpoint_from_before_boxes_were_refined_has_no_refiner(tmp_path: Path) -> None:
    settings = {name: value for name, value in to_plain(TINY).items() if name != "refinement_grid"}
    assert load_detector(_save(tmp_path / "d.safetensors", TINY, settings=settings)).refiner is None
    refined = load_detector(_save(tmp_path / "r.safetensors", replace(TINY, refinement_grid=4)))
    assert refined.refiner is not None and refined.settings.refinement_grid == 4


def test_a_checkpoint_with_the_names_of_an_earlier_version_loads(tmp_path: Path) -> None:
    settings = {"trunk" if name == "backbone" else name: value for name, value in to_plain(TINY).items()}
    assert load_detector(_save(tmp_path / "d.safetensors", TINY, settings=settings)).settings == TINY


@pytest.mark.slow
def test_checkpoints_of_other_detectors_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.safetensors"
    with pytest.raises(DatasetError, match=rf"expected the weights of a {KIND} \(got 'a drawing'\)"):
        load_detector(_save(path, TINY, kind="a drawing"))
    with pytest.raises(
        ConfigError, match=r"d\.safetensors.*\n.*unknown backbone 'resnet19'; did you mean 'resnet18'\?"
    ):
        load_detector(_save(path, TINY, settings={**to_plain(TINY), "backbone": "resnet19"}))
    with pytest.raises(DatasetError, match=r"another architecture: expected 'proposals\.move\.bias' with shape \(4,\)"):
        load_detector(_save(path, TINY, settings={**to_plain(TINY), "anchor_sizes": [8.0]}))
    with pytest.raises(DatasetError, match=r"another architecture.*tensors differ"):
        load_detector(_save(path, TINY, settings={**to_plain(TINY), "backbone": "resnet34"}))
    with pytest.raises(DatasetError, match=r"none: no such checkpoint"):
        load_detector(tmp_path / "none")


@pytest.mark.slow
def test_a_small_detector_fits_into_two_small_files(tmp_path: Path) -> None:
    path = tmp_path / "detector.safetensors"
    _, config = load_task(Path("configs/perceiver/small.yaml"))
    torch.manual_seed(0)
    save_detector(path, FasterRCNN(config.detector), step=3)
    before = load_detector(tmp_path).state_dict()
    parts = split_checkpoint(path, 16 * MIB)
    assert len(parts) == 2 and all(part.stat().st_size <= 16 * MIB for part in parts)
    after = load_detector(tmp_path).state_dict()
    assert before.keys() == after.keys() and all(torch.equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize("path", CONFIGS, ids=str)
def test_every_config_loads_and_names_its_command(path: Path) -> None:
    _, config = load_task(path)
    assert isinstance(config, PerceiverConfig)
    assert f"comphy train {path.parent.name}/{path.stem} --data" in path.read_text()


def test_configs_differ_where_they_should() -> None:
    full, light, small = (load_task(Path(f"configs/perceiver/{name}.yaml"))[1] for name in ("full", "light", "small"))
    assert full.detector == DetectorSettings()
    assert small == replace(light, detector=replace(light.detector, backbone="resnet18"))
