from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.dataset import layout
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.frame_sampling import random_keys, reused_keys
from comphy.dataset.frames import FrameKey
from comphy.dataset.packs.boxes import VideoBoxes
from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import STANDARD
from comphy.errors import DatasetError
from models.perceiver.truth import TrueBoxes, asked_for, video_numbers

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


def test_videos_stay_in_batches_for_some_steps() -> None:
    def draws(step: int) -> np.random.Generator:
        return np.random.default_rng((7, step))

    steps = [reused_keys(range(1000), 64, draws, step, reuse=8, per_video=4) for step in range(40)]
    videos = [{key.name for key in keys} for keys in steps]
    assert all(len(keys) == 64 for keys in steps) and all(15 <= len(names) <= 16 for names in videos)
    assert all(len(after - before) <= 2 for before, after in pairwise(videos)), "two of sixteen are new at every step"
    assert not videos[0] & videos[8], "and after eight steps all are"
    frames = [{key for key in keys if key.name in videos[0]} for keys in steps[:2]]
    assert frames[0] != frames[1], "of which other frames are taken each time"
    assert steps[5] == reused_keys(range(1000), 64, draws, 5, reuse=8, per_video=4)
