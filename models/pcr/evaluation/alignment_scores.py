"""How many tracks of the references were put to the right objects of the target. For scoring alone."""

from collections.abc import Sequence

from torch import Tensor

from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.perception.tracking import Alignment, alignment_accuracy
from models.pcr.evaluation.true_sets import TrueSet
from models.perceiver.tracking.alignment import NOBODY


def alignment_score(owners: Tensor, truth: Sequence[TrueSet]) -> Accuracy | None:
    """owners [S, R, M]: the target's track for each track of the references. Row i is the set of `truth[i]`, which may have
    fewer references than there is room for."""
    return alignment_accuracy(
        Alignment(
            [None if owner == NOBODY else owner for owner in assigned[: len(identities)]], identities, one.identities
        )
        for rows, one in zip(owners.tolist(), truth, strict=True)
        for assigned, identities in zip(rows, one.reference_identities, strict=False)
    )
