"""A part of the videos for a model whose biases are looked for: one frame, frames out of order, one kind of video."""

from pathlib import Path

import numpy as np
import pytest
import torch

from models.baselines.video.features import FrameFeatureShape
from models.baselines.video.settings import Cue, Shown
from models.baselines.video.views import Views, shown_shape

SHAPE = FrameFeatureShape(target=5, references=2, reference=3, cells=2, features=4)
SETS = torch.tensor([0, 1, 2])


@pytest.fixture
def features(tmp_path: Path, write_features):
    return write_features(tmp_path, SHAPE, 3)


def views(features, **shown) -> Views:
    return Views(features, features.indices(), Shown(**shown), torch.device("cpu"))


def test_what_is_not_shown_is_not_there(features) -> None:
    target, references = views(features, target=False, references=True)(SETS)
    assert target is None and references.shape == (3, 2, 3, 2, 4)
    assert views(features)(SETS)[1] is None


def test_statistics_are_of_what_is_shown(features) -> None:
    mean, _ = views(features, target=False, references=True).statistics([0, 1])
    assert mean.tolist() == [0.0] * 4  # only the targets tell sets apart in these features
    assert views(features).statistics([0, 1])[0].abs().min() > 1


def test_a_single_frame_is_the_middle_one(features) -> None:
    target, references = views(features, references=True, cue=Cue.SINGLE_FRAME)(SETS)
    every, every_reference = views(features, references=True)(SETS)
    assert torch.equal(target, every[:, 2:3]) and torch.equal(references, every_reference[:, :, 1:2])
    shape = shown_shape(SHAPE, Shown(cue=Cue.SINGLE_FRAME))
    assert (shape.target, shape.reference, shape.cells) == (1, 1, 2)


def test_shuffled_frames_are_the_same_frames_in_another_order(features) -> None:
    once, again = (views(features, cue=Cue.SHUFFLED_FRAMES)(SETS)[0] for _ in range(2))
    every = views(features)(SETS)[0]
    assert torch.equal(once, again) and not torch.equal(once, every)
    orders = [
        [int((frame == other).all((1, 2)).nonzero()) for frame in one] for one, other in zip(once, every, strict=True)
    ]
    assert all(sorted(order) == list(range(5)) for order in orders) and len(set(map(tuple, orders))) > 1
    assert orders[1] == np.random.default_rng((1, 0)).permutation(5).tolist()


def test_sets_that_are_read_in_parts_are_the_same(tmp_path: Path, write_features) -> None:
    many = write_features(tmp_path, SHAPE, 70)
    target, references = views(many, references=True, cue=Cue.SHUFFLED_FRAMES)(torch.arange(70))
    assert target.shape[0] == references.shape[0] == 70
    order = np.random.default_rng((69, 0)).permutation(5)
    assert torch.equal(target[69], views(many)(torch.tensor([69]))[0][0][order])
