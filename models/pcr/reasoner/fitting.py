"""Fits the states of motion of observed sets, under the properties that a reasoner finds most likely."""

from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from models.pcr.dynamics.fitting.state_fit import fit_states
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.dynamics.recorded_trajectories import reference_bodies
from models.pcr.dynamics.state import Bodies, bodies_of
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.fitted_motion import FittedMotion, FittedSets
from models.pcr.tracks.observed import Observed
from models.pcr.tracks.tensor_trees import Tree, joined, mapped

_CPU_BATCH_SIZE: Final = 25  # sets that are fitted at once
_GPU_BATCH_SIZE: Final = 1000  # more share the cost of launching a kernel; 13 MB each


@torch.no_grad()
def likely_bodies(reasoner: Reasoner, observed: Observed) -> Bodies:
    """The bodies of targets with their most likely properties."""
    parts = []
    for rows in batches_of(observed):
        scene = reasoner.scene(observed.rows(rows))
        parts.append(bodies_of(scene, torch.arange(len(rows), device=rows.device), hard=True))
    return joined(parts)


@torch.no_grad()
def fit_motion_of(reasoner: Reasoner, observed: Observed, bodies: Bodies, laws: Dynamics | None = None) -> Observed:
    """The same sets with states fitted to these bodies, under the reasoner's laws of motion or others."""
    dynamics = laws or reasoner.dynamics
    assert isinstance(dynamics, Dynamics)
    pairs, samples = reasoner.pair_numbers, reasoner.settings.posterior_samples
    parts = [
        _fitted(dynamics, observed.rows(rows), _rows(bodies, rows), pairs, samples) for rows in batches_of(observed)
    ]
    return replace(observed, states=joined(parts))


@torch.no_grad()
def refit_motion(reasoner: Reasoner, observed: Observed, before: Bodies) -> tuple[Observed, Bodies]:
    """Fit again the sets whose bodies are thought to be others than those they were fitted with. The others would come out
    the same: no fit depends on what else is in its batch."""
    bodies = likely_bodies(reasoner, observed)
    changed = _differing(bodies, before).nonzero()[:, 0]
    if observed.states is None or not len(changed):
        return observed, bodies
    again = fit_motion_of(reasoner, observed.rows(changed), _rows(bodies, changed)).states
    assert again is not None
    return replace(observed, states=_with_rows(observed.states, changed, again)), bodies


@torch.no_grad()
def refit_targets(reasoner: Reasoner, observed: Observed, laws: Dynamics) -> Observed:
    """The same sets with the states of their targets fitted under other laws of motion; those of references stay."""
    assert observed.states is not None
    bodies, target = likely_bodies(reasoner, observed), observed.target
    parts = []
    for rows in batches_of(observed):
        tracks, motion = _rows(target.tracks, rows), _rows(target.motion, rows)
        parts.append(fit_states(laws, _rows(bodies, rows), tracks, motion, reasoner.settings.posterior_samples))
    return with_target_states(observed, joined(parts))


def with_target_states(observed: Observed, states: FittedMotion) -> Observed:
    """The same sets with other states of their targets."""
    assert observed.states is not None
    return replace(observed, states=replace(observed.states, target=states))


def _differing(bodies: Bodies, others: Bodies) -> Tensor:
    """[S]: whether anything differs."""
    parts = zip(vars(bodies).values(), vars(others).values(), strict=True)
    return torch.stack([(mine != theirs).flatten(1).any(dim=1) for mine, theirs in parts]).any(dim=0)


def _with_rows(states: FittedSets, rows: Tensor, new: FittedSets) -> FittedSets:
    """The states with those of some sets replaced."""
    count = len(states.target.known)
    place = torch.arange(count, device=rows.device).index_copy(
        0, rows, count + torch.arange(len(rows), device=rows.device)
    )
    return mapped(joined([states, new]), lambda part: part.index_select(0, place))


def _fitted(dynamics: Dynamics, observed: Observed, bodies: Bodies, pair_numbers: Tensor, samples: int) -> FittedSets:
    """Samples are drawn of the targets alone: nothing is imagined about references."""
    sets, references = observed.owners.shape[:2]
    target = fit_states(dynamics, bodies, observed.target.tracks, observed.target.motion, samples)
    videos = mapped(observed.references, lambda part: part.flatten(0, 1))
    others = reference_bodies(bodies, observed.owners, dynamics.pairs, pair_numbers)
    found = fit_states(dynamics, others, videos.tracks, videos.motion)
    return FittedSets(target, mapped(found, lambda part: part.unflatten(0, (sets, references))))


def _rows(tree: Tree, rows: Tensor) -> Tree:
    return mapped(tree, lambda part: part[rows])


def batches_of(observed: Observed) -> tuple[Tensor, ...]:
    """Rows of sets that are worked on at once."""
    device = observed.objects.device
    return torch.arange(len(observed), device=device).split(
        _CPU_BATCH_SIZE if device.type == "cpu" else _GPU_BATCH_SIZE
    )
