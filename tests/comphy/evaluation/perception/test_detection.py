"""Average precision against hand-worked curves and the definition written out in fractions."""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from comphy.evaluation.perception.detection import (
    COCO_THRESHOLDS,
    DetectionAccumulator,
    DetectionScores,
    FrameBoxes,
    pairwise_iou,
)

Box = tuple[int, int, int, int]
SIDE = 10
BOX: Box = (0, 0, SIDE, SIDE)
FAR: Box = (100, 100, 110, 110)


def shifted(by: int) -> Box:
    """Overlaps BOX with an IoU of (10 - by) / (10 + by)."""
    return (by, 0, SIDE + by, SIDE)


def frame(
    found: Sequence[tuple[Box, float]], truth: Sequence[Box] = (BOX,), ignored: Sequence[bool] | None = None
) -> FrameBoxes:
    boxes = np.array([box for box, _ in found], float).reshape(-1, 4)
    flags = np.array([False] * len(truth) if ignored is None else ignored, bool)
    return FrameBoxes(boxes, [score for _, score in found], np.array(truth, float).reshape(-1, 4), flags)


def scores_of(frames: Sequence[FrameBoxes], score: float = 0.5) -> DetectionScores:
    accumulator = DetectionAccumulator()
    for one in frames:
        accumulator.add(*one)
    return accumulator.scores(score)


def fraction_iou(one: Box, other: Box) -> Fraction:
    width = max(0, min(one[2], other[2]) - max(one[0], other[0]))
    height = max(0, min(one[3], other[3]) - max(one[1], other[1]))
    union = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in (one, other)) - width * height
    return Fraction(width * height, union)


def by_definition(frames: Sequence[FrameBoxes], threshold: Fraction) -> float | None:
    """COCO's average precision, step by step and in fractions."""
    verdicts: list[tuple[float, bool]] = []
    asked = 0
    for boxes, scores, truth, ignored in frames:
        flags = list(map(bool, ignored))
        whole = [tuple(map(int, box)) for box in truth]
        free = {i for i, flag in enumerate(flags) if not flag}
        asked += len(free)
        for score, box in sorted(zip(scores, boxes, strict=True), key=lambda pair: -pair[0]):
            overlap = [fraction_iou(tuple(map(int, box)), other) for other in whole]
            near = [i for i in sorted(free) if overlap[i] >= threshold]
            if near:
                free.remove(max(near, key=lambda i: overlap[i]))
                verdicts.append((score, True))
            elif not any(flag and overlap[i] >= threshold for i, flag in enumerate(flags)):
                verdicts.append((score, False))
    if not asked:
        return None
    verdicts.sort(key=lambda pair: -pair[0])
    curve = []
    for count in range(1, len(verdicts) + 1):
        hits = sum(hit for _, hit in verdicts[:count])
        curve.append((Fraction(hits, asked), Fraction(hits, count)))
    best = [max((p for r, p in curve if r >= Fraction(step, 100)), default=Fraction(0)) for step in range(101)]
    return float(sum(best) / 101)


def test_iou_by_hand():
    one = np.array([BOX, (5, 0, 15, 10), (3, 3, 3, 3)], float)
    other = np.array([BOX, (0, 0, 5, 10), FAR, (0, 0, 0, 0)], float)
    assert pairwise_iou(one, other) == pytest.approx(np.array([[1, 1 / 2, 0, 0], [1 / 3, 0, 0, 0], [0, 0, 0, 0]]))


def test_a_perfect_detector():
    found = scores_of([frame([(BOX, 0.9), (FAR, 0.8)], [FAR, BOX])] * 3)
    assert found == DetectionScores(3, 6, 1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0)


def test_a_detector_that_finds_nothing():
    assert scores_of([frame([])]) == DetectionScores(1, 1, 0.0, 0.0, 0.0, 0.5, None, 0.0, None)


def test_a_detector_that_is_always_wrong():
    assert scores_of([frame([(FAR, 0.9)])] * 2) == DetectionScores(2, 2, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, None)


@pytest.mark.parametrize("frames", [[], [frame([], [])], [frame([(BOX, 0.9)], [BOX], [True])]])
def test_without_a_box_asked_for_there_is_no_average_precision(frames: list[FrameBoxes]):
    assert scores_of(frames) == DetectionScores(len(frames), 0, None, None, None, 0.5, None, None, None)


def test_a_false_alarm_before_the_hit_halves_the_precision():
    assert scores_of([frame([(FAR, 0.9), (BOX, 0.8)])]).ap50 == pytest.approx(1 / 2)


def test_a_false_alarm_after_all_hits_costs_nothing():
    assert scores_of([frame([(BOX, 0.9), (FAR, 0.8)])]).ap50 == 1.0


def test_the_curve_is_read_at_101_recalls():
    """Of 4 true boxes: hit, false, hit, false, hit. Recall 1/4 at precision 1, 1/2 at 2/3, 3/4 at 3/5."""
    frames = [
        frame([(BOX, 0.9), (FAR, 0.8)]),
        frame([(BOX, 0.7), (FAR, 0.6)]),
        frame([(BOX, 0.5)]),
        frame([]),
    ]
    expected = (26 * 1 + 25 * 2 / 3 + 25 * 3 / 5) / 101  # 0 … 0.25, 0.26 … 0.5, 0.51 … 0.75; nothing above
    assert scores_of(frames).ap50 == pytest.approx(expected)
    assert by_definition(frames, Fraction(1, 2)) == pytest.approx(expected)


def test_the_curve_is_of_all_frames_together():
    """The false alarm of one frame outscores the hit of another."""
    frames = [frame([(BOX, 0.9)]), frame([(FAR, 0.8)]), frame([(BOX, 0.7)])]
    assert scores_of(frames).ap50 == pytest.approx((34 * 1 + 33 * 2 / 3) / 101)


def test_recalls_at_the_steps_count_as_reached():
    """7 of 25 is 0.28, though 28 hundredths come out larger in floating point."""
    frames = [frame([(BOX, 0.9)])] * 7 + [frame([])] * 18
    assert scores_of(frames).ap50 == pytest.approx(29 / 101)


def test_thresholds_are_reached_by_equality():
    """An IoU of 8/12 is enough up to 0.65: 4 of the 10 thresholds."""
    found = scores_of([frame([(shifted(2), 0.9)])])
    assert (found.ap50, found.ap75, found.ap50_95) == (1.0, 0.0, pytest.approx(0.4))
    assert found.mean_iou == pytest.approx(8 / 12)
    half: Box = (0, 0, 5, 10)
    assert scores_of([frame([(half, 0.9)])]).ap50 == 1.0
    on_ignored = frame([(half, 0.9), (FAR, 0.8)], [BOX, FAR], [True, False])
    assert scores_of([on_ignored]).ap50 == 1.0


def test_what_is_too_far_off_for_a_threshold_leaves_the_box_to_others():
    """At 0.75 the first detection is false, and the second a hit."""
    found = scores_of([frame([(shifted(2), 0.9), (BOX, 0.8)])])
    assert (found.ap50, found.ap75) == (1.0, 0.5)


def test_a_true_box_is_found_once_by_the_best_scored():
    found = scores_of([frame([(BOX, 0.6), (shifted(1), 0.9)])])
    assert found.precision == 0.5 and found.recall == 1.0
    assert found.mean_iou == pytest.approx(9 / 11)


def test_a_detection_takes_the_box_it_overlaps_most():
    """The first fits both boxes, and leaves the second detection the one that it needs."""
    truth = [shifted(2), shifted(1)]
    assert scores_of([frame([(BOX, 0.9), (shifted(5), 0.8)], truth)]).ap50 == 1.0


def test_detections_on_ignored_boxes_count_neither_way():
    found = scores_of([frame([(FAR, 0.95), (FAR, 0.9), (BOX, 0.8)], [FAR, BOX], [True, False])])
    assert found == DetectionScores(1, 1, 1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0)


def test_a_box_that_is_asked_for_comes_before_an_ignored_one():
    """Though the ignored one fits better; the second detection then lies on the ignored one only."""
    frames = [frame([(BOX, 0.9), (BOX, 0.8)], [BOX, shifted(1)], [True, False])]
    found = scores_of(frames)
    assert (found.precision, found.recall, found.true_boxes) == (1.0, 1.0, 1)


def test_only_detections_with_enough_score_are_counted():
    frames = [frame([(BOX, 0.9), (FAR, 0.5)]), frame([(BOX, 0.3)])]
    counted = {
        score: (found.precision, found.recall) for score in (0.2, 0.5, 0.6) if (found := scores_of(frames, score))
    }
    assert counted == {0.2: (2 / 3, 1.0), 0.5: (1 / 2, 1 / 2), 0.6: (1.0, 1 / 2)}


def test_boxes_without_area_are_padding():
    padding: Box = (0, 0, 0, 0)
    found = scores_of([frame([(BOX, 0.9), (padding, 0.9)], [BOX, padding, padding], [False, False, True])])
    assert found == DetectionScores(1, 1, 1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0)


def test_scores_may_be_asked_for_in_between():
    accumulator = DetectionAccumulator()
    accumulator.add(*frame([(BOX, 0.9)]))
    assert accumulator.scores().ap50 == 1.0
    accumulator.add(*frame([(FAR, 0.95)]))
    assert accumulator.scores() == scores_of([frame([(BOX, 0.9)]), frame([(FAR, 0.95)])])


def test_the_record_is_plain_json():
    record = json.loads(json.dumps(scores_of([frame([(BOX, 0.9)])]).record()))
    assert record["ap50_95"] == 1.0 and record["true_boxes"] == 1
    assert json.loads(json.dumps(scores_of([]).record()))["ap50"] is None


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"boxes": np.zeros(4)}, r"Expected boxes of shape \[K, 4\] \(got \(4,\)\)"),
        ({"boxes": np.zeros((1, 5))}, r"Expected boxes of shape \[K, 4\] \(got \(1, 5\)\)"),
        ({"boxes": [[5, 0, 1, 1]]}, r"Expected boxes with finite x0 <= x1 and y0 <= y1 \(got \[5.0, 0.0, 1.0, 1.0\]\)"),
        ({"truth": [[0, 0, np.nan, 1]]}, r"Expected truth with finite"),
        ({"truth": np.zeros((1, 1, 4))}, r"Expected truth of shape \[G, 4\] \(got \(1, 1, 4\)\)"),
        ({"scores": [0.5, 0.5]}, r"Expected scores of shape \(1,\), one per box \(got \(2,\)\)"),
        ({"scores": [np.inf]}, r"Expected finite scores \(got inf\)"),
        ({"ignored": [False, True]}, r"Expected ignored as booleans of shape \(1,\) \(got bool of shape \(2,\)\)"),
        ({"ignored": [0.7]}, r"Expected ignored as booleans of shape \(1,\) \(got float64 of shape \(1,\)\)"),
    ],
)
def test_bad_frames_are_refused(changed: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        DetectionAccumulator().add(*frame([(BOX, 0.9)])._replace(**changed))


corners = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(3, 8), st.integers(3, 8))
overlapping_boxes = corners.map(lambda c: (c[0], c[1], c[0] + c[2], c[1] + c[3]))
# Cells lie apart, so that a detection can be on one true box only.
apart_boxes = st.integers(0, 4).map(lambda i: (20 * i, 0, 20 * i + SIDE, SIDE))
moved_boxes = st.builds(lambda box, by: (box[0] + by, *box[1:2], box[2] + by, box[3]), apart_boxes, st.integers(-6, 6))
tied_scores = st.sampled_from([0.1, 0.4, 0.6, 0.9])


@st.composite
def frames_of(draw: st.DrawFn, boxes: st.SearchStrategy[Box], truth: st.SearchStrategy[Box]) -> list[FrameBoxes]:
    frames = []
    for _ in range(draw(st.integers(1, 4))):
        true = draw(st.lists(truth, max_size=4, unique=True))
        flags = draw(st.lists(st.sampled_from([False, False, True]), min_size=len(true), max_size=len(true)))
        frames.append(frame(draw(st.lists(st.tuples(boxes, tied_scores), max_size=6)), true, flags))
    return frames


@settings(max_examples=75, deadline=None)
@given(frames_of(overlapping_boxes, overlapping_boxes))
@pytest.mark.slow
def test_any_frames_score_as_the_definition_says(frames: list[FrameBoxes]):
    expected = [by_definition(frames, Fraction(str(threshold))) for threshold in COCO_THRESHOLDS]
    found = scores_of(frames)
    if not found.true_boxes:
        assert {*expected, found.ap50, found.ap75, found.ap50_95} == {None}
        return
    known = [one for one in expected if one is not None]
    assert (found.ap50, found.ap75, found.ap50_95) == pytest.approx((known[0], known[5], sum(known) / 10))


@settings(max_examples=100, deadline=None)
@given(frames_of(overlapping_boxes, overlapping_boxes), st.sampled_from([0.0, 0.4, 1.0]))
def test_scores_are_shares(frames: list[FrameBoxes], score: float):
    found = scores_of(frames, score)
    shares = (found.ap50, found.ap75, found.ap50_95, found.precision, found.recall, found.mean_iou)
    assert all(0 <= share <= 1 for share in shares if share is not None)
    assert found.mean_iou is None or found.mean_iou >= 0.5


@settings(max_examples=100, deadline=None)
@given(frames_of(moved_boxes, apart_boxes), st.data())
def test_a_second_detection_of_the_same_never_helps(frames: list[FrameBoxes], data: st.DataObject):
    filled = [i for i, one in enumerate(frames) if len(np.asarray(one.boxes))]
    assume(filled)
    i = data.draw(st.sampled_from(filled))
    boxes, scores = np.asarray(frames[i].boxes), np.asarray(frames[i].scores)
    k = data.draw(st.integers(0, len(boxes) - 1))
    twice = frames[i]._replace(boxes=np.vstack([boxes, boxes[k]]), scores=np.append(scores, scores[k]))
    more = [*frames[:i], twice, *frames[i + 1 :]]
    one, two = scores_of(frames), scores_of(more)
    for before, after in ((one.ap50, two.ap50), (one.ap75, two.ap75)):
        assert (before is None and after is None) or (before is not None and after is not None and after <= before)


@settings(max_examples=50, deadline=None)
@given(frames_of(moved_boxes, apart_boxes), st.randoms(use_true_random=False))
def test_the_order_of_true_boxes_does_not_matter(frames: list[FrameBoxes], random: Any):
    mixed = []
    for one in frames:
        order = list(range(len(np.asarray(one.truth))))
        random.shuffle(order)
        mixed.append(one._replace(truth=np.asarray(one.truth)[order], ignored=np.asarray(one.ignored)[order]))
    assert scores_of(mixed) == scores_of(frames)
