from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from models.perceiver.cache.index import CacheShape
from models.perceiver.cache.rows import padded_row, perceived_batch
from models.perceiver.perceived import PerceivedBatch, PerceivedSet, PerceivedVideo, aligned_references, assemble
from models.perceiver.tracking.alignment import align_tracks
from models.perceiver.tracking.tracker import Tracks, track
from tests.support.perceived_sets import FEATURES, make_set, make_video

SHAPE = CacheShape(objects=5, frames=12, references=4, reference_frames=6, features=FEATURES)


def _batch(sets: list[PerceivedSet]) -> PerceivedBatch:
    rows = [padded_row(one, SHAPE) for one in sets]
    stacked = {name: torch.from_numpy(np.stack([row[name] for row in rows])) for name in SHAPE.arrays()}
    return perceived_batch([one.index for one in sets], stacked, SHAPE)


def _tracks(frames: int, count: int, rng: np.random.Generator) -> Tracks:
    video = make_video(frames, count, rng)
    return Tracks(video.boxes, video.seen.astype(np.float32), video.seen, video.features)


def test_a_set_keeps_the_tracks_of_each_video_in_their_own_order() -> None:
    rng = np.random.default_rng(0)
    target, references = _tracks(12, 4, rng), [_tracks(6, 2, rng), _tracks(6, 3, rng)]
    found = assemble(7, (480, 320), target, references, [np.array([3, -1]), np.array([2, 0, 3])])
    assert (found.index, found.width, found.height, len(found)) == (7, 480, 320, 4)
    assert found.owners.tolist() == [[3, -1, -1], [2, 0, 3]]
    for video, tracks in zip((found.target, *found.references), (target, *references), strict=True):
        np.testing.assert_array_equal(video.boxes, tracks.boxes)
        np.testing.assert_array_equal(video.seen, tracks.seen)
        np.testing.assert_array_equal(video.features, tracks.features)


def _expected(one: PerceivedSet, owners: NDArray[np.int64]) -> NDArray[np.float32]:
    boxes = np.zeros((SHAPE.references, SHAPE.reference_frames, SHAPE.objects, 4), np.float32)
    for reference, video in enumerate(one.references):
        for number in range(len(video)):
            if owners[reference, number] >= 0:
                boxes[reference, :, owners[reference, number]] = video.boxes[:, number]
    return boxes


@settings(max_examples=30, deadline=None)
@given(
    index=st.integers(0, 10**6),
    objects=st.integers(0, 5),
    tracks=st.lists(st.integers(0, 5), max_size=4).map(tuple),
)
def test_references_are_put_into_the_order_of_the_target(index: int, objects: int, tracks: tuple[int, ...]) -> None:
    one = make_set(index, objects, tracks=tracks)
    boxes, seen = aligned_references(_batch([one, make_set(index + 1)]))
    np.testing.assert_array_equal(boxes[0].numpy(), _expected(one, one.owners))
    assert not seen[0][~(boxes[0] != 0).any(dim=-1)].any(), "nothing is seen where nothing is"
    shown = sum(video.seen[:, owners >= 0].sum() for video, owners in _owned(one))
    assert seen[0].sum() == shown


def _owned(one: PerceivedSet) -> list[tuple[PerceivedVideo, NDArray[np.int64]]]:
    return [(video, owners[: len(video)]) for video, owners in zip(one.references, one.owners, strict=True)]


def test_references_are_aligned_again_by_other_owners() -> None:
    batch = _batch([make_set(0, objects=5, tracks=(2, 5)), make_set(1)])
    before = batch.owners.clone()
    others = torch.full_like(batch.owners, -1)
    others[0, 1] = torch.tensor([4, 3, 2, 1, 0])
    boxes, seen = aligned_references(batch, others)
    torch.testing.assert_close(boxes[0, 1], batch.references[0, 1].flip(1))
    assert torch.equal(seen[0, 1], batch.reference_seen[0, 1].flip(1))
    assert not boxes[0, 0].any() and not boxes[1].any()
    assert torch.equal(batch.owners, before)
    with pytest.raises(ValueError, match=r"Expected owners \(2, 4, 5\) \(got \(2, 4, 3\)\)"):
        aligned_references(batch, others[..., :3])


def test_a_set_in_which_nothing_was_seen_has_no_objects() -> None:
    nothing = track(np.zeros((6, 8, 4)), np.zeros((6, 8)), np.zeros((6, 8, FEATURES)))
    found = assemble(0, (480, 320), nothing, [nothing], align_tracks(nothing, [nothing]))
    assert len(found) == 0 and found.references[0].boxes.shape == (6, 0, 4) and found.owners.shape == (1, 0)
    boxes, seen = aligned_references(_batch([found]))
    assert boxes.shape == (1, 4, 6, 5, 4) and not boxes.any() and not seen.any()


def test_references_of_a_target_without_objects_belong_to_nobody() -> None:
    rng = np.random.default_rng(1)
    nothing, something = _tracks(12, 0, rng), _tracks(6, 2, rng)
    found = assemble(0, (480, 320), nothing, [something], align_tracks(nothing, [something]))
    assert len(found) == 0 and found.owners.tolist() == [[-1, -1]]
    batch = _batch([found])
    assert (
        batch.tracks[0].tolist() == [2, 0, 0, 0] and batch.references.any() and not aligned_references(batch)[0].any()
    )


@pytest.mark.parametrize(
    ("owners", "message"),
    [
        ([[0, 1], [2, 0]], r"Expected owners of 2 references with up to 3 tracks \(got \(2, 2\)\)"),
        ([[0, 1, -1]], r"Expected owners of 2 references"),
        ([[0, 3, -1], [-1, -1, -1]], r"the 2 tracks of reference 0 to have one of 3 objects.*\(got \[0, 3, -1\]\)"),
        ([[0, 1, -1], [2, 1, 2]], r"reference 1 .* no object twice \(got \[2, 1, 2\]\)"),
        ([[0, 1, 2], [-1, -1, -1]], r"the 2 tracks of reference 0 .*\(got \[0, 1, 2\]\)"),
        ([[0, -2, -1], [-1, -1, -1]], r"one of 3 objects or none"),
    ],
)
def test_owners_that_do_not_fit_are_refused(owners: list[list[int]], message: str) -> None:
    one = make_set(0, objects=3, tracks=(2, 3))
    with pytest.raises(ValueError, match=message):
        replace(one, owners=np.array(owners))


def test_videos_that_do_not_fit_together_are_refused() -> None:
    rng = np.random.default_rng(0)
    video, longer = make_video(5, 3, rng), make_video(6, 3, rng)
    nobody = np.full((2, 3), -1)
    with pytest.raises(ValueError, match=r"Expected references of one length \(got 5, 6 frames\)"):
        PerceivedSet(0, 480, 320, video, (video, longer), nobody)
    with pytest.raises(ValueError, match=r"Expected as many features in every video \(got 8, 16\)"):
        PerceivedSet(0, 480, 320, video, (video, replace(video, features=np.zeros((3, 8), np.float32))), nobody)
    with pytest.raises(ValueError, match=r"Expected boxes \[T, M, 4\].*\(got \(5, 3, 4\), \(5, 2\)"):
        PerceivedVideo(video.boxes, video.seen[:, :2], video.features)
    with pytest.raises(ValueError, match=r"features \[M, D\].*and \(2, 16\)"):
        PerceivedVideo(video.boxes, video.seen, video.features[:2])
