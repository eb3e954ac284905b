"""Attributes and hidden properties that a reasoner infers, scored against the labels. They are never trained on."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import torch

from comphy.evaluation.qa.concepts import ChargeRelation, ConceptReading, ConceptScores, score_concepts
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS, LIGHT_MASS, Color, Material, Shape
from models.pcr.evaluation.true_sets import TrueSet
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.observed import Observed

_LIKELY: Final = 0.5


@torch.no_grad()
def concept_scores(reasoner: Reasoner, seen: Observed, truth: Sequence[TrueSet], batch_size: int) -> ConceptScores:
    """Scores over batches of sets. Row i of what is seen, aligned and refined, is the set of `truth[i]`."""
    readings: list[ConceptReading] = []
    for start in range(0, len(truth), batch_size):
        part = truth[start : start + batch_size]
        rows = torch.arange(start, start + len(part), device=seen.objects.device)
        scene = reasoner.scene(seen.rows(rows), hard=True)
        readings += [concept_reading(scene, row, one) for row, one in enumerate(part)]
    return score_concepts(readings)


def concept_reading(scene: SoftScene, row: int, true: TrueSet) -> ConceptReading:
    """What the scene says of the objects of the set in a row, in the order of the annotation."""
    objects = _objects(scene, row)
    relations = _relations(scene, row)
    return ConceptReading(
        true.facts.objects,
        tuple(None if track is None else objects[track] for track in true.tracks),
        tuple(
            None if a is None or b is None else relations[min(a, b), max(a, b)] for a, b in combinations(true.tracks, 2)
        ),
    )


def _objects(scene: SoftScene, row: int) -> list[ObjectSpec]:
    """The likeliest properties of each track; charges are relations and stand elsewhere."""
    words = zip(
        *(table[row].argmax(dim=-1).tolist() for table in (scene.color, scene.shape, scene.material)), strict=True
    )
    heavy = (scene.heavy[row] > _LIKELY).tolist()
    return [
        ObjectSpec(
            tuple(Color)[color], tuple(Shape)[shape], tuple(Material)[material], HEAVY_MASS if big else LIGHT_MASS
        )
        for (color, shape, material), big in zip(words, heavy, strict=True)
    ]


def _relations(scene: SoftScene, row: int) -> dict[tuple[int, int], ChargeRelation]:
    """By pair of tracks: the likeliest relation."""
    same, opposite = scene.same[row], scene.opposite[row]
    likeliest = torch.stack([1 - same - opposite, same, opposite]).argmax(dim=0).tolist()
    kinds = (ChargeRelation.NONE, ChargeRelation.SAME, ChargeRelation.OPPOSITE)
    pairs = (tuple(pair) for pair in scene.pairs.tolist())
    return {(a, b): kinds[kind] for (a, b), kind in zip(pairs, likeliest, strict=True)}
