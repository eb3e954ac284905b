"""Attributes over all views, and of one that is drawn."""

import torch

from models.pcr.grounding.views import sample_one_view, sum_over_views

NOBODY = 2
MINE = torch.tensor([[[1.0, 0.0], [0.0, 10.0]]])
OTHERS = torch.tensor([[[2.0, 0.0], [0.0, 20.0], [4.0, 0.0], [99.0, 99.0]]])
OWNERS = torch.tensor([[0, 1, 0, NOBODY]])


def test_views_of_an_object_are_summed_and_those_of_nobody_left_out():
    assert sum_over_views([MINE], [OTHERS], OWNERS)[0].tolist() == [[[7.0, 0.0], [0.0, 30.0]]]


def test_each_view_of_an_object_is_drawn_alone_and_all_are_drawn_in_time():
    torch.manual_seed(0)
    drawn = [sample_one_view([MINE], [OTHERS], OWNERS)[0] for _ in range(100)]
    assert {one[0, 0, 0].item() for one in drawn} == {1.0, 2.0, 4.0}
    assert {one[0, 1, 1].item() for one in drawn} == {10.0, 20.0}
    assert all(one[0, 0, 1] == one[0, 1, 0] == 0 for one in drawn)


def test_all_words_are_told_from_the_same_view():
    torch.manual_seed(0)
    for _ in range(20):
        first, second = sample_one_view([MINE, MINE * 100], [OTHERS, OTHERS * 100], OWNERS)
        assert torch.equal(first * 100, second)


def test_without_references_the_target_counts():
    none, nobody = torch.zeros(1, 0, 2), torch.zeros(1, 0, dtype=torch.long)
    assert torch.equal(sample_one_view([MINE], [none], nobody)[0], MINE)
