from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.dataset import layout
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.frames import FrameKey
from comphy.dataset.packs.boxes import VideoBoxes
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import STANDARD
from comphy.errors import DatasetError
from models.perceiver.truth import TrueBoxes, asked_for, random_keys, video_numbers

pytestmark = pytest.mark.bullet


def test_boxes_come_in_the_perceivers_pixels_with_a_place_for_each_object(small_dataset: Path) -> None:
    truth = TrueBoxes(open_source(small_dataset), width=240)
    extras = read_extras(small_dataset / layout.extras(1)).target
    batch = truth.batch([FrameKey(1, "target", 0), FrameKey(1, "target", 60)])
    for row, frame in enumerate((0, 60)):
        for place, box in enumerate(extras.boxes[frame] / 2):
            wanted = extras.visibility[frame][place] >= 0.15 and min(box[2] - box[0], box[3] - box[1]) >= 4
            expected = torch.tensor(box if wanted else np.zeros(4), dtype=torch.float32)
            torch.testing.assert_close(batch[row, place], expected, atol=0.05, rtol=0)
    assert truth.object_ids(1, "target") == tuple(range(len(extras.object_ids)))


def test_slivers_are_not_asked_for() -> None:
    boxes = np.array([[[0, 0, 30, 30], [0, 0, 6, 30], [0, 0, 30, 30]]], np.float32)
    seen = np.array([[1.0, 1.0, 0.1]], np.float32)
    assert asked_for(VideoBoxes(boxes, seen), 480).tolist() == [[True, False, False]]


def test_a_split_without_sets_is_named(small_dataset: Path) -> None:
    truth = TrueBoxes(open_source(small_dataset), 480)
    assert truth.sets("train") == [0, 1, 2, 3]
    with pytest.raises(DatasetError, match="expected sets of the split 'val'"):
        truth.sets("val")


def test_frames_are_drawn_in_groups_of_one_video_and_in_proportion() -> None:
    keys = random_keys([3, 5], 4000, np.random.default_rng(0), per_video=4)
    assert len(keys) == 4000 and {key.index for key in keys} == {3, 5}
    for start in range(0, 4000, 4):
        assert len({key.name for key in keys[start : start + 4]}) == 1
    assert all(0 <= key.frame < STANDARD.of(key.video) for key in keys)
    targets = np.mean([key.video == "target" for key in keys])
    assert abs(targets - 125 / 325) < 0.05
    numbers = video_numbers(keys[:8])
    assert numbers[0] == numbers[3] and (keys[0].name == keys[4].name) == (numbers[0] == numbers[4]).item()
