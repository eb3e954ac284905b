import torch

from models.perceiver.representation import all_pairs, present


def test_a_box_of_zeros_is_none() -> None:
    assert present(torch.tensor([[0.0, 0.0, 0.0, 0.0], [-3.0, 0.0, 0.0, 2.0]])).tolist() == [False, True]


def test_pairs_are_in_lexical_order() -> None:
    assert all_pairs(1).shape == (0, 2)
    assert all_pairs(3).tolist() == [[0, 1], [0, 2], [1, 2]]
