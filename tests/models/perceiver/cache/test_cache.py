import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.errors import DatasetError
from models.perceiver.cache import arrays as cache_module
from models.perceiver.cache.arrays import CacheInUse
from models.perceiver.cache.feature_cache import CacheWriter, FeatureCache
from models.perceiver.cache.index import INDEX, CacheKey, CacheShape
from models.perceiver.perceived import aligned_references
from models.train.checkpoint import save_tensors, split_checkpoint
from tests.support.leftovers import half_written
from tests.support.perceived_sets import FEATURES, assert_same, make_set

SHAPE = CacheShape(objects=4, frames=12, references=3, reference_frames=6, features=FEATURES)
KEY = CacheKey("checkpoint-hash", "dataset-hash", {"tracker": {"same_look": 0.7}})


def _write(folder: Path, sets: list[int], room: range = range(10)) -> None:
    with CacheWriter(folder, KEY, SHAPE, room) as writer:
        for index in sets:
            writer.add(make_set(index))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    sets = [
        make_set(3),
        make_set(1, objects=4),
        make_set(8, objects=1, frames=7, tracks=(4, 1)),
        make_set(5, 0, tracks=()),
    ]
    with CacheWriter(tmp_path / "cache", KEY, SHAPE, range(10)) as writer:
        for one in sets:
            writer.add(one)
    cache = FeatureCache(tmp_path / "cache", KEY)
    assert cache.indices() == [1, 3, 5, 8] and len(cache) == 4 and cache.shape == SHAPE
    for one in sets:
        assert_same(cache.read(one.index), one)


def test_a_batch_is_padded_and_in_the_order_asked_for(tmp_path: Path) -> None:
    _write(tmp_path, [2, 4, 7])
    batch = FeatureCache(tmp_path, KEY).batch([7, 2])
    assert batch.indices.tolist() == [7, 2] and batch.objects.tolist() == [3, 3]
    assert batch.tracks.tolist() == [[2, 3, 0], [2, 3, 0]]
    assert batch.target.shape == (2, 12, 4, 4) and batch.references.shape == (2, 3, 6, 4, 4)
    assert batch.target_seen.dtype == torch.bool and batch.reference_seen.shape == (2, 3, 6, 4)
    assert batch.target_features.shape == (2, 4, 16) and batch.reference_features.shape == (2, 3, 4, 16)
    assert batch.reference_features.dtype == torch.float32 and batch.owners.dtype == torch.int64
    seven = make_set(7)
    np.testing.assert_array_equal(batch.target_features[0, :3], seven.target.features)
    np.testing.assert_array_equal(batch.references[0, 1, :, :3], seven.references[1].boxes)
    np.testing.assert_array_equal(batch.reference_features[0, 0, :2], seven.references[0].features)
    np.testing.assert_array_equal(batch.owners[0, :, :3], seven.owners)
    assert not batch.target[:, :, 3:].any() and not batch.reference_features[:, 0, 2:].any()
    assert (batch.owners[:, :, 3:] == -1).all() and (batch.owners[:, 2] == -1).all()
    assert torch.equal(batch.to("cpu").owners, batch.owners)


def test_sets_without_objects_and_without_references_are_batched(tmp_path: Path) -> None:
    with CacheWriter(tmp_path, KEY, SHAPE, range(3)) as writer:
        for one in (make_set(0, objects=0), make_set(1, objects=0, tracks=()), make_set(2)):
            writer.add(one)
    batch = FeatureCache(tmp_path).batch([0, 1, 2])
    assert batch.objects.tolist() == [0, 0, 3] and batch.tracks[:2].tolist() == [[2, 3, 0], [0, 0, 0]]
    assert not batch.target[:2].any() and (batch.owners[:2] == -1).all()
    boxes, seen = aligned_references(batch)
    assert not boxes[:2].any() and not seen[:2].any() and boxes[2].any()


def test_features_take_half_precision(tmp_path: Path) -> None:
    one = make_set(0)
    one.target.features[0, :3] = (1 + 2**-12, 1e6, -1e6)
    with CacheWriter(tmp_path, KEY, SHAPE, [0]) as writer:
        writer.add(one)
    found = FeatureCache(tmp_path).read(0).target.features
    assert found.dtype == np.float32 and found[0, :3].tolist() == [1.0, 65024.0, -65024.0]
    expected = 4 * 8 + 3 * 8 + 12 * 4 * 17 + 4 * 32 + 3 * (6 * 4 * 17 + 4 * 32 + 4 * 8)
    assert SHAPE.bytes_per_set() == expected
    stored = sum(path.stat().st_size for path in tmp_path.glob("*.npy"))
    assert stored == expected + 128 * len(SHAPE.arrays()), "a header of 128 bytes each"


def test_what_is_written_is_rounded(tmp_path: Path) -> None:
    one = make_set(0)
    one.target.boxes[0, 0] = (1 / 64 + 0.001, 100.5 - 0.001, 0, 480)
    one.references[0].features[0, :2] = (1.007, -1.009)
    with CacheWriter(tmp_path, KEY, SHAPE, [0]) as writer:
        writer.add(one)
    found = FeatureCache(tmp_path).read(0)
    assert found.target.boxes[0, 0].tolist() == [1 / 64, 100.5, 0, 480]
    assert found.references[0].features[0, :2].tolist() == [1.0, -1 - 1 / 64]


def test_a_cache_that_is_not_rounded_is_read_and_not_added_to(tmp_path: Path) -> None:
    _write(tmp_path, list(range(9)))
    index = tmp_path / INDEX
    record = json.loads(index.read_text())
    index.write_text(json.dumps({**record, "version": 2}))
    assert_same(FeatureCache(tmp_path, KEY).read(3), make_set(3))
    with pytest.raises(DatasetError, match=r"version 3 to add sets to \(found version 2, whose.*Delete the folder"):
        CacheWriter(tmp_path, KEY, SHAPE, range(10))
    index.write_text(json.dumps({**record, "version": 2, "done": list(range(10))}))
    with CacheWriter(tmp_path, KEY, SHAPE, range(10)) as writer:
        assert writer.missing() == [], "where nothing is missing, nothing is mixed"
    assert json.loads(index.read_text())["version"] == 2


def test_reading_one_set_copies_no_boxes_and_changes_no_file(tmp_path: Path) -> None:
    _write(tmp_path, [2])
    found = FeatureCache(tmp_path, KEY).read(2)
    base = found.target.boxes
    while isinstance(base.base, np.ndarray):
        base = base.base
    assert isinstance(base, np.memmap)
    found.target.boxes[:] = -1
    assert_same(FeatureCache(tmp_path, KEY).read(2), make_set(2))


def test_a_resumed_writer_keeps_what_is_done(tmp_path: Path) -> None:
    _write(tmp_path, [0, 1, 2])
    with CacheWriter(tmp_path, KEY, SHAPE, range(10)) as writer:
        assert writer.missing() == list(range(3, 10))
        writer.add(make_set(9))
        assert writer.missing() == list(range(3, 9))
    cache = FeatureCache(tmp_path, KEY)
    for index in (0, 1, 2, 9):
        assert_same(cache.read(index), make_set(index))


def test_a_writer_clears_what_a_killed_one_left(tmp_path: Path) -> None:
    left = half_written(tmp_path / "index.json")
    _write(tmp_path, [0])
    assert not left.exists()


def test_a_killed_writer_leaves_nothing_that_counts_as_done(tmp_path: Path) -> None:
    """One row is whole and one half written, but no commit was made."""
    writer = CacheWriter(tmp_path, KEY, SHAPE, range(10))
    writer.add(make_set(0))
    writer.add(make_set(1))
    del writer
    with (tmp_path / "target_features.npy").open("r+b") as file:
        file.seek(-40, os.SEEK_END)
        file.write(b"\xff" * 40)
    assert FeatureCache(tmp_path, KEY).indices() == [0]
    _write(tmp_path, list(range(1, 10)))
    for index in range(10):
        assert_same(FeatureCache(tmp_path, KEY).read(index), make_set(index))


def test_sets_are_committed_now_and_then_and_when_an_error_stops_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RuntimeError, match="out of luck"), CacheWriter(tmp_path, KEY, SHAPE, range(9)) as writer:
        writer.add(make_set(0))
        writer.add(make_set(1))
        assert FeatureCache(tmp_path, KEY).indices() == [0], "the first at once, then every few seconds"
        monkeypatch.setattr(cache_module, "SECONDS_PER_COMMIT", 0.0)
        writer.add(make_set(2))
        assert FeatureCache(tmp_path, KEY).indices() == [0, 1, 2]
        monkeypatch.setattr(cache_module, "SECONDS_PER_COMMIT", 1e9)
        writer.add(make_set(3))
        raise RuntimeError("out of luck")
    assert FeatureCache(tmp_path, KEY).indices() == [0, 1, 2, 3]


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
    with pytest.raises(DatasetError, match=rf"{INDEX}: expected the index .*found none.*Run comphy perceive"):
        FeatureCache(tmp_path)
    _write(tmp_path, [0])
    whole = (tmp_path / "target_features.npy").read_bytes()
    for content, found in ((whole[:200], "cut off or foreign"), (b"no array", "cut off or foreign"), (b"", "cut off")):
        (tmp_path / "target_features.npy").write_bytes(content)
        with pytest.raises(
            DatasetError, match=rf"target_features\.npy: expected an array \(10, 4, 16\).*{found}.*Delete"
        ):
            FeatureCache(tmp_path)
    np.save(tmp_path / "target_features.npy", np.zeros((10, 4, 17), np.float16))
    with pytest.raises(DatasetError, match=r"target_features\.npy: expected .*\(10, 4, 16\).*found \(10, 4, 17\)"):
        FeatureCache(tmp_path)
    (tmp_path / "target_features.npy").unlink()
    with pytest.raises(DatasetError, match=r"target_features\.npy: expected an array of the feature cache .found none"):
        CacheWriter(tmp_path, KEY, SHAPE, range(10))


def test_an_index_of_another_kind_or_version_is_named(tmp_path: Path) -> None:
    _write(tmp_path, [0])
    record = json.loads((tmp_path / INDEX).read_text())
    (tmp_path / INDEX).write_text(json.dumps({**record, "version": 99}))
    with pytest.raises(DatasetError, match=r"of version 2 or 3 \(found comphy feature cache 99"):
        FeatureCache(tmp_path)
    (tmp_path / INDEX).write_text(json.dumps({**record, "version": 1}))
    for use in (FeatureCache, partial(CacheWriter, key=KEY, shape=SHAPE, sets=range(10))):
        with pytest.raises(DatasetError, match=r"cache 1\).*run comphy perceive again"):
            use(tmp_path)
    (tmp_path / INDEX).write_text(json.dumps({"sets": []}))
    with pytest.raises(DatasetError, match="expected the key 'kind'"):
        FeatureCache(tmp_path)


def test_sets_that_are_not_there_or_do_not_fit_are_named(tmp_path: Path) -> None:
    _write(tmp_path, [0])
    with pytest.raises(DatasetError, match=r"expected set 5 in the cache \(found 1 other"):
        FeatureCache(tmp_path).batch([0, 5])
    with CacheWriter(tmp_path, KEY, SHAPE, range(10)) as writer:
        with pytest.raises(DatasetError, match=r"one of the 10 sets the cache was made for \(got set 10"):
            writer.add(make_set(10))
        with pytest.raises(ValueError, match=r"at most \(4, 12, 3, 6, 4\).*got \(5, 12, 3, 6, 3\) in set 1"):
            writer.add(make_set(1, objects=5))
        with pytest.raises(ValueError, match=r"got \(3, 12, 2, 6, 5\) in set 1"):
            writer.add(make_set(1, tracks=(5, 1)))
        with pytest.raises(ValueError, match=r"480x320 pictures with 16 features \(got 240x160 with 16\)"):
            writer.add(replace(make_set(1), width=240, height=160))


def test_keys_are_hashes_of_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    key = CacheKey.of(tmp_path / "a", "of a source", {"sizes": (1, 2)})
    assert key.checkpoint == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert key.dataset == "of a source"
    assert key.settings == {"sizes": [1, 2]}
    with pytest.raises(DatasetError, match="none: expected a file"):
        CacheKey.of(tmp_path / "none", "", {})


def test_the_key_of_a_split_checkpoint_depends_on_all_its_parts(tmp_path: Path) -> None:
    keys = []
    for last in (0.0, 1.0):
        save_tensors(tmp_path / "c.safetensors", {"a": torch.zeros(200), "b": torch.full((200,), last)}, {})
        assert len(split_checkpoint(tmp_path / "c.safetensors", 1500)) == 2
        keys.append(CacheKey.of(tmp_path / "c.safetensors", "", {}))
    assert keys[0].checkpoint != keys[1].checkpoint and keys[0].dataset == keys[1].dataset


def test_a_second_writer_waits_for_the_first_and_adds_the_rest(tmp_path: Path) -> None:
    """Each has the sets of the other: neither writes an index over the other's."""
    first = CacheWriter(tmp_path, KEY, SHAPE, range(4))
    first.add(make_set(0))
    first.add(make_set(1))
    asked: list[int] = []

    def first_ends(done: int) -> bool:
        asked.append(done)
        first.close()
        return False

    with CacheWriter(tmp_path, KEY, SHAPE, range(4), first_ends) as second:
        assert second.missing() == [2, 3]
        second.add(make_set(3))
        second.add(make_set(2))
    assert asked == [1], "asked once, when the first set had been committed"
    cache = FeatureCache(tmp_path, KEY)
    for index in range(4):
        assert_same(cache.read(index), make_set(index))


def test_a_second_writer_may_give_up(tmp_path: Path) -> None:
    first = CacheWriter(tmp_path, KEY, SHAPE, range(4))
    with pytest.raises(CacheInUse, match="another process fills this comphy feature cache"):
        CacheWriter(tmp_path, KEY, SHAPE, range(4), lambda done: True)
    first.close()
    with CacheWriter(tmp_path, KEY, SHAPE, range(4), lambda done: True) as writer:
        assert writer.missing() == [0, 1, 2, 3]
