import numpy as np
import pytest

from comphy.scene.clip import Clip
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape


def turned(degrees: float) -> list[float]:
    half = np.radians(degrees) / 2
    return [0.0, 0.0, np.sin(half), np.cos(half)]


def test_moments_between_frames_are_interpolated():
    spec = ObjectSpec(Color.RED, Shape.CUBE, Material.METAL)
    orientations = np.array([[turned(0)], [turned(40)], [[-x for x in turned(60)]]])  # q and -q are one rotation
    clip = Clip((spec,), np.array([[[0.0, 0, 0]], [[1.0, 2, 0]], [[5.0, 2, 0]]]), orientations)
    found = clip.at([0, 0.25, 1.5, 2, 7.0, -1.0])
    expected = [[0, 0, 0], [0.25, 0.5, 0], [3, 2, 0], [5, 2, 0], [5, 2, 0], [0, 0, 0]]
    assert found.positions[:, 0] == pytest.approx(np.array(expected))
    assert found.orientations[2, 0] == pytest.approx(np.array(turned(50))), "halfway along the shorter arc"
    assert np.linalg.norm(found.orientations, axis=-1) == pytest.approx(1.0)
    whole = clip.at([0, 1, 2])
    assert np.array_equal(whole.positions, clip.positions)
