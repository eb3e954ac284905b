"""Re-identification: which object of the target video each object of a reference video is.

Shapes: R references, M tracks of a reference, N of the target, D features, A values of an attribute.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from models.perceiver.tracking.appearance import Array, cosines, unit_vectors
from models.perceiver.tracking.tracker import Tracks

NOBODY: Final = -1
_LEAST_LOG: Final = -30.0  # log-probability of an impossible label, so that sums stay finite


@dataclass(frozen=True)
class FeatureAppearance:
    """Averaged features [N, D], compared by cosine similarity after subtraction of the set's `centre` [D]. All objects of a
    reference are in the target, so the threshold need only reject false tracks, which resemble no object."""

    features: NDArray
    centre: NDArray
    threshold: ClassVar[float] = 0.0

    def similarity(self, target: "FeatureAppearance") -> Array:
        """[M, N] from -1 to 1."""
        return cosines(self._unit_vectors(), target._unit_vectors())

    def _unit_vectors(self) -> Array:
        return unit_vectors(np.asarray(self.features - self.centre, np.float32))


@dataclass(frozen=True)
class AttributeAppearance:
    """Predicted static attributes, as in the paper: for each attribute log-probabilities [N, A] of its values. The
    threshold, a probability of 0.001, allows one attribute to be mistaken, not two."""

    attributes: Sequence[NDArray]
    threshold: ClassVar[float] = float(np.log(1e-3))

    def similarity(self, target: "AttributeAppearance") -> Array:
        """[M, N]: log-probability that two objects have the same value of every attribute."""
        if len(self.attributes) != len(target.attributes):
            raise ValueError(
                f"Expected {len(target.attributes)} attributes as of the target (got {len(self.attributes)})."
            )
        agreed = [_log_agreement(mine, other) for mine, other in zip(self.attributes, target.attributes, strict=True)]
        return np.sum(agreed, axis=0, dtype=np.float32)


Appearance = TypeVar("Appearance", FeatureAppearance, AttributeAppearance)


def align(reference: Appearance, target: Appearance, threshold: float | None = None) -> NDArray[np.intp]:
    """[M]: the target track of each reference track, by linear assignment (Hungarian algorithm) of the largest sum of
    similarities; -1 where the similarity is below the threshold (each kind of appearance has its own)."""
    least = reference.threshold if threshold is None else threshold
    similarity = reference.similarity(target)
    found = np.full(len(similarity), NOBODY)
    # Similarities below the threshold are clipped to zero: a hopeless pair must not cost a good one its partner.
    gains = np.maximum(similarity - least, 0)
    rows, columns = linear_sum_assignment(gains, maximize=True)
    good = similarity[rows, columns] >= least
    found[rows[good]] = columns[good]
    return found


def align_tracks(
    target: Tracks, references: Sequence[Tracks], threshold: float | None = None
) -> list[NDArray[np.intp]]:
    """The assignment of each reference's tracks in a set, by features."""
    features = np.concatenate([target.features, *(tracks.features for tracks in references)])
    centre = features.sum(axis=0) / max(len(features), 1)
    appearance = FeatureAppearance(target.features, centre)
    return [align(FeatureAppearance(tracks.features, centre), appearance, threshold) for tracks in references]


def owners_by_attributes(
    target: Sequence[NDArray], references: Sequence[Sequence[NDArray]], threshold: float | None = None
) -> NDArray[np.int64]:
    """[R, M]: the owners of a whole set by log-probabilities of its attributes, [N, A] each of the target's and [M, A]
    each of a reference's tracks."""
    appearance = AttributeAppearance(target)
    return stacked_owners([align(AttributeAppearance(reference), appearance, threshold) for reference in references])


def stacked_owners(assignments: Sequence[NDArray[np.intp]]) -> NDArray[np.int64]:
    """[R, M]: assignments of references that differ in tracks as one array; -1 where there is no track."""
    owners = np.full((len(assignments), max(map(len, assignments), default=0)), NOBODY, np.int64)
    for row, found in zip(owners, assignments, strict=True):
        row[: len(found)] = found
    return owners


def _log_agreement(a: NDArray, b: NDArray) -> NDArray:
    """[M, A] and [N, A] to [M, N]: log-probability that both have the same value."""
    probability = np.exp(a) @ np.exp(b).T
    return np.maximum(np.log(np.maximum(probability, np.finfo(np.float64).tiny)), _LEAST_LOG)
