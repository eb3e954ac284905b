from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.errors import ComphyError, DatasetError
from models.perceiver.cache.feature_cache import CacheWriter, FeatureCache
from models.perceiver.cache.index import CacheKey, CacheShape
from models.perceiver.detection.contract import Detections
from models.perceiver.perceive import Perceiver, draw_set, is_perceiver, open_perceiver
from models.perceiver.perceived import aligned_references
from models.train.checkpoint import split_checkpoint
from tests.support.tiny import TINY, BlindDetector, save_untrained, tiny_frames

CPU = torch.device("cpu")


class GreedyDetector(BlindDetector):
    """Needs more memory than any GPU has, beyond two frames."""

    def detect(self, frames: torch.Tensor) -> Detections:
        if len(frames) > 2:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 900 GiB.")
        return super().detect(frames)


def test_a_full_gpu_is_explained() -> None:
    frames = torch.zeros(5, TINY.height, TINY.width, 3, dtype=torch.uint8)
    with pytest.raises(ComphyError, match=r"too small for batches of 4 frames.*smaller --batch, or --device cpu"):
        Perceiver(GreedyDetector(), CPU, batch=4).detect(frames)
    assert len(Perceiver(GreedyDetector(), CPU, batch=2).detect(frames).scores) == 5


@pytest.mark.bullet
def test_sets_without_any_object_are_perceived_cached_and_batched(small_dataset: Path, tmp_path: Path) -> None:
    frames = tiny_frames(small_dataset)
    (found,) = Perceiver(BlindDetector(), CPU, batch=64).sets(frames, [2])
    assert len(found) == 0 and found.target.boxes.shape == (125, 0, 4) and found.target.features.shape == (0, 512)
    assert [video.boxes.shape for video in found.references] == [(50, 0, 4)] * 4 and found.owners.shape == (4, 0)
    with CacheWriter(tmp_path, CacheKey("", "", {}), CacheShape(TINY.width, TINY.height), [2]) as writer:
        writer.add(found)
    batch = FeatureCache(tmp_path).batch([2])
    assert batch.objects.tolist() == [0] and not batch.tracks.any() and not batch.target.any()
    assert aligned_references(batch)[0].shape == (1, 4, 50, 5, 4)


@pytest.mark.bullet
@pytest.mark.slow
def test_some_videos_of_a_set_give_the_same_tracks_as_all_of_them(small_dataset: Path, tmp_path: Path) -> None:
    """But for the features' common centre, which is of what was looked at."""
    perceiver = open_perceiver(save_untrained(tmp_path), CPU, batch=64)
    frames = tiny_frames(small_dataset)
    chosen = ("reference_1", "reference_3")
    drawn = draw_set(frames, 0, videos=chosen)
    assert torch.equal(drawn, draw_set(frames, 0)[torch.cat([torch.arange(175, 225), torch.arange(275, 325)])])
    tracked = perceiver.tracks(drawn, 0, chosen)
    assert list(tracked.videos) == list(chosen)
    alone = perceiver.tracks(drawn[50:], 0, chosen[1:]).videos["reference_3"]
    assert alone.boxes.shape[0] == 50 and len(alone) == len(tracked.videos["reference_3"])
    np.testing.assert_array_equal(alone.seen, tracked.videos["reference_3"].seen)


@pytest.mark.slow
def test_a_perceiver_is_known_by_its_weights_whole_or_in_parts(tmp_path: Path) -> None:
    assert not is_perceiver(tmp_path)
    run = save_untrained(tmp_path / "run")
    before = open_perceiver(run, CPU)
    assert is_perceiver(run) and is_perceiver(run / "detector.safetensors") and before.batch == 8
    parts = split_checkpoint(run / "detector.safetensors", 16 * 2**20)
    assert [part.name for part in parts] == [f"detector-0000{n}-of-00002.safetensors" for n in (1, 2)]
    assert is_perceiver(run)
    frames = torch.randint(0, 255, (2, TINY.height, TINY.width, 3), dtype=torch.uint8)
    found, expected = (one.detect(frames) for one in (open_perceiver(run, CPU), before))
    assert torch.equal(found.features, expected.features) and torch.equal(found.boxes, expected.boxes)
    parts[0].unlink()
    with pytest.raises(DatasetError, match=r"expected the 2 parts .*\(found detector-00002-of-00002\.safetensors\)"):
        open_perceiver(run, CPU)
