"""Filling a cache from a tiny dataset with an untrained detector."""

from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.errors import DatasetError
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.cache.fill import Filled, cache_key, choose_sets, fill, open_cache
from models.perceiver.perceive import Perceiver, open_perceiver
from tests.support.tiny import save_untrained, tiny_frames

pytestmark = pytest.mark.bullet


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_untrained(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def perceiver(run: Path) -> Perceiver:
    return open_perceiver(run, torch.device("cpu"), batch=64)


def _fill(run: Path, perceiver: Perceiver, data: Path, out: Path, sets: list[int], stop_after: int = 9) -> Filled:
    """Raises KeyboardInterrupt when so many sets are done."""

    def report(done: int, total: int) -> None:
        if done == stop_after:
            raise KeyboardInterrupt

    key = cache_key(run, data, perceiver.tracking, "raytrace")
    with open_cache(out, key, perceiver, data) as writer:
        return fill(writer, perceiver, tiny_frames(data), sets, report)


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
def test_an_interrupted_filling_goes_on_to_the_same_bytes(
    run: Path, perceiver: Perceiver, small_dataset: Path, tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        _fill(run, perceiver, small_dataset, tmp_path / "cut", [0, 3], stop_after=1)
    assert FeatureCache(tmp_path / "cut").indices() == [0]
    resumed = _fill(run, perceiver, small_dataset, tmp_path / "cut", [3, 0])
    assert (resumed.made, resumed.kept, resumed.frames) == (1, 1, 325) and resumed.frames_per_s > 0
    whole = _fill(run, perceiver, small_dataset, tmp_path / "whole", [0, 3])
    assert (whole.made, whole.kept) == (2, 0)
    assert _contents(tmp_path / "cut") == _contents(tmp_path / "whole")
    assert _fill(run, perceiver, small_dataset, tmp_path / "cut", [0, 3]).made == 0


@pytest.mark.slow
def test_what_is_cached_is_what_is_perceived(
    run: Path, perceiver: Perceiver, small_dataset: Path, tmp_path: Path
) -> None:
    _fill(run, perceiver, small_dataset, tmp_path, [1])
    (expected,) = perceiver.sets(tiny_frames(small_dataset), [1])
    cache = FeatureCache(tmp_path, cache_key(run, small_dataset, perceiver.tracking, "raytrace"))
    found = cache.read(1)
    assert len(found) == len(expected) > 0 and (found.width, found.height) == (48, 32)
    np.testing.assert_array_equal(found.owners, expected.owners)
    half_a_step = 48 / 480 / 64 / 2 + 1e-6
    np.testing.assert_allclose(found.target.boxes, expected.target.boxes, rtol=0, atol=half_a_step)
    for one, other in zip(found.references, expected.references, strict=True):
        np.testing.assert_allclose(one.boxes, other.boxes, rtol=0, atol=half_a_step)
        np.testing.assert_allclose(one.features, other.features, rtol=1 / 100, atol=1e-4)


def test_a_cache_belongs_to_its_checkpoint_frames_and_dataset(
    run: Path, perceiver: Perceiver, small_dataset: Path, tmp_path: Path
) -> None:
    out = tmp_path / "cache"
    _fill(run, perceiver, small_dataset, out, [])
    other = save_untrained(tmp_path / "other", seed=1)
    with pytest.raises(DatasetError, match=r"a cache of another checkpoint.*Delete the folder and run comphy perceive"):
        _fill(other, perceiver, small_dataset, out, [0])
    with pytest.raises(DatasetError, match=r"another settings: expected .*videos.*found .*raytrace"):
        FeatureCache(out, cache_key(run, small_dataset, perceiver.tracking, "videos"))
    with pytest.raises(DatasetError, match=r"expected a source of video sets"):
        cache_key(run, tmp_path, perceiver.tracking, "raytrace")


def test_sets_are_chosen_by_split_and_number(small_dataset: Path, tmp_path: Path) -> None:
    assert choose_sets(small_dataset, "all") == choose_sets(small_dataset, "train") == [0, 1, 2, 3]
    assert choose_sets(small_dataset, "train", 2) == [0, 1]
    with pytest.raises(DatasetError, match="expected sets of the split 'val'"):
        choose_sets(small_dataset, "val")
    with pytest.raises(DatasetError, match="expected a source of video sets"):
        choose_sets(tmp_path, "all")
