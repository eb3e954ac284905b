"""What is stored: the steps, the errors they make, and that rounding twice is rounding once."""

import zlib

import numpy as np
import pytest

from models.perceiver.cache.rounding import round_boxes, round_features


@pytest.mark.parametrize(("width", "step"), [(480, 1 / 64), (240, 1 / 128), (48, 1 / 640)])
def test_boxes_are_off_by_half_a_step_at_most(width: int, step: float) -> None:
    boxes = np.random.default_rng(0).uniform(-10, width + 10, (500, 3, 4))
    found = round_boxes(boxes, width)
    assert found.dtype == np.float32 and found.shape == boxes.shape
    assert 0.4 * step < np.abs(found - boxes).max() < 0.5 * step + 4e-5, "and what single precision leaves out"
    whole = found / step
    np.testing.assert_allclose(whole, np.rint(whole), atol=0.02)
    np.testing.assert_array_equal(round_boxes(found, width), found)
    assert round_boxes(np.array([0.0, width]), width).tolist() == [0, width], "absence and the border stay"


def test_features_keep_twelve_bits_and_are_off_by_less_than_a_percent() -> None:
    rng = np.random.default_rng(0)
    features = (rng.normal(size=5000) * 2.0 ** rng.integers(-12, 12, 5000)).astype(np.float32)
    found = round_features(features)
    assert found.dtype == np.float16 and not (found.view(np.uint16) & 0xF).any()
    error = np.abs(found.astype(np.float64) - features) / np.abs(features)
    normal = np.abs(features) >= 2.0**-14
    assert 0.006 < error[normal].max() <= 1 / 128 * (1 + 1 / 15)  # half precision has been rounded to before
    np.testing.assert_array_equal(round_features(found), found)


def test_features_are_rounded_to_the_nearest_and_ties_to_even() -> None:
    """Between 1 and 2 the steps are 64ths."""
    given = [0.0, 1.007, 1.009, 1 + 1 / 128, 1 + 3 / 128, -1.3, 1.995, 1e6, -1e9]
    expected = [0, 1, 1 + 1 / 64, 1, 1 + 2 / 64, -1 - 19 / 64, 2, 65024, -65024]
    assert round_features(np.array(given)).tolist() == expected


def test_rounded_features_compress_well() -> None:
    features = np.random.default_rng(0).normal(size=(200, 512)).astype(np.float16)
    packed = [len(zlib.compress(one.tobytes())) / features.nbytes for one in (features, round_features(features))]
    assert packed[0] > 0.9 and packed[1] < 0.8
