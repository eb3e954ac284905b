"""How well tracks keep to one object each, within a video and between two videos.

IDF1, IDP and IDR follow Ristani et al. 2016: whole predicted tracks are assigned to whole true ones, so that the boxes
that agree are most. Identity switches and fragments follow CLEAR MOT (Bernardin and Stiefelhagen 2008): boxes are
matched frame by frame, and a pair once matched is kept as long as it overlaps.

Where an object is not asked for, because it is too hidden or too small, its flag says `ignored`: it is never missed,
nor does that interrupt its track. Predictions that lie on such a box, which is that they overlap it more than any box
asked for, are left out before scoring.

Shape shorthand: T frames, N predicted and M true tracks. Boxes are x0, y0, x1, y1; without area where there is none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment

from comphy.evaluation.intervals import Accuracy, accuracy
from comphy.evaluation.perception.detection import Flags, Floats, areas, checked_boxes, checked_flags, pairwise_iou

MATCH_IOU: Final = 0.5
_NONE: Final = -1


@dataclass(frozen=True)
class TrackingScores:
    """Counts of one or more videos. Boxes are true if their track is the one assigned to the object, false if it is
    not or if they overlap it too little, missed if the object has no such box."""

    videos: int = 0
    idtp: int = 0
    idfp: int = 0
    idfn: int = 0
    switches: int = 0
    fragments: int = 0

    @property
    def idf1(self) -> float | None:
        """Share of predicted and true boxes that agree; None if there are no boxes."""
        return _share(2 * self.idtp, 2 * self.idtp + self.idfp + self.idfn)

    @property
    def idp(self) -> float | None:
        """Share of the predicted boxes that are true; None if there are none."""
        return _share(self.idtp, self.idtp + self.idfp)

    @property
    def idr(self) -> float | None:
        """Share of the true boxes that are found; None if there are none."""
        return _share(self.idtp, self.idtp + self.idfn)

    def __add__(self, other: "TrackingScores") -> "TrackingScores":
        return TrackingScores(
            videos=self.videos + other.videos,
            idtp=self.idtp + other.idtp,
            idfp=self.idfp + other.idfp,
            idfn=self.idfn + other.idfn,
            switches=self.switches + other.switches,
            fragments=self.fragments + other.fragments,
        )

    def record(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "videos": self.videos,
            "idf1": self.idf1,
            "idp": self.idp,
            "idr": self.idr,
            "idtp": self.idtp,
            "idfp": self.idfp,
            "idfn": self.idfn,
            "switches": self.switches,
            "fragments": self.fragments,
        }


def total(videos: Iterable[TrackingScores]) -> TrackingScores:
    """Counts are summed, so that a video weighs as much as it has boxes."""
    return sum(videos, TrackingScores())


def tracking_scores(predicted: ArrayLike, truth: ArrayLike, ignored: ArrayLike) -> TrackingScores:
    """Of one video: predicted [T, N, 4], truth [T, M, 4], ignored [T, M]."""
    found, true = checked_boxes(predicted, "predicted", "[T, N, 4]"), checked_boxes(truth, "truth", "[T, M, 4]")
    if len(found) != len(true):
        raise ValueError(f"Expected as many predicted as true frames (got {len(found)} and {len(true)}).")
    flags = checked_flags(ignored, true.shape[:2])
    overlaps = pairwise_iou(found, true)
    kept, asked = (areas(found) > 0) & ~_on_ignored(overlaps, flags), (areas(true) > 0) & ~flags
    overlaps = np.where((overlaps >= MATCH_IOU) & kept[:, :, None] & asked[:, None, :], overlaps, 0.0)
    agreeing = _most_agreeing(overlaps > 0)
    matched = _correspondences(overlaps)
    return TrackingScores(
        videos=1,
        idtp=agreeing,
        idfp=int(kept.sum()) - agreeing,
        idfn=int(asked.sum()) - agreeing,
        switches=sum(_switches(one) for one in matched.T),
        fragments=sum(_fragments(one[present]) for one, present in zip(matched.T, asked.T, strict=True)),
    )


def _on_ignored(overlaps: Floats, ignored: Flags) -> Flags:
    """[T, N]: whether a prediction overlaps an ignored box enough to match, and more than any box asked for."""
    flags = ignored[:, None, :]
    on_ignored = np.where(flags, overlaps, 0.0).max(axis=2, initial=0.0)
    on_asked = np.where(flags, 0.0, overlaps).max(axis=2, initial=0.0)
    return np.asarray((on_ignored >= MATCH_IOU) & (on_ignored > on_asked))


def _most_agreeing(matches: Flags) -> int:
    """IDTP: boxes that agree under the best assignment of tracks; matches [T, N, M].

    False and missed boxes are all those that do not agree, so fewest of them means most that agree; leaving tracks
    unassigned never helps, and needs no stand-ins.
    """
    agreeing = matches.sum(axis=0)
    return int(agreeing[linear_sum_assignment(agreeing, maximize=True)].sum())


def _correspondences(overlaps: Floats) -> NDArray[np.int64]:
    """[T, M]: the predicted track each object is matched to in each frame, -1 if none; overlaps 0 where none may be.

    An object holds its track, also through frames without either, until another object is matched to it: hidden
    objects come back. Held pairs come first, then the largest sum of overlaps.
    """
    frames, tracks, objects = overlaps.shape
    matched = np.full((frames, objects), _NONE)
    held = np.full(objects, _NONE)
    first = tracks + 1.0  # more than all overlaps of a frame together
    for t in np.flatnonzero(overlaps.any(axis=(1, 2))):
        is_held = np.arange(tracks)[:, None] == held
        worth = overlaps[t] + first * (is_held & (overlaps[t] > 0))
        rows, columns = linear_sum_assignment(worth, maximize=True)
        pairs = overlaps[t, rows, columns] > 0
        rows, columns = rows[pairs], columns[pairs]
        matched[t, columns] = rows
        held[np.isin(held, rows)] = _NONE
        held[columns] = rows
    return matched


def _switches(matched: NDArray[np.int64]) -> int:
    """How often an object's track [T] is another one than when it was last matched."""
    return int(np.count_nonzero(np.diff(matched[matched != _NONE])))


def _fragments(matched: NDArray[np.int64]) -> int:
    """How often an object's track is interrupted and taken up again, in the frames where the object is asked for."""
    tracked = matched != _NONE
    begins = tracked & ~np.concatenate([[False], tracked[:-1]])
    return max(0, int(begins.sum()) - 1)


@dataclass(frozen=True)
class Alignment:
    """Tracks of a reference video put to those of a target video.

    `assigned` gives, per reference track, the index of its target track or None. Identities tell which true object a
    track is of; None if it is of no true object.
    """

    assigned: Sequence[int | None]
    reference_identities: Sequence[int | None]
    target_identities: Sequence[int | None]

    def __post_init__(self) -> None:
        if len(self.assigned) != len(self.reference_identities):
            raise ValueError(
                f"Expected one assignment per reference track (got {len(self.assigned)} for "
                f"{len(self.reference_identities)} tracks)."
            )
        targets = len(self.target_identities)
        outside = [target for target in self.assigned if target is not None and not 0 <= target < targets]
        if outside:
            raise ValueError(
                f"Expected assignments to none or one of {targets} target tracks (got index {outside[0]})."
            )

    def right(self) -> int:
        """Reference tracks with a target of the same identity, or with none where the target video has no such."""
        pairs = zip(self.assigned, self.reference_identities, strict=True)
        return sum(self._is_right(target, identity) for target, identity in pairs)

    def _is_right(self, target: int | None, identity: int | None) -> bool:
        if target is None:
            return identity is None or identity not in self.target_identities
        return identity is not None and self.target_identities[target] == identity


def alignment_accuracy(alignments: Iterable[Alignment]) -> Accuracy | None:
    """Share of the reference tracks that are rightly assigned, over all pairs of videos; None if there are no tracks.

    Wilson's interval takes tracks as independent.
    """
    known = list(alignments)
    return accuracy(sum(one.right() for one in known), sum(len(one.assigned) for one in known))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
