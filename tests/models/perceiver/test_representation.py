import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from models.perceiver.representation import (
    SPATIAL_FEATURES,
    all_pairs,
    coordinates,
    interaction_features,
    normalise,
    trajectory_features,
    union_regions,
)

Box = list[float]


def _boxes(seed: int, *shape: int, absent: float = 0.2) -> Tensor:
    """[*shape, 4] normalised, some of them absent."""
    rng = np.random.default_rng(seed)
    corner, side = rng.uniform(0, 0.7, (*shape, 2)), rng.uniform(0.05, 0.4, (*shape, 2))
    boxes = np.concatenate([corner, corner + side], axis=-1) * (rng.random((*shape, 1)) >= absent)
    return torch.from_numpy(boxes.astype(np.float32))


def _overlap(a: Box, b: Box) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    shared = max(width, 0.0) * max(height, 0.0)
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def _spatial(video: list[list[Box]], i: int, j: int, t: int) -> list[float]:
    """The definition, number by number."""
    if not (any(video[t][i]) and any(video[t][j])):
        return [0.0] * 45
    overlaps: list[float] = []
    differences: list[float] = []
    products: list[float] = []
    for k in range(t - 2, t + 3):
        frame = min(max(k, 0), len(video) - 1)
        a, b = video[frame][i], video[frame][j]
        both = any(a) and any(b)
        overlaps.append(_overlap(a, b) if both else 0.0)
        differences += [x - y if both else 0.0 for x, y in zip(a, b, strict=True)]
        products += [x * y if both else 0.0 for x, y in zip(a, b, strict=True)]
    return overlaps + differences + products


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), frames=st.integers(1, 9), objects=st.integers(2, 5))
def test_interaction_features_follow_the_definition(seed: int, frames: int, objects: int) -> None:
    boxes = _boxes(seed, 2, frames, objects)
    pairs = all_pairs(objects)
    found = interaction_features(boxes, pairs)
    assert found.shape == (2, len(pairs), frames, SPATIAL_FEATURES)
    for batch, video in enumerate(boxes.tolist()):
        expected = [[_spatial(video, int(i), int(j), t) for t in range(frames)] for i, j in pairs]
        np.testing.assert_allclose(found[batch].numpy(), expected, atol=1e-5)


def test_chosen_pairs_and_times_are_picked_from_all() -> None:
    boxes = _boxes(1, 3, 12, 4)
    pairs, times = torch.tensor([[3, 1], [0, 2]]), torch.tensor([11, 0, 5])
    found = interaction_features(boxes, pairs, times)
    assert found.shape == (3, 2, 3, 45)
    assert torch.equal(found, interaction_features(boxes, pairs)[:, :, times])
    assert torch.equal(union_regions(boxes, pairs, times), union_regions(boxes, pairs)[:, :, times])


def test_swapping_a_pair_changes_the_sign_of_differences_only() -> None:
    boxes = _boxes(2, 10, 2, absent=0.0)
    one, other = interaction_features(boxes, torch.tensor([[0, 1], [1, 0]]))
    sign = torch.cat([torch.ones(5), -torch.ones(20), torch.ones(20)])
    torch.testing.assert_close(one * sign, other)


def test_features_let_gradients_through_to_predicted_boxes() -> None:
    boxes = _boxes(3, 6, 3, absent=0.0).requires_grad_()
    interaction_features(boxes, all_pairs(3)).sum().backward()
    assert boxes.grad is not None and torch.isfinite(boxes.grad).all() and boxes.grad.abs().sum() > 0


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), frames=st.integers(1, 6), objects=st.integers(1, 4))
def test_trajectories_and_coordinates_are_concatenated_over_time(seed: int, frames: int, objects: int) -> None:
    boxes = _boxes(seed, 2, frames, objects)
    trajectories, centres = trajectory_features(boxes), coordinates(boxes)
    assert trajectories.shape == (2, objects, frames * 4) and centres.shape == (2, objects, frames * 2)
    for batch, video in enumerate(boxes.tolist()):
        for n in range(objects):
            path = [number for frame in video for number in frame[n]]
            middle = [(frame[n][k] + frame[n][k + 2]) / 2 for frame in video for k in (0, 1)]
            np.testing.assert_allclose(trajectories[batch, n], path)
            np.testing.assert_allclose(centres[batch, n], middle, atol=1e-6)


def test_references_and_absent_objects() -> None:
    boxes = _boxes(4, 2, 4, 50, 3, absent=0.0)
    boxes[:, 1, :, 2] = 0
    found = coordinates(boxes)
    assert found.shape == (2, 4, 3, 100)
    assert not found[:, 1, 2].any() and found[:, 0, 2].all()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), frames=st.integers(1, 6))
def test_unions_hold_both_boxes(seed: int, frames: int) -> None:
    boxes = _boxes(seed, frames, 3)
    found = union_regions(boxes, all_pairs(3))
    assert found.shape == (3, frames, 4)
    for p, (i, j) in enumerate(all_pairs(3).tolist()):
        for t, frame in enumerate(boxes.tolist()):
            a, b = frame[i], frame[j]
            expected = [min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])]
            np.testing.assert_allclose(found[p, t], expected if any(a) and any(b) else [0.0] * 4)


def test_boxes_become_shares_of_the_picture() -> None:
    boxes = torch.tensor([[48.0, 32.0, 480.0, 320.0], [0.0, 0.0, 0.0, 0.0]])
    assert normalise(boxes, 480, 320).tolist() == [pytest.approx([0.1, 0.1, 1, 1]), [0, 0, 0, 0]]


def test_pairs_of_a_lone_object_are_none() -> None:
    assert all_pairs(1).shape == (0, 2)
    assert interaction_features(_boxes(5, 2, 6, 1), all_pairs(1)).shape == (2, 0, 6, 45)
    assert all_pairs(3).tolist() == [[0, 1], [0, 2], [1, 2]]
