from dataclasses import replace
from typing import Any

import pytest
import torch

from models.perceiver.training.augmentation import FrameAugmentation, augmented

SETTINGS = FrameAugmentation()


def test_boxes_follow_mirrored_frames_and_padding_stays_empty() -> None:
    frames = torch.full((64, 40, 60, 3), 200, dtype=torch.uint8)
    frames[:, 10:20, 5:15] = 20
    boxes = torch.zeros(64, 2, 4)
    boxes[:, 0] = torch.tensor([5.0, 10.0, 15.0, 20.0])
    seen = augmented(frames, boxes, SETTINGS, torch.Generator().manual_seed(0))
    assert seen.frames.dtype == torch.uint8 and seen.frames.shape == frames.shape
    mirrored = seen.boxes[:, 0, 0] == 45
    assert 15 < int(mirrored.sum()) < 49
    assert (seen.boxes[:, 1] == 0).all()
    for image, original, box in zip(seen.frames, seen.originals, seen.boxes[:, 0], strict=True):
        x0, y0, x1, y1 = (int(n) for n in box)
        inside = image[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2].float().mean()
        assert inside < image[:, 25:35].float().mean() - 20, "the dark square is where its box says"
        assert (original[y0:y1, x0:x1] == 20).all() and int((original == 20).sum()) == 300


def test_a_share_of_frames_is_changed_and_the_others_are_exact() -> None:
    frames, boxes = torch.randint(40, 200, (200, 16, 24, 3), dtype=torch.uint8), torch.zeros(200, 1, 4)
    seen = augmented(frames, boxes, replace(SETTINGS, probability=0.3), torch.Generator().manual_seed(1))
    changed = (seen.frames != seen.originals).flatten(1).any(dim=1)
    assert 40 < int(changed.sum()) < 80
    untouched = augmented(frames, boxes, replace(SETTINGS, probability=0.0), torch.Generator().manual_seed(1))
    assert torch.equal(untouched.frames, untouched.originals)


def test_changes_stay_within_what_the_settings_allow() -> None:
    frames = torch.full((300, 8, 8, 3), 100, dtype=torch.uint8)
    only = FrameAugmentation(
        1.0,
        brightness=0.3,
        contrast=0,
        gamma=0,
        saturation=0,
        tint=0,
        noise=0,
        blur=0,
        degradation_probability=0,
        min_jpeg_quality=90,
    )
    values = augmented(frames, torch.zeros(300, 1, 4), only, torch.Generator().manual_seed(2)).frames.float()
    assert (values == values[:, :1, :1, :1]).all(), "brightness is one factor of a frame"
    assert 70 <= float(values.min()) < 73 and 127 < float(values.max()) <= 130


def test_originals_in_another_look_are_mirrored_alike() -> None:
    frames = torch.arange(8 * 4 * 6 * 3).reshape(8, 4, 6, 3).to(torch.uint8)
    seen = augmented(
        frames, torch.zeros(8, 1, 4), FrameAugmentation(probability=0), torch.Generator().manual_seed(0), 255 - frames
    )
    torch.testing.assert_close(seen.originals, 255 - seen.frames)
    assert (seen.frames != frames).any()


def test_it_depends_on_the_generator_alone() -> None:
    frames, boxes = torch.randint(0, 255, (4, 20, 30, 3), dtype=torch.uint8), torch.zeros(4, 1, 4)
    one = augmented(frames, boxes, SETTINGS, torch.Generator().manual_seed(3)).frames
    again = augmented(frames, boxes, SETTINGS, torch.Generator().manual_seed(3)).frames
    other = augmented(frames, boxes, SETTINGS, torch.Generator().manual_seed(4)).frames
    assert torch.equal(one, again) and not torch.equal(one, other)


@pytest.mark.parametrize(
    "wrong", [{"probability": 1.2}, {"brightness": 1.0}, {"noise": -1.0}, {"min_jpeg_quality": 0.0}]
)
def test_impossible_strengths_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        replace(SETTINGS, **wrong)
