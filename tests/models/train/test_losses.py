import pytest

from comphy.errors import ComphyError
from models.train.losses import require_finite


def test_numbers_pass():
    require_finite({"training": 0.0, "validation": 1e30}, "step 1", "learning_rate", 0.1)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_stops_with_all_parts_and_a_way_out(wrong: float):
    with pytest.raises(ComphyError) as error:
        require_finite({"answers": 0.25, "choices": wrong}, "epoch 3", "hidden.learning_rate", 0.5)
    message = str(error.value)
    assert f"no longer finite in epoch 3 (answers 0.25, choices {wrong:g})" in message
    assert "lower hidden.learning_rate (now 0.5)" in message
