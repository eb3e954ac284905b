import pytest
import torch
from torch import nn

from comphy.errors import ComphyError
from models.train.losses import clipped, require_few_left_out, require_finite


def test_numbers_pass():
    require_finite({"training": 0.0, "validation": 1e30}, "step 1", "learning_rate", 0.1)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_stops_with_all_parts_and_a_way_out(wrong: float):
    with pytest.raises(ComphyError) as error:
        require_finite({"answers": 0.25, "choices": wrong}, "epoch 3", "hidden.learning_rate", 0.5)
    message = str(error.value)
    assert f"no longer finite in epoch 3 (answers 0.25, choices {wrong:g})" in message
    assert "lower hidden.learning_rate (now 0.5)" in message


def weights(gradient: list[float]) -> nn.Parameter:
    made = nn.Parameter(torch.zeros(len(gradient)))
    made.grad = torch.tensor(gradient)
    return made


def test_gradients_are_shortened_together():
    first, second = weights([3.0, 0.0]), weights([4.0])
    assert clipped(iter([first, second]), 1.0)
    assert first.grad is not None and second.grad is not None
    assert torch.cat([first.grad, second.grad]).tolist() == pytest.approx([0.6, 0.0, 0.8], rel=1e-4)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_gradients_that_are_no_numbers_cannot_be_followed(wrong: float):
    assert not clipped([weights([1.0]), weights([wrong])], 1.0)


def test_a_few_steps_may_be_left_out():
    require_few_left_out(10, "lesson 'hidden' at step 5", "hidden.learning_rate", 0.5)
    with pytest.raises(
        ComphyError, match=r"11 steps in a row .* lesson 'hidden' at step 5.*lower hidden.learning_rate"
    ):
        require_few_left_out(11, "lesson 'hidden' at step 5", "hidden.learning_rate", 0.5)
