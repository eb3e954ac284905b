"""Identity scores against exhaustive search, switches and fragments against counts by hand."""

import json
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binomtest

from comphy.evaluation.perception.tracking import Alignment, TrackingScores, alignment_accuracy, total, tracking_scores

Tracks = NDArray[np.float64]
SIDE = 10.0
A, B, C = 0, 1, 2  # places of objects, far apart
GONE = None


def boxes(*tracks: list[float | None]) -> Tracks:
    """[T, N, 4] of tracks given by their places in each frame; half a place overlaps neither whole one."""
    array = np.zeros((len(tracks[0]), len(tracks), 4))
    for n, places in enumerate(tracks):
        for t, place in enumerate(places):
            if place is not None:
                array[t, n] = (100 * place, 0, 100 * place + SIDE, SIDE)
    return array


def asked(truth: Tracks) -> NDArray[np.bool_]:
    """Flags that ignore nothing."""
    return np.zeros(truth.shape[:2], bool)


def scored(predicted: Tracks, truth: Tracks) -> TrackingScores:
    return tracking_scores(predicted, truth, asked(truth))


def iou(one: Tracks, other: Tracks) -> float:
    sides = [min(one[i + 2], other[i + 2]) - max(one[i], other[i]) for i in (0, 1)]
    inner = max(0.0, sides[0]) * max(0.0, sides[1])
    union = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - inner
    return inner / union if inner else 0.0


def fewest_false_and_missed(predicted: Tracks, truth: Tracks) -> tuple[int, int, int]:
    """IDTP, IDFP, IDFN by trying each assignment of predicted tracks, or none (None), to true ones."""
    count, objects = predicted.shape[1], truth.shape[1]
    candidates: list[int | None] = [*range(count), *([None] * objects)]
    counts = []
    for chosen in set(permutations(candidates, objects)):
        agreeing = sum(
            iou(predicted[t, n], truth[t, m]) >= 0.5
            for m, n in enumerate(chosen)
            if n is not None
            for t in range(len(truth))
        )
        false, missed = (int(one.any(axis=2).sum()) - agreeing for one in (predicted, truth))
        counts.append((false + missed, agreeing, false, missed))
    return min(counts)[1:]


def test_perfect_tracks():
    truth = boxes([A] * 4, [B] * 4, [GONE, GONE, C, C])
    found = scored(truth[:, [2, 0, 1]], truth)
    assert found == TrackingScores(videos=1, idtp=10)
    assert (found.idf1, found.idp, found.idr) == (1.0, 1.0, 1.0)


def test_no_tracks_at_all():
    truth = boxes([A] * 4)
    found = scored(truth[:, :0], truth)
    assert found == TrackingScores(videos=1, idfn=4)
    assert (found.idf1, found.idp, found.idr) == (0.0, None, 0.0)


def test_tracks_of_nothing():
    predicted = boxes([A] * 4)
    found = scored(predicted, predicted[:, :0])
    assert found == TrackingScores(videos=1, idfp=4)
    assert (found.idf1, found.idp, found.idr) == (0.0, 0.0, None)


@pytest.mark.parametrize("shape", [(0, 2, 4), (3, 0, 4), (3, 2, 4)])
def test_without_boxes_there_is_no_score(shape: tuple[int, int, int]):
    found = scored(np.zeros(shape), np.zeros(shape))
    assert found == TrackingScores(videos=1)
    assert (found.idf1, found.idp, found.idr) == (None, None, None)


def test_all_false():
    found = scored(boxes([B] * 4), boxes([A] * 4))
    assert found == TrackingScores(videos=1, idfp=4, idfn=4)
    assert found.idf1 == 0.0


def test_identities_swapped_halfway():
    found = scored(boxes([A, A, B, B], [B, B, A, A]), boxes([A] * 4, [B] * 4))
    assert found == TrackingScores(videos=1, idtp=4, idfp=4, idfn=4, switches=2)
    assert found.idf1 == 0.5


def test_precision_and_recall_of_identities():
    """A track of 3 boxes on 8 true ones, one more box elsewhere: 3 of 4, 3 of 8, and 2 * 3 / (4 + 8)."""
    found = scored(boxes([A, A, A, B, *[GONE] * 4]), boxes([A] * 8))
    assert (found.idp, found.idr, found.idf1) == (3 / 4, 3 / 8, 1 / 2)


def test_an_overlap_of_half_is_enough():
    truth = np.array([[[0.0, 0, 10, 10]]])
    assert scored(np.array([[[0.0, 0, 5, 10]]]), truth).idf1 == 1.0
    assert scored(np.array([[[0.0, 0, 4.9, 10]]]), truth).idf1 == 0.0


def test_whole_tracks_are_assigned_not_boxes():
    """The first track has 3 boxes on A and 2 on B, the second 2 on A: 3 + 0 agree, or 2 + 2."""
    found = scored(boxes([A, A, A, B, B], [GONE, GONE, GONE, A, A]), boxes([A] * 5, [B] * 5))
    assert found.idtp == 4
    assert found.switches == 1


@pytest.mark.parametrize(
    ("tracks", "switches", "fragments"),
    [
        ([[A, A, GONE, A, A]], 0, 1),
        ([[A, GONE, A, GONE, A]], 0, 2),
        ([[GONE, A, A, A, GONE]], 0, 0),
        ([[A, A, GONE, GONE, GONE]], 0, 0),
        ([[GONE] * 5], 0, 0),
        ([[A, A, GONE, GONE, GONE], [GONE, GONE, A, A, A]], 1, 0),
        ([[A, A, GONE, GONE, GONE], [GONE, GONE, GONE, A, A]], 1, 1),
        ([[A, GONE, A, GONE, A], [GONE, A, GONE, A, GONE]], 4, 0),
    ],
)
def test_switches_and_fragments(tracks: list[list[float | None]], switches: int, fragments: int):
    found = scored(boxes(*tracks), boxes([A] * 5))
    assert (found.switches, found.fragments) == (switches, fragments)


def test_a_match_is_kept_while_it_overlaps():
    """From the second frame on another track fits better; the first, still at an IoU of 2/3, stays."""
    truth = np.tile([0.0, 0, 10, 10], (3, 1, 1))
    exact, beside = np.array([0.0, 0, 10, 10]), np.array([2.0, 0, 12, 10])
    predicted = np.stack([[beside, np.zeros(4)], [beside, exact], [beside, exact]])
    assert scored(predicted, truth).switches == 0
    predicted[2, 0] = 0
    assert scored(predicted, truth).switches == 1


def test_a_match_is_taken_up_again_after_a_gap():
    """The object is away in the second frame; its track comes back a little off, beside a new one that fits better."""
    truth = boxes([A, GONE, A])
    exact, beside = np.array([0.0, 0, 10, 10]), np.array([2.0, 0, 12, 10])
    predicted = np.stack([[exact, np.zeros(4)], [np.zeros(4), np.zeros(4)], [beside, exact]])
    found = scored(predicted, truth)
    assert (found.switches, found.fragments) == (0, 0)


def test_a_track_that_went_over_to_another_object_is_no_longer_held():
    """Track 0 leaves A for B. Where both meet, it stays with B, where it was last, though it fits A better."""
    none, away, here, beside = [0.0] * 4, [0.0, 0, 10, 10], [50.0, 0, 60, 10], [51.0, 0, 61, 10]
    truth = np.array([[away, here], [away, here], [here, beside], [away, beside]])
    predicted = np.array([[away, none], [here, none], [here, beside], [beside, away]])
    assert scored(predicted, truth).switches == 1  # A goes on with track 1


def test_ignored_boxes_are_never_missed_and_interrupt_nothing():
    truth = boxes([A] * 5)
    flags = np.array([[False], [False], [True], [True], [False]])
    assert tracking_scores(boxes([A, A, GONE, GONE, A]), truth, flags) == TrackingScores(videos=1, idtp=3)


def test_predictions_on_ignored_boxes_are_left_out():
    truth = boxes([A] * 4, [B] * 4)
    flags = np.zeros((4, 2), bool)
    flags[:, 1] = True
    found = tracking_scores(boxes([A] * 4, [B] * 4, [GONE, B, B, C]), truth, flags)
    assert found == TrackingScores(videos=1, idtp=4, idfp=1)  # only the one at C, where nothing is


def test_a_prediction_lies_on_the_box_it_overlaps_most():
    """The ignored box overlaps the one asked for; each prediction fits one of them, and the other a little less."""
    near, hidden = [0.0, 0, 10, 10], [2.0, 0, 12, 10]
    truth, flags = np.array([[near, hidden]]), np.array([[False, True]])
    assert tracking_scores(np.array([[near, hidden]]), truth, flags) == TrackingScores(videos=1, idtp=1)
    assert tracking_scores(np.array([[hidden]]), truth, flags) == TrackingScores(videos=1, idfn=1)


def test_a_tie_is_for_the_box_that_is_asked_for():
    truth, flags = boxes([A], [A]), np.array([[True, False]])
    assert tracking_scores(boxes([A]), truth, flags) == TrackingScores(videos=1, idtp=1)


def test_counts_are_summed_over_videos():
    one = TrackingScores(videos=1, idtp=90, idfp=10, idfn=30, switches=2, fragments=1)
    other = TrackingScores(videos=2, idtp=10, idfp=0, idfn=10, switches=0, fragments=4)
    both = total([one, other])
    assert both == TrackingScores(videos=3, idtp=100, idfp=10, idfn=40, switches=2, fragments=5)
    assert both.idf1 == pytest.approx(200 / 250)
    assert total([]) == TrackingScores()


def test_the_record_is_plain_json():
    record = json.loads(json.dumps(scored(boxes([A, A, B, B], [B, B, A, A]), boxes([A] * 4, [B] * 4)).record()))
    assert record == {
        "videos": 1,
        "idf1": 0.5,
        "idp": 0.5,
        "idr": 0.5,
        "idtp": 4,
        "idfp": 4,
        "idfn": 4,
        "switches": 2,
        "fragments": 0,
    }
    assert json.loads(json.dumps(TrackingScores().record()))["idf1"] is None


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"predicted": np.zeros((3, 4))}, r"Expected predicted of shape \[T, N, 4\] \(got \(3, 4\)\)"),
        ({"truth": np.zeros((3, 1, 5))}, r"Expected truth of shape \[T, M, 4\] \(got \(3, 1, 5\)\)"),
        ({"predicted": np.zeros((2, 1, 4))}, r"Expected as many predicted as true frames \(got 2 and 3\)"),
        ({"ignored": np.zeros((3, 2), bool)}, r"Expected ignored as booleans of shape \(3, 1\)"),
        ({"ignored": np.zeros((3, 1))}, r"Expected ignored as booleans .* \(got float64 of shape \(3, 1\)\)"),
        ({"predicted": np.full((3, 1, 4), np.nan)}, r"Expected predicted with finite x0 <= x1"),
    ],
)
def test_bad_tracks_are_refused(changed: dict[str, Any], message: str):
    tracks = {"predicted": np.zeros((3, 1, 4)), "truth": np.zeros((3, 1, 4)), "ignored": np.zeros((3, 1), bool)}
    with pytest.raises(ValueError, match=message):
        tracking_scores(**(tracks | changed))


@st.composite
def tracks(draw: st.DrawFn, frames: int, most: int) -> Tracks:
    """Tracks that wander among a few places, overlap in part, and are now and then gone."""
    place = st.sampled_from([GONE, 0.0, 0.02, 0.04, 1.0])
    count = draw(st.integers(0, most))
    chosen = [draw(st.lists(place, min_size=frames, max_size=frames)) for _ in range(count)]
    return boxes(*chosen) if chosen else np.zeros((frames, 0, 4))


@settings(max_examples=150, deadline=None)
@given(tracks(5, 3), tracks(5, 3))
def test_identity_counts_are_those_of_the_best_assignment(predicted: Tracks, truth: Tracks):
    found = scored(predicted, truth)
    assert (found.idtp, found.idfp, found.idfn) == fewest_false_and_missed(predicted, truth)


@settings(max_examples=150, deadline=None)
@given(tracks(5, 4), tracks(5, 3), st.data())
def test_scores_are_shares_and_counts_have_bounds(predicted: Tracks, truth: Tracks, data: st.DataObject):
    flags = np.array(data.draw(st.lists(st.booleans(), min_size=5 * truth.shape[1], max_size=5 * truth.shape[1])), bool)
    found = tracking_scores(predicted, truth, flags.reshape(truth.shape[:2]))
    assert all(0 <= share <= 1 for share in (found.idf1, found.idp, found.idr) if share is not None)
    assert min(found.idtp, found.idfp, found.idfn, found.switches, found.fragments) >= 0
    assert found.idtp + found.idfp <= predicted.any(axis=2).sum()
    assert found.idtp + found.idfn == (truth.any(axis=2) & ~flags.reshape(truth.shape[:2])).sum()
    assert found.switches <= 4 * truth.shape[1] and found.fragments <= 2 * truth.shape[1]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.integers(0, 4), st.integers(1, 8))
def test_the_order_of_tracks_does_not_matter(seed: int, count: int, objects: int, frames: int):
    rng = np.random.default_rng(seed)
    corners = rng.uniform(0, 8, (2, frames, 5, 2))  # crowded, and without ties
    predicted, truth = np.concatenate([corners, corners + SIDE], axis=-1)
    predicted, truth = predicted[:, :count], truth[:, :objects]
    predicted[rng.random((frames, count)) < 0.3] = 0
    flags = rng.random((frames, objects)) < 0.2
    rows, columns = rng.permutation(count), rng.permutation(objects)
    mixed = tracking_scores(predicted[:, rows], truth[:, columns], flags[:, columns])
    assert mixed == tracking_scores(predicted, truth, flags)


def test_alignment_by_hand():
    """Reference tracks of objects 7, 8, 9 and of none; the target video shows 8, 7 and something else."""
    right = Alignment([1, 0, None, None], [7, 8, 9, None], [8, 7, None])
    wrong = Alignment([0, None, 2, 2], [7, 8, 9, None], [8, 7, None])
    assert (right.right(), wrong.right()) == (4, 0)
    found = alignment_accuracy([right, wrong])
    assert found is not None and (found.right, found.count, found.value) == (4, 8, 0.5)
    expected = binomtest(4, 8).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_no_tracks_have_no_alignment_accuracy():
    assert alignment_accuracy([]) is None
    assert alignment_accuracy([Alignment([], [], [1, 2])]) is None


def test_two_tracks_of_one_object_may_share_a_target():
    assert Alignment([0, 0], [5, 5], [5]).right() == 2


def test_bad_alignments_are_refused():
    with pytest.raises(ValueError, match=r"one assignment per reference track \(got 1 for 2 tracks\)"):
        Alignment([0], [1, 2], [1])
    for outside in (-1, 2):
        with pytest.raises(ValueError, match=rf"to none or one of 2 target tracks \(got index {outside}\)"):
            Alignment([outside], [1], [1, 2])
