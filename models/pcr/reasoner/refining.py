"""What a reasoner does with observed sets before questions are asked: it aligns the references by attributes and refines
the hidden properties by the motion that they explain, with states of motion fitted before and after."""

from dataclasses import replace

import torch
from torch import Tensor

from models.pcr.dynamics.predictor import Dynamics
from models.pcr.dynamics.recorded_trajectories import RecordedTrajectories
from models.pcr.grounding.alignment import aligned_by_attributes
from models.pcr.properties.charge_likelihood import charge_gains
from models.pcr.properties.refinement import HypothesisScorer
from models.pcr.reasoner.fitting import batches_of, fit_motion_of, likely_bodies, refit_motion
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.observed import Observed, RefinementEvidence, VideoMotion
from models.pcr.tracks.tensor_trees import joined, mapped


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
    return joined([_refined(reasoner, observed.rows(rows)) for rows in batches_of(observed)])


def _refined(reasoner: Reasoner, observed: Observed) -> Observed:
    """Charges first: they act in every frame, masses only show in collisions and under the force of charges."""
    for name, score in (("charge", _charge_gains), ("heavy", _mass_gains)):
        evidence = observed.refinement or _no_evidence(observed, reasoner)
        observed = replace(observed, refinement=replace(evidence, **{name: score(reasoner, observed)}))
    return observed


def _charge_gains(reasoner: Reasoner, observed: Observed) -> Tensor:
    """[S, P, 2]: by the likelihood of fitted motion, or, without it, by predicted windows."""
    scorer, states, dynamics = _scorer(reasoner, observed), observed.states, reasoner.dynamics
    if states is None or not isinstance(dynamics, Dynamics):
        return scorer.charge()
    videos = ((observed.target, states.target), _flat((observed.references, states.references)))
    bodies = scorer.trajectories.bodies
    parts = (mapped(bodies, lambda part: part[: len(observed)]), mapped(bodies, lambda part: part[len(observed) :]))
    found = [
        charge_gains(dynamics, part, video.tracks, motion) for part, (video, motion) in zip(parts, videos, strict=True)
    ]
    return scorer.of_sets(torch.cat(found))


def _mass_gains(reasoner: Reasoner, observed: Observed) -> Tensor:
    """[S, N]"""
    return _scorer(reasoner, observed).heavy()


def _scorer(reasoner: Reasoner, observed: Observed) -> HypothesisScorer:
    scene, stride = reasoner.scene(observed), reasoner.dynamics.stride
    trajectories = RecordedTrajectories.of(observed, scene, reasoner.pair_numbers, hard=True, stride=stride)
    return HypothesisScorer.of(reasoner.dynamics, reasoner.pair_numbers, observed, trajectories)


def _flat(videos: tuple[VideoMotion, FittedMotion]) -> tuple[VideoMotion, FittedMotion]:
    """[S, R, ...] to [S * R, ...]."""
    video, motion = videos
    return mapped(video, lambda part: part.flatten(0, 1)), mapped(motion, lambda part: part.flatten(0, 1))


def _no_evidence(observed: Observed, reasoner: Reasoner) -> RefinementEvidence:
    like = observed.features
    return RefinementEvidence(
        like.new_zeros(observed.objects.shape), like.new_zeros(len(observed), len(reasoner.dynamics.pairs), 2)
    )
