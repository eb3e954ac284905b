import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.errors import DatasetError
from models.perceiver.cache import SETS_PER_COMMIT, CacheWriter, FeatureCache
from models.perceiver.cache_index import INDEX, CacheKey, CacheShape
from models.perceiver.perceived import PerceivedSet, PerceivedVideo

SHAPE = CacheShape(objects=4, frames=12, references=3, reference_frames=6, features=16)
KEY = CacheKey("checkpoint-hash", "dataset-hash", {"tracker": {"same_look": 0.7}})


def _video(frames: int, objects: int, rng: np.random.Generator) -> PerceivedVideo:
    return PerceivedVideo(rng.random((frames, objects, 4), np.float32), rng.random((frames, objects)) < 0.5)


def _set(index: int, objects: int = 3, frames: int = 12, references: int = 3) -> PerceivedSet:
    rng = np.random.default_rng(index)
    videos = tuple(_video(6, objects, rng) for _ in range(references))
    features = rng.random((objects, 16), np.float32)
    return PerceivedSet(index, 480, 320, features, _video(frames, objects, rng), videos)


def _write(folder: Path, sets: list[int], room: range = range(10)) -> None:
    with CacheWriter(folder, KEY, SHAPE, room) as writer:
        for index in sets:
            writer.add(_set(index))


def _assert_same(found: PerceivedSet, expected: PerceivedSet) -> None:
    assert (found.index, found.width, found.height) == (expected.index, expected.width, expected.height)
    np.testing.assert_array_equal(found.features, expected.features)
    for one, other in zip((found.target, *found.references), (expected.target, *expected.references), strict=True):
        np.testing.assert_array_equal(one.boxes, other.boxes)
        np.testing.assert_array_equal(one.seen, other.seen)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    sets = [_set(3), _set(1, objects=4), _set(8, objects=1, frames=7, references=2), _set(5, objects=0, references=0)]
    with CacheWriter(tmp_path / "cache", KEY, SHAPE, range(10)) as writer:
        for one in sets:
            writer.add(one)
    cache = FeatureCache(tmp_path / "cache", KEY)
    assert cache.indices() == [1, 3, 5, 8] and len(cache) == 4 and cache.shape == SHAPE
    for one in sets:
        _assert_same(cache.read(one.index), one)


def test_a_batch_is_padded_and_in_the_order_asked_for(tmp_path: Path) -> None:
    _write(tmp_path, [2, 4, 7])
    batch = FeatureCache(tmp_path, KEY).batch([7, 2])
    assert batch.indices.tolist() == [7, 2] and batch.objects.tolist() == [3, 3]
    assert batch.target.shape == (2, 12, 4, 4) and batch.references.shape == (2, 3, 6, 4, 4)
    assert batch.target_seen.dtype == torch.bool and batch.reference_seen.shape == (2, 3, 6, 4)
    np.testing.assert_array_equal(batch.features[0, :3], _set(7).features)
    np.testing.assert_array_equal(batch.references[1, :, :, :3], _set(2).reference_boxes)
    assert not batch.target[:, :, 3:].any() and not batch.features[:, 3:].any()
    assert torch.equal(batch.to("cpu").target, batch.target)


def test_reading_one_set_copies_nothing_and_changes_no_file(tmp_path: Path) -> None:
    _write(tmp_path, [2])
    found = FeatureCache(tmp_path, KEY).read(2)
    base = found.features
    while isinstance(base.base, np.ndarray):
        base = base.base
    assert isinstance(base, np.memmap)
    found.features[:] = -1
    _assert_same(FeatureCache(tmp_path, KEY).read(2), _set(2))


def test_a_resumed_writer_keeps_what_is_done(tmp_path: Path) -> None:
    _write(tmp_path, [0, 1, 2])
    with CacheWriter(tmp_path, KEY, SHAPE, range(10)) as writer:
        assert writer.missing() == list(range(3, 10))
        writer.add(_set(9))
        assert writer.missing() == list(range(3, 9))
    cache = FeatureCache(tmp_path, KEY)
    for index in (0, 1, 2, 9):
        _assert_same(cache.read(index), _set(index))


def test_a_killed_writer_leaves_nothing_that_counts_as_done(tmp_path: Path) -> None:
    """One row is whole and one half written, but no commit was made."""
    _write(tmp_path, [0])
    writer = CacheWriter(tmp_path, KEY, SHAPE, range(10))
    writer.add(_set(1))
    del writer
    with (tmp_path / "features.npy").open("r+b") as file:
        file.seek(-40, os.SEEK_END)
        file.write(b"\xff" * 40)
    assert FeatureCache(tmp_path, KEY).indices() == [0]
    _write(tmp_path, list(range(1, 10)))
    for index in range(10):
        _assert_same(FeatureCache(tmp_path, KEY).read(index), _set(index))


def test_sets_are_committed_now_and_then_and_when_an_error_stops_the_work(tmp_path: Path) -> None:
    room = range(SETS_PER_COMMIT + 2)
    with pytest.raises(RuntimeError, match="out of luck"), CacheWriter(tmp_path, KEY, SHAPE, room) as writer:
        for index in range(SETS_PER_COMMIT):
            writer.add(_set(index))
        assert len(FeatureCache(tmp_path, KEY)) == SETS_PER_COMMIT
        writer.add(_set(SETS_PER_COMMIT))
        raise RuntimeError("out of luck")
    assert len(FeatureCache(tmp_path, KEY)) == SETS_PER_COMMIT + 1


def test_a_creation_cut_short_is_begun_anew(tmp_path: Path) -> None:
    _write(tmp_path, [0])
    (tmp_path / INDEX).unlink()
    (tmp_path / "extent.npy").write_bytes(b"half")
    _write(tmp_path, [4])
    assert FeatureCache(tmp_path, KEY).indices() == [4]


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (replace(KEY, checkpoint="another"), "another checkpoint: expected another .found checkpoint-hash"),
        (replace(KEY, dataset="another"), "another dataset: expected another .found dataset-hash"),
        (replace(KEY, settings={"tracker": {"same_look": 0.8}}), "another settings: .*0.8.*found.*0.7"),
    ],
)
def test_a_cache_of_another_kind_is_refused(tmp_path: Path, other: CacheKey, named: str) -> None:
    _write(tmp_path, [0])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(DatasetError, match=named):
        FeatureCache(tmp_path, other)
    with pytest.raises(DatasetError, match=f"{INDEX}: a cache of {named}"):
        CacheWriter(tmp_path, other, SHAPE, range(10))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_cache_with_other_room_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, [0])
    with pytest.raises(DatasetError, match=r"expected CacheShape\(.*objects=9.*found CacheShape\(.*objects=4"):
        CacheWriter(tmp_path, KEY, replace(SHAPE, objects=9), range(10))
    with pytest.raises(DatasetError, match=r"expected room for 11 sets \(found 10"):
        CacheWriter(tmp_path, KEY, SHAPE, range(11))


def test_missing_damaged_and_foreign_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=rf"{INDEX}: expected the index .*found none.*Run the perceiver"):
        FeatureCache(tmp_path)
    _write(tmp_path, [0])
    whole = (tmp_path / "features.npy").read_bytes()
    for content, found in ((whole[:200], "cut off or foreign"), (b"no array", "cut off or foreign"), (b"", "cut off")):
        (tmp_path / "features.npy").write_bytes(content)
        with pytest.raises(DatasetError, match=rf"features\.npy: expected an array \(10, 4, 16\).*{found}.*Delete"):
            FeatureCache(tmp_path)
    np.save(tmp_path / "features.npy", np.zeros((10, 4, 17), np.float32))
    with pytest.raises(DatasetError, match=r"features\.npy: expected .*\(10, 4, 16\).*found \(10, 4, 17\)"):
        FeatureCache(tmp_path)
    (tmp_path / "features.npy").unlink()
    with pytest.raises(DatasetError, match=r"features\.npy: expected an array of the feature cache .found none"):
        CacheWriter(tmp_path, KEY, SHAPE, range(10))


def test_an_index_of_another_kind_or_version_is_named(tmp_path: Path) -> None:
    _write(tmp_path, [0])
    record = json.loads((tmp_path / INDEX).read_text())
    (tmp_path / INDEX).write_text(json.dumps({**record, "version": 99}))
    with pytest.raises(DatasetError, match=r"of version 1 \(found comphy feature cache 99"):
        FeatureCache(tmp_path)
    (tmp_path / INDEX).write_text(json.dumps({"sets": []}))
    with pytest.raises(DatasetError, match="expected the key 'kind'"):
        FeatureCache(tmp_path)


def test_sets_that_are_not_there_or_do_not_fit_are_named(tmp_path: Path) -> None:
    _write(tmp_path, [0])
    with pytest.raises(DatasetError, match=r"expected set 5 in the cache \(found 1 other"):
        FeatureCache(tmp_path).batch([0, 5])
    with CacheWriter(tmp_path, KEY, SHAPE, range(10)) as writer:
        with pytest.raises(DatasetError, match=r"one of the 10 sets the cache was made for \(got set 10"):
            writer.add(_set(10))
        with pytest.raises(ValueError, match=r"at most \(4, 12, 3, 6\).*got \(5, 12, 3, 6\) in set 1"):
            writer.add(_set(1, objects=5))
        with pytest.raises(ValueError, match=r"480x320 pictures with 16 features \(got 240x160 with 16\)"):
            writer.add(replace(_set(1), width=240, height=160))


def test_keys_are_hashes_of_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "b").write_bytes(b"")
    key = CacheKey.of(tmp_path / "a", tmp_path / "b", {"sizes": (1, 2)})
    assert key.checkpoint == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert key.dataset == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert key.settings == {"sizes": [1, 2]}
    with pytest.raises(DatasetError, match="none: expected a file"):
        CacheKey.of(tmp_path / "none", tmp_path / "b", {})
