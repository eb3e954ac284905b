"""Collisions read off clearances."""

import pytest
import torch

from models.pcr.dynamics.impacts import as_sure_as_agreed, collisions_of
from models.pcr.grounding.peaks import Peaks


def clearances(*touching: range, frames: int = 60) -> torch.Tensor:
    gaps = torch.full((1, frames, 1), 0.5)
    for span in touching:
        gaps[:, list(span)] = -0.05
    return gaps


def test_a_touch_is_a_collision_at_its_first_frame():
    found = collisions_of(clearances(range(20, 23)), start=0, first=0)
    assert found.probability[0, 0, 0] > 0.99 and found.time[0, 0, 0] == 20


def test_a_miss_is_none():
    assert collisions_of(clearances(), start=0, first=0).probability.max() < 0.01


def test_two_that_lean_on_each_other_collide_once():
    """They touch when the frames that count begin, and go on: the collision was before."""
    assert collisions_of(clearances(range(10, 60)), start=0, first=30).probability.max() < 0.01


def test_a_second_touch_after_a_while_counts():
    found = collisions_of(clearances(range(10, 12), range(40, 42)), start=100, first=130)
    assert found.probability[0, 0, 0] > 0.99 and found.time[0, 0, 0] == 140


def test_the_gap_has_a_gradient():
    gaps = clearances()
    gaps[:, 30] = 0.002
    gaps.requires_grad_()
    found = collisions_of(gaps, start=0, first=0)
    assert 0.3 < found.probability[0, 0, 0] < 0.5
    found.probability.sum().backward()
    assert gaps.grad is not None and gaps.grad[0, 30, 0] < 0


def test_a_collision_is_as_sure_as_rollouts_agree():
    """Three of four, and nobody, have the collision of the best rollouts of two scenes; in a third all agree on none."""
    best = Peaks(torch.tensor([0.6, 0.9, 0.1])[:, None, None], torch.tensor([10.0, 20.0, 30.0])[:, None, None])
    chance = torch.tensor([0.9, 0.8, 0.15, 0.6, 0.1, 0.2, 0.3, 0.1, 0.4, 0.0, 0.0, 0.1])
    found = as_sure_as_agreed(best, Peaks(chance[:, None, None], torch.zeros(12, 1, 1)), 4)
    assert found.probability.flatten().tolist() == pytest.approx([5 / 6, 7 / 12, 1 / 12])
    assert torch.equal(found.time, best.time)
