"""Right owners count, wrong ones and places beyond a reference's tracks do not."""

import torch

from models.pcr.evaluation.alignment_scores import alignment_score
from models.pcr.evaluation.true_sets import Identities, TrueSet
from models.perceiver.tracking.alignment import NOBODY
from tests.support.scenes import facts


def one_set(target: Identities, *references: Identities) -> TrueSet:
    return TrueSet(0, facts(), target, references)


def test_tracks_are_compared_by_the_objects_they_lie_on():
    truth = [one_set((2, 0, 1), (0, 2), (1, 0, None))]
    right = torch.tensor([[[1, 0, NOBODY], [2, 1, NOBODY]]])
    found = alignment_score(right, truth)
    assert found is not None and (found.right, found.count) == (5, 5)


def test_a_wrong_owner_and_a_missing_one_are_mistakes():
    truth = [one_set((2, 0, 1), (0, 2), (1, 0))]
    found = alignment_score(torch.tensor([[[0, 1, NOBODY], [NOBODY, 1, NOBODY]]]), truth)
    assert found is not None and (found.right, found.count) == (1, 4)


def test_without_references_there_is_nothing_to_score():
    assert alignment_score(torch.zeros(1, 0, 3), [one_set((0,))]) is None
