import pytest

from comphy.errors import ComphyError
from models.train.finite import require_few_skipped, require_finite


def test_finite_losses_pass():
    require_finite({"training": 0.0, "validation": 1e30}, "at step 1", "learning_rate", 0.1)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf")])
def test_a_loss_that_is_not_finite_stops_with_all_parts_and_a_way_out(wrong: float):
    with pytest.raises(ComphyError) as error:
        require_finite({"answers": 0.25, "choices": wrong}, "at epoch 3", "hidden.learning_rate", 0.5)
    message = str(error.value)
    assert f"no longer finite at epoch 3 (answers 0.25, choices {wrong:g})" in message
    assert "lower hidden.learning_rate (now 0.5)" in message


def test_a_few_steps_may_be_skipped():
    require_few_skipped(10, "at step 5 of stage 'hidden'", "hidden.learning_rate", 0.5)
    with pytest.raises(
        ComphyError, match=r"11 steps in a row .* at step 5 of stage 'hidden'.*lower hidden.learning_rate"
    ):
        require_few_skipped(11, "at step 5 of stage 'hidden'", "hidden.learning_rate", 0.5)
