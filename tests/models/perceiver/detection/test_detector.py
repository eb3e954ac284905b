"""The detector on pictures small enough for a test."""

from dataclasses import replace

import pytest
import torch

from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.detection.network import DetectorSettings, anchor_boxes
from models.train.cpu import without_onednn_on_arm

TINY = DetectorSettings(
    96, 64, (10.0, 16.0), region_grid=2, proposals=6, detections=4, backbone="resnet18", refinement_grid=0
)


def _pictures(count: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Dark squares on a light ground, two in each picture, and where they are."""
    generator = torch.Generator().manual_seed(seed)
    frames = torch.full((count, 64, 96, 3), 200, dtype=torch.uint8)
    truth = torch.zeros(count, 3, 4)
    for row in range(count):
        for k, left in enumerate((4, 52)):
            x = left + int(torch.randint(0, 24, (1,), generator=generator))
            y, side = (int(n) for n in torch.randint(10, 18, (2,), generator=generator))
            frames[row, y : y + side, x : x + side] = 30 + 90 * k
            truth[row, k] = torch.tensor([x, y, x + side, y + side])
    return frames, truth


def test_anchors_cover_the_picture() -> None:
    anchors = anchor_boxes(TINY)
    assert anchors.shape == (4 * 6 * 2, 4)
    centres = (anchors[:, :2] + anchors[:, 2:]) / 2
    assert centres[::2].tolist() == [[8 + 16 * x, 8 + 16 * y] for y in range(4) for x in range(6)]


@pytest.mark.slow
def test_a_few_steps_on_one_batch_lower_the_losses() -> None:
    torch.manual_seed(0)
    detector = FasterRCNN(TINY)
    frames, truth = _pictures(2, seed=0)
    optimizer = torch.optim.AdamW(detector.parameters(), 1e-3)
    history = []
    with without_onednn_on_arm(torch.device("cpu")):
        for _ in range(5):
            losses = detector.losses(frames, truth)
            optimizer.zero_grad()
            losses.total().backward()
            optimizer.step()
            history.append({name: part.item() for name, part in losses.parts().items()})
    for name in ("proposal_score", "proposal_box", "reconstruction"):
        assert history[-1][name] < 0.9 * history[0][name], (name, history)


def test_detections_are_sorted_padded_and_inside_the_picture() -> None:
    torch.manual_seed(0)
    found = FasterRCNN(TINY).eval().detect(_pictures(3, seed=1)[0])
    assert found.boxes.shape == (3, 4, 4) and found.scores.shape == (3, 4) and found.features.shape == (3, 4, 512)
    assert (found.scores.diff(dim=1) <= 0).all()
    assert found.boxes.min() >= 0 and found.boxes[..., 2].max() <= 96 and found.boxes[..., 3].max() <= 64


@pytest.mark.slow
def test_a_picture_without_objects_is_learned_from_and_detected_in() -> None:
    torch.manual_seed(0)
    detector = FasterRCNN(TINY)
    frames = torch.full((2, 64, 96, 3), 200, dtype=torch.uint8)
    losses = detector.losses(frames, torch.zeros(2, 3, 4))
    assert all(torch.isfinite(part) for part in losses.parts().values())
    assert losses.proposal_box.item() == 0.0 and losses.region_box.item() == 0.0
    with without_onednn_on_arm(torch.device("cpu")):
        losses.total().backward()
    assert torch.isfinite(detector.eval().detect(frames).scores).all()


def test_refined_boxes_are_sound_and_inside_the_picture() -> None:
    torch.manual_seed(0)
    detector = FasterRCNN(replace(TINY, refinement_grid=8)).eval()
    frames, truth = _pictures(3, seed=1)
    boxes = detector.detect(frames).boxes
    assert (boxes[..., :2] <= boxes[..., 2:]).all()
    assert boxes.min() >= 0 and boxes[..., 2].max() <= 96 and boxes[..., 3].max() <= 64
    assert "refined_box" in detector.losses(frames, truth).parts()


def test_frames_do_not_influence_each_other() -> None:
    torch.manual_seed(0)
    detector = FasterRCNN(TINY).eval()
    frames, _ = _pictures(3, seed=2)
    together, alone = detector.detect(frames), detector.detect(frames[1:2])
    torch.testing.assert_close(together.boxes[1], alone.boxes[0], atol=1e-3, rtol=1e-4)
    torch.testing.assert_close(together.features[1], alone.features[0], atol=1e-3, rtol=1e-3)


def test_describe_gives_features_of_any_region() -> None:
    torch.manual_seed(0)
    detector = FasterRCNN(TINY).eval()
    frames, truth = _pictures(2, seed=3)
    features = detector.describe(frames, truth)
    assert features.shape == (2, 3, 512)
    assert not torch.allclose(features[0, 0], features[0, 1])


def test_pictures_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Expected frames of 96x64 in RGB \(got \(1, 64, 64, 3\)\)"):
        FasterRCNN(TINY).detect(torch.zeros(1, 64, 64, 3, dtype=torch.uint8))
    with pytest.raises(ValueError, match="3:2 picture"):
        DetectorSettings(100, 60)


def test_embeddings_are_to_reconstruct_the_originals() -> None:
    """Of the parts of the loss, only reconstruction compares with the frames before they were augmented."""
    torch.manual_seed(0)
    detector = FasterRCNN(TINY).eval()
    frames, truth = _pictures(2, seed=4)
    parts = []
    for originals in (None, frames, 255 - frames):
        torch.manual_seed(1)
        parts.append(
            {name: part.item() for name, part in detector.losses(frames, truth, None, originals).parts().items()}
        )
    assert parts[0] == parts[1]
    assert {name for name in parts[0] if parts[0][name] != parts[2][name]} == {"reconstruction"}
