"""Sets that were filmed with different cameras are observed together as each is alone."""

import pytest
import torch

from comphy.scene.camera import BENCHMARK, tilted_camera
from models.pcr.tracks.observed import observe
from models.pcr.tracks.projection import Cameras
from models.perceiver.cache.feature_cache import FeatureCache

pytestmark = pytest.mark.bullet


def test_each_set_is_seen_through_its_own_camera(dozen_cache: FeatureCache) -> None:
    other = tilted_camera(1.4, 3.0, 40)
    sets, cameras = dozen_cache.indices()[:3], [other, BENCHMARK, other]
    together = observe(dozen_cache, sets, cameras)
    for row, (index, camera) in enumerate(zip(sets, cameras, strict=True)):
        alone = observe(dozen_cache, [index], camera)
        torch.testing.assert_close(together.target.tracks.position[row], alone.target.tracks.position[0])
        torch.testing.assert_close(together.references.tracks.position[row], alone.references.tracks.position[0])
        torch.testing.assert_close(together.features[row], alone.features[0])
        assert alone.target.tracks.camera == camera
        own = Cameras.of([camera]).numbers[0]
        for video in (together.target, together.references):
            assert isinstance(video.tracks.camera, Cameras)
            torch.testing.assert_close(
                video.tracks.camera.numbers[row], own.expand_as(video.tracks.camera.numbers[row])
            )
    wrong = observe(dozen_cache, [sets[1]], other)
    assert not torch.allclose(together.target.tracks.position[1], wrong.target.tracks.position[0])


def test_one_camera_for_all_stays_one(dozen_cache: FeatureCache) -> None:
    assert observe(dozen_cache, dozen_cache.indices()[:2], [BENCHMARK] * 2).target.tracks.camera == BENCHMARK
