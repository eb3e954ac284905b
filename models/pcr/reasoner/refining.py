"""What a reasoner does with observed sets before questions are asked: it aligns the references by attributes and refines
the hidden properties by the motion that they explain, with states of motion fitted before and after."""

from dataclasses import replace
from typing import Final

import torch

from models.pcr.dynamics.footage import Footage
from models.pcr.grounding.alignment import aligned_by_attributes
from models.pcr.properties.refinement import HypothesisScorer
from models.pcr.reasoner.fitting import fit_motion_of, likely_bodies, refit_motion
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.observed import Observed, RefinementEvidence
from models.pcr.tracks.tensor_trees import joined

_BATCH_SIZE: Final = 50  # sets


def align_and_refine(reasoner: Reasoner, observed: Observed) -> Observed:
    """The same sets with references aligned by attributes, refinement evidence, and fitted states."""
    aligned = aligned_by_attributes(observed, reasoner.grounder)
    if not reasoner.settings.fits_states:
        return refine_properties(reasoner, aligned)
    bodies = likely_bodies(reasoner, aligned)
    refined = refine_properties(reasoner, fit_motion_of(reasoner, aligned, bodies))
    return refit_motion(reasoner, refined, bodies)[0]


@torch.no_grad()
def refine_properties(reasoner: Reasoner, observed: Observed) -> Observed:
    """The same sets with refinement evidence; unchanged, if the reasoner's settings switch refinement off."""
    if not reasoner.settings.property_refinement:
        return observed
    rows = torch.arange(len(observed), device=observed.objects.device)
    return joined([_refined(reasoner, observed.rows(part)) for part in rows.split(_BATCH_SIZE)])


def _refined(reasoner: Reasoner, observed: Observed) -> Observed:
    """Charges first: they act in every frame, masses only show in collisions and under the force of charges."""
    for name in ("charge", "heavy"):
        footage = Footage.of(observed, reasoner.scene(observed), reasoner.pair_numbers, hard=True)
        scorer = HypothesisScorer.of(reasoner.dynamics, reasoner.pair_numbers, observed, footage)
        evidence = observed.refinement or _no_evidence(observed, reasoner)
        observed = replace(observed, refinement=replace(evidence, **{name: getattr(scorer, name)()}))
    return observed


def _no_evidence(observed: Observed, reasoner: Reasoner) -> RefinementEvidence:
    like = observed.features
    return RefinementEvidence(
        like.new_zeros(observed.objects.shape), like.new_zeros(len(observed), len(reasoner.dynamics.pairs), 2)
    )
