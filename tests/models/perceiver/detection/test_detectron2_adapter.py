"""Every detector keeps the contract: the default one, and detectron2's, which `make test-detectron2` builds and tests."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

from comphy.errors import DatasetError, MissingDependency
from models.perceiver.detection.building import build_detector
from models.perceiver.detection.checkpoint import MODEL, load_detector, save_detector
from models.perceiver.detection.contract import FEATURES
from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.detection.detectron2_adapter import Detectron2Detector
from models.perceiver.detection.network import DETECTRON2, DetectorSettings

TINY = DetectorSettings(96, 64, (10.0, 16.0), region_grid=4, proposals=6, detections=4, refinement_grid=0)
LEFT, RIGHT = (12, 20, 28, 36), (60, 24, 74, 38)

AnyDetector = FasterRCNN | Detectron2Detector


def _detectron2(settings: DetectorSettings = TINY) -> Detectron2Detector:
    """With the same random weights each time."""
    torch.manual_seed(0)
    return Detectron2Detector(settings)


def _default() -> FasterRCNN:
    torch.manual_seed(0)
    return FasterRCNN(replace(TINY, backbone="resnet18"))


@pytest.fixture(
    params=[_default, pytest.param(_detectron2, marks=pytest.mark.detectron2)], ids=["default", "detectron2"]
)
def detector(request: pytest.FixtureRequest) -> AnyDetector:
    make: Callable[[], AnyDetector] = request.param
    return make().eval()


def _pictures() -> tuple[Tensor, Tensor]:
    """A dark square on the left, then one on the right, then both; and where they are."""
    frames = torch.full((3, 64, 96, 3), 200, dtype=torch.uint8)
    truth = torch.zeros(3, 3, 4)
    for row, squares in enumerate([[LEFT], [RIGHT], [LEFT, RIGHT]]):
        for place, (x0, y0, x1, y1) in enumerate(squares):
            frames[row, y0:y1, x0:x1] = 40
            truth[row, place] = torch.tensor([x0, y0, x1, y1])
    return frames, truth


def _loss(detector: AnyDetector, frames: Tensor, truth: Tensor) -> Tensor:
    return detector.losses(frames, truth).total()


def test_it_says_which_frames_it_takes(detector: AnyDetector) -> None:
    assert detector.size == (96, 64)
    with pytest.raises(ValueError, match=r"Expected frames of 96x64 in RGB \(got \(1, 64, 64, 3\)\)"):
        detector.detect(torch.zeros(1, 64, 64, 3, dtype=torch.uint8))


def test_detections_are_sorted_padded_and_inside_the_picture(detector: AnyDetector) -> None:
    found = detector.detect(_pictures()[0])
    assert found.boxes.shape == (3, 4, 4) and found.scores.shape == (3, 4) and found.features.shape == (3, 4, FEATURES)
    assert {x.dtype for x in (found.boxes, found.scores, found.features)} == {torch.float32}
    assert (found.scores.diff(dim=1) <= 0).all() and found.scores.min() >= 0 and found.scores.max() <= 1
    assert found.boxes.min() >= 0 and found.boxes[..., 2].max() <= 96 and found.boxes[..., 3].max() <= 64
    assert not found.features.requires_grad


def test_frames_do_not_influence_each_other(detector: AnyDetector) -> None:
    frames, _ = _pictures()
    together, alone = detector.detect(frames), detector.detect(frames[1:2])
    torch.testing.assert_close(together.boxes[1], alone.boxes[0], atol=1e-3, rtol=1e-4)
    torch.testing.assert_close(together.features[1], alone.features[0], atol=1e-3, rtol=1e-3)


def test_describe_gives_features_of_each_region_in_order(detector: AnyDetector) -> None:
    frames, truth = _pictures()
    features = detector.describe(frames, truth)
    assert features.shape == (3, 3, FEATURES) and features.dtype == torch.float32
    assert not torch.allclose(features[2, 0], features[2, 1])
    torch.testing.assert_close(detector.describe(frames, truth.flip(1)), features.flip(1), atol=1e-3, rtol=1e-3)


def test_a_batch_without_objects_is_learned_from(detector: AnyDetector) -> None:
    frames, truth = _pictures()
    loss = _loss(detector.train(), frames, torch.zeros_like(truth))
    assert torch.isfinite(loss) and loss.requires_grad


def test_without_detectron2_the_error_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "detectron2", None)
    with pytest.raises(MissingDependency, match=r"pip install --no-build-isolation .*see docs/detectron2\.md"):
        Detectron2Detector(TINY)


@pytest.mark.detectron2
def test_detectron2_describes_what_it_detects_and_stays_in_its_mode() -> None:
    detector, (frames, truth) = _detectron2().train(), _pictures()
    found = detector.detect(frames)
    torch.testing.assert_close(found.features, detector.describe(frames, found.boxes))
    assert detector.training
    detector.eval().losses(frames, truth)
    assert not detector.training


@pytest.mark.detectron2
def test_detectron2_has_the_backbone_of_the_settings() -> None:
    sizes = [
        sum(x.numel() for x in _detectron2(replace(TINY, backbone=backbone)).parameters())
        for backbone in ("resnet18", "resnet34")
    ]
    assert sizes[0] < 0.6 * sizes[1]


@pytest.mark.detectron2
def test_detectron2_learns_in_a_few_steps() -> None:
    detector, (frames, truth) = _detectron2().train(), _pictures()
    optimizer = torch.optim.AdamW(detector.parameters(), 1e-3)
    history = []
    with torch.backends.mkldnn.flags(enabled=False):  # its backward pass is slow on some aarch64 CPUs
        for _ in range(4):
            loss = _loss(detector, frames, truth)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            history.append(loss.item())
    assert history[-1] < 0.6 * history[0]


@pytest.mark.detectron2
def test_detectron2_keeps_the_number_of_detections_it_is_given() -> None:
    few = DetectorSettings(96, 64, (10.0, 16.0), region_grid=4, proposals=2, detections=5, refinement_grid=0)
    found = _detectron2(few).detect(_pictures()[0])
    assert found.boxes.shape == (3, 5, 4)
    assert (found.scores[:, 2:] == 0).all() and (found.boxes[:, 2:] == 0).all()


@pytest.mark.detectron2
@pytest.mark.parametrize("name", ["model_final.pth", "model.safetensors"])
def test_detectron2_weights_come_from_a_file(name: str, tmp_path: Path) -> None:
    source, path = _detectron2(), tmp_path / name
    weights = source.model.state_dict()
    if path.suffix == ".pth":
        torch.save({"model": weights, "iteration": 7}, path)  # as detectron2's checkpointer does
    else:
        save_file(weights, path)
    frames, truth = _pictures()
    torch.manual_seed(1)
    loaded = Detectron2Detector(TINY, path)
    torch.testing.assert_close(loaded.describe(frames, truth), source.describe(frames, truth))


@pytest.mark.detectron2
def test_detectron2_weights_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    weights = _detectron2().model.state_dict()
    weights.pop("backbone.stem.conv1.weight")
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(DatasetError, match=r"another architecture: expected 'backbone\.stem\.conv1\.weight'"):
        Detectron2Detector(TINY, tmp_path / "model.safetensors")
    (tmp_path / "broken.pth").write_bytes(b"nothing")
    with pytest.raises(DatasetError, match="cannot be read as weights"):
        Detectron2Detector(TINY, tmp_path / "broken.pth")


@pytest.mark.detectron2
def test_the_config_names_the_detector(tmp_path: Path) -> None:
    """Built, saved and loaded again by its settings, as `comphy train` and `comphy perceive` do it."""
    _detectron2()
    settings = replace(TINY, implementation=DETECTRON2)
    torch.manual_seed(0)
    detector = build_detector(settings).eval()
    assert isinstance(detector, Detectron2Detector)
    save_detector(tmp_path / MODEL, detector, step=3)
    loaded, (frames, truth) = load_detector(tmp_path), _pictures()
    assert isinstance(loaded, Detectron2Detector) and loaded.settings == settings
    torch.testing.assert_close(loaded.describe(frames, truth), detector.describe(frames, truth), atol=0.02, rtol=0.02)


def test_an_unknown_detector_and_a_refiner_that_is_not_there_are_refused() -> None:
    with pytest.raises(
        ValueError, match="unknown implementation of the detector 'detectron'; did you mean 'detectron2'"
    ):
        replace(TINY, implementation="detectron")
    with pytest.raises(ValueError, match=r"expected refinement_grid 0: detectron2 has no box refiner \(got 8\)"):
        replace(TINY, implementation=DETECTRON2, refinement_grid=8)
    assert isinstance(build_detector(TINY), FasterRCNN)
