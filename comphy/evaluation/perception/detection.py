"""Average precision of detected boxes, of whatever class, by COCO's definition.

Detections of a frame are taken in descending order of their scores, ties in the order given; each finds the true box
it overlaps the most, of those nobody found before. Boxes that are not asked for, because they are too hidden or too
small, are `ignored`: they are never missed, and any number of detections on them count neither as hit nor as false
alarm, as on COCO's crowd regions. A box without area is no box; so arrays may be padded with zeros.

Shape shorthand: K detections and G true boxes of a frame, L thresholds, D detections of all frames. Boxes are
x0, y0, x1, y1.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

COCO_THRESHOLDS: Final = tuple(step / 20 for step in range(10, 20))  # 0.5, 0.55, … 0.95
RECALL_STEPS: Final = 100  # precision is read at recalls of 0, 0.01, … 1


class FrameBoxes(NamedTuple):
    """boxes [K, 4], scores [K]; truth [G, 4], ignored [G]: true boxes that are not asked for."""

    boxes: ArrayLike
    scores: ArrayLike
    truth: ArrayLike
    ignored: ArrayLike


@dataclass(frozen=True)
class DetectionScores:
    """Shares of one. `precision`, `recall` and `mean_iou` (of the hits) are those of detections that score at least
    `score`, at an IoU of 0.5. None where there is nothing to take a share of: of the average precisions and the recall,
    if no box was asked for.
    """

    frames: int
    true_boxes: int
    ap50: float | None
    ap75: float | None
    ap50_95: float | None
    score: float
    precision: float | None
    recall: float | None
    mean_iou: float | None

    def record(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self)


class DetectionAccumulator:
    """Takes frame by frame and keeps only each detection's score and verdicts."""

    def __init__(self) -> None:
        self._verdicts = _Verdicts()

    def add(self, boxes: ArrayLike, scores: ArrayLike, truth: ArrayLike, ignored: ArrayLike) -> None:
        """One frame; shapes as in `FrameBoxes`."""
        self._verdicts.add(FrameBoxes(boxes, scores, truth, ignored))

    def scores(self, score: float = 0.5) -> DetectionScores:
        """Of all frames so far; precision, recall and mean IoU of detections that score at least `score`."""
        precisions = self._verdicts.average_precisions()
        known = [one for one in precisions if one is not None]
        hits, false_alarms, mean_iou = self._verdicts.counted_from(score)
        return DetectionScores(
            frames=self._verdicts.frames,
            true_boxes=self._verdicts.true_boxes,
            ap50=precisions[COCO_THRESHOLDS.index(0.5)],
            ap75=precisions[COCO_THRESHOLDS.index(0.75)],
            ap50_95=float(np.mean(known)) if known else None,
            score=score,
            precision=_share(hits, hits + false_alarms),
            recall=_share(hits, self._verdicts.true_boxes),
            mean_iou=mean_iou,
        )


class _Matches(NamedTuple):
    """Verdicts on the detections of a frame: hits [L, K] and false alarms [L, K], neither where a detection lies on an
    ignored box; overlaps [K] with the true box found at the first threshold, 0 where there is none."""

    scores: Floats
    hits: Flags
    false_alarms: Flags
    overlaps: Floats


class _Verdicts:
    """Verdicts on all detections at COCO's thresholds."""

    def __init__(self) -> None:
        self.frames = 0
        self.true_boxes = 0
        self._levels = np.array(COCO_THRESHOLDS)[:, None]
        nothing = np.empty((len(COCO_THRESHOLDS), 0), bool)
        self._parts = [_Matches(np.empty(0), nothing, nothing, np.empty(0))]

    def add(self, frame: FrameBoxes) -> None:
        boxes, scores, truth, ignored = _checked(frame)
        found, true = areas(boxes) > 0, areas(truth) > 0
        self._parts.append(_match(boxes[found], scores[found], truth[true], ignored[true], self._levels))
        self.frames += 1
        self.true_boxes += int(np.count_nonzero(true & ~ignored))

    def average_precisions(self) -> list[float | None]:
        """One per threshold."""
        if not self.true_boxes:
            return [None] * len(self._levels)
        found = self._joined()
        order = np.argsort(-found.scores, kind="stable")
        curves = zip(found.hits[:, order], found.false_alarms[:, order], strict=True)
        return [_interpolated(hits, false_alarms, self.true_boxes) for hits, false_alarms in curves]

    def counted_from(self, score: float) -> tuple[int, int, float | None]:
        """Hits, false alarms and the hits' mean IoU at the first threshold, of detections that score enough."""
        found = self._joined()
        enough = found.scores >= score
        hits = enough & found.hits[0]
        mean_iou = float(found.overlaps[hits].mean()) if hits.any() else None
        return int(hits.sum()), int((enough & found.false_alarms[0]).sum()), mean_iou

    def _joined(self) -> _Matches:
        """Of all frames; kept as one part, so that asking twice costs no more."""
        self._parts = [_Matches(*(np.concatenate(part, axis=-1) for part in zip(*self._parts, strict=True)))]
        return self._parts[0]


def _match(boxes: Floats, scores: Floats, truth: Floats, ignored: Flags, levels: Floats) -> _Matches:
    """Hold the detections of a frame against its true boxes, at all thresholds, `levels` [L, 1], at once."""
    order = np.argsort(-scores, kind="stable")
    overlaps = pairwise_iou(boxes[order], truth)
    best_ignored = overlaps[:, ignored].max(axis=1, initial=0.0)
    found = _found(overlaps[:, ~ignored], levels)
    hits = found > 0
    return _Matches(scores[order], hits, ~hits & (best_ignored < levels), found[0])


def _found(overlaps: Floats, levels: Floats) -> Floats:
    """[L, K]: by how much each detection overlaps the true box it finds, 0 if it finds none; detections best first."""
    found = np.zeros((len(levels), len(overlaps)))
    free = np.ones((len(levels), overlaps.shape[1]), bool)
    rows = np.arange(len(levels))
    for k in np.flatnonzero((overlaps >= levels.min()).any(axis=1)):  # the others find nothing
        reachable = overlaps[k] * (free & (overlaps[k] >= levels))
        best = reachable.argmax(axis=1)
        found[:, k] = reachable[rows, best]
        free[rows, best] &= found[:, k] == 0
    return found


def _interpolated(hits: Flags, false_alarms: Flags, true_boxes: int) -> float:
    """Mean over 101 recalls of the best precision with at least that recall, 0 for recalls that are never reached.

    Verdicts [D] are in descending order of the scores. Recalls are compared as whole numbers, hits * 100 with
    steps * true boxes: as fractions, rounding would decide at the steps.
    """
    true, false = np.cumsum(hits), np.cumsum(false_alarms)
    precision = true / np.maximum(true + false, 1)
    best_from_here = np.maximum.accumulate(precision[::-1])[::-1]
    reached = np.searchsorted(true * RECALL_STEPS, np.arange(RECALL_STEPS + 1) * true_boxes)
    return float(np.append(best_from_here, 0.0)[reached].mean())


def pairwise_iou(one: Floats, other: Floats) -> Floats:
    """[..., N, 4] and [..., M, 4] to [..., N, M]; 0 where a box has no area."""
    low = np.maximum(one[..., :, None, :2], other[..., None, :, :2])
    high = np.minimum(one[..., :, None, 2:], other[..., None, :, 2:])
    sides = np.maximum(high - low, 0.0)
    overlap = sides[..., 0] * sides[..., 1]
    union = areas(one)[..., :, None] + areas(other)[..., None, :] - overlap
    return np.divide(overlap, union, out=np.zeros_like(overlap), where=overlap > 0)


def areas(boxes: Floats) -> Floats:
    """[..., 4] to [...]."""
    return np.asarray((boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1]))


def checked_boxes(boxes: ArrayLike, name: str, axes: str) -> Floats:
    """Boxes as an array with as many dimensions as `axes` names, such as "[K, 4]"; else an error that names them."""
    array = np.asarray(boxes, float)
    if array.ndim != axes.count(",") + 1 or array.shape[-1] != 4:
        raise ValueError(f"Expected {name} of shape {axes} (got {array.shape}).")
    sound = np.isfinite(array).all(axis=-1) & (array[..., :2] <= array[..., 2:]).all(axis=-1)
    if not sound.all():
        raise ValueError(f"Expected {name} with finite x0 <= x1 and y0 <= y1 (got {array[~sound][0].tolist()}).")
    return array


def checked_flags(ignored: ArrayLike, shape: tuple[int, ...]) -> Flags:
    """One flag per true box; numbers are refused, as they may well be visible shares."""
    flags = np.asarray(ignored)
    if flags.shape != shape or (flags.size and flags.dtype != np.bool_):
        raise ValueError(f"Expected ignored as booleans of shape {shape} (got {flags.dtype} of shape {flags.shape}).")
    return flags.astype(bool)


def _checked(frame: FrameBoxes) -> tuple[Floats, Floats, Floats, Flags]:
    boxes = checked_boxes(frame.boxes, "boxes", "[K, 4]")
    truth = checked_boxes(frame.truth, "truth", "[G, 4]")
    scores = np.asarray(frame.scores, float)
    if scores.shape != boxes.shape[:1]:
        raise ValueError(f"Expected scores of shape {boxes.shape[:1]}, one per box (got {scores.shape}).")
    if not np.isfinite(scores).all():
        raise ValueError(f"Expected finite scores (got {scores[~np.isfinite(scores)][0]}).")
    return boxes, scores, truth, checked_flags(frame.ignored, truth.shape[:1])


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
