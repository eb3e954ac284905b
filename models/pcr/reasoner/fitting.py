"""Fits the states of motion of observed sets, under the properties that a reasoner finds most likely."""

from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from models.pcr.dynamics.footage import reference_bodies
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.dynamics.state import Bodies, bodies_of
from models.pcr.dynamics.state_fit import fit_states
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.fitted_motion import FittedSets
from models.pcr.tracks.observed import Observed
from models.pcr.tracks.tensor_trees import joined, mapped

_CPU_BATCH_SIZE: Final = 25  # sets that are fitted at once
_GPU_BATCH_SIZE: Final = 250  # more share the cost of launching a kernel


@torch.no_grad()
def fit_motion(reasoner: Reasoner, observed: Observed) -> Observed:
    """The same sets with fitted states; unchanged, if the reasoner's settings switch the fit off."""
    if not reasoner.settings.fits_states:
        return observed
    return fit_motion_of(reasoner, observed, likely_bodies(reasoner, observed))


@torch.no_grad()
def likely_bodies(reasoner: Reasoner, observed: Observed) -> Bodies:
    """The bodies of targets with their most likely properties."""
    parts = []
    for rows in _batches(observed):
        scene = reasoner.scene(observed.rows(rows))
        parts.append(bodies_of(scene, torch.arange(len(rows), device=rows.device), hard=True))
    return joined(parts)


@torch.no_grad()
def fit_motion_of(reasoner: Reasoner, observed: Observed, bodies: Bodies, laws: Dynamics | None = None) -> Observed:
    """The same sets with states fitted to these bodies, under the reasoner's laws of motion or others."""
    dynamics = laws or reasoner.dynamics
    assert isinstance(dynamics, Dynamics)
    parts = [
        _fitted(dynamics, observed.rows(rows), _rows(bodies, rows), reasoner.pair_numbers)
        for rows in _batches(observed)
    ]
    return replace(observed, states=joined(parts))


def _fitted(dynamics: Dynamics, observed: Observed, bodies: Bodies, pair_numbers: Tensor) -> FittedSets:
    sets, references = observed.owners.shape[:2]
    target = fit_states(dynamics, bodies, observed.target.tracks, observed.target.motion)
    videos = mapped(observed.references, lambda part: part.flatten(0, 1))
    others = reference_bodies(bodies, observed.owners, dynamics.pairs, pair_numbers)
    found = fit_states(dynamics, others, videos.tracks, videos.motion)
    return FittedSets(target, mapped(found, lambda part: part.unflatten(0, (sets, references))))


def _rows(bodies: Bodies, rows: Tensor) -> Bodies:
    return mapped(bodies, lambda part: part[rows])


def _batches(observed: Observed) -> tuple[Tensor, ...]:
    device = observed.objects.device
    return torch.arange(len(observed), device=device).split(
        _CPU_BATCH_SIZE if device.type == "cpu" else _GPU_BATCH_SIZE
    )
