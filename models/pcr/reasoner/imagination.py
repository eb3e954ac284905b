"""Predicted events: the future of a video, and what would have happened under a premise, by rollouts of the learned
dynamics.

Shapes: B questions, N objects, P pairs.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from torch import Tensor, nn

from comphy.programs.types import Premise
from comphy.scene.objects import TARGET_TOTAL_FRAMES, TARGET_VISIBLE_FRAMES
from models.pcr.dynamics.impacts import as_sure_as_agreed, collisions_of
from models.pcr.dynamics.rollout import PredictedTrajectories, predict_counterfactual, predict_future
from models.pcr.dynamics.state import Bodies, Predictor, bodies_of
from models.pcr.dynamics.trajectories import Trajectories
from models.pcr.executor.soft_scene import SoftEvents, SoftScene
from models.pcr.grounding.grounder import collision_events
from models.pcr.grounding.peaks import Peaks
from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.observed import Observed
from models.pcr.tracks.tensor_trees import mapped

FUTURE_FRAMES: Final = TARGET_TOTAL_FRAMES - TARGET_VISIBLE_FRAMES
_PREMISES: Final = tuple(Premise)

Simulated = tuple[PredictedTrajectories, Bodies]  # imagined motion, and the bodies that it was simulated with


@dataclass(frozen=True)
class LearnedImagination:
    """Imagines what programs ask for (`models.pcr.executor.soft_scene.Imagination`).

    With `hard` the most likely properties are simulated instead of their probabilities, and every rollout is kept:
    the answer to a question, its explanation and its clip all show the same one. With `follow_recording` objects follow the
    recording until a premise can reach them. `spread`: how many times as far from the best motion samples of the fit's
    posterior are taken to be."""

    dynamics: Predictor
    follow_recording: bool
    observed: Observed
    scene: SoftScene
    hard: bool
    spread: float = 1.0

    def future(self, rows: Tensor) -> SoftEvents:
        return self._collisions(_Question("future", self._future, (rows,)), self.observed.target.margin.shape[-2])

    def counterfactual(self, rows: Tensor, who: Tensor, premise: Tensor) -> SoftEvents:
        return self._collisions(self._of_premise(rows, who, premise), 0)

    def removal(self, rows: Tensor, who: Tensor) -> SoftEvents:
        return self._collisions(self._of_removal(rows, who), 0)

    def future_motion(self, rows: Tensor) -> Simulated:
        """The motion after the videos of the sets in `rows` [B]."""
        return self._motion(_Question("future", self._future, (rows,)))

    def counterfactual_motion(self, rows: Tensor, who: Tensor, premise: Tensor) -> Simulated:
        """The videos as they would be if the premise [B] held for the object `who` [B, N]."""
        return self._motion(self._of_premise(rows, who, premise))

    def removal_motion(self, rows: Tensor, who: Tensor) -> Simulated:
        """The videos as they would be without the object `who` [B, N]. All objects that it would have touched, or attracted
        or repelled, diverge from the recording."""
        return self._motion(self._of_removal(rows, who))

    def _of_premise(self, rows: Tensor, who: Tensor, premise: Tensor) -> "_Question":
        if self.hard:
            who = nn.functional.one_hot(who.argmax(dim=1), who.shape[1]).to(who.dtype)
        return _Question("premise", self._premised, (rows, who, premise))

    def _of_removal(self, rows: Tensor, who: Tensor) -> "_Question":
        return _Question("removal", self._without, (rows, who == who.amax(dim=1, keepdim=True)))

    def _motion(self, asked: "_Question") -> Simulated:
        """By the states as they are known best."""

        def simulate() -> Simulated:
            return asked.simulate(self._recording(asked.given[0]), *asked.given)

        if not self.hard:  # with probabilities as properties, gradients pass through: nothing is kept
            return simulate()
        if asked.key not in self._simulated:
            self._simulated[asked.key] = simulate()
        return self._simulated[asked.key]

    def _collisions(self, asked: "_Question", first: int) -> SoftEvents:
        """Collisions of imagined motion from the frame `first` on. Where trajectories were drawn from the posterior of the
        fit, each of them is imagined as well, and tells how sure a collision is."""
        imagined, _ = self._motion(asked)
        best = collisions_of(imagined.clearance, imagined.start, first)
        if not (self.hard and self._samples):
            return self._events(best, imagined)
        if asked.key not in self._sampled:
            many = [part.repeat_interleave(self._samples, dim=0) for part in asked.given]
            recordings = Trajectories.sampled(self._states(asked.given[0]), self.spread)
            others, _ = asked.simulate(recordings, *many)
            found = collisions_of(others.clearance, others.start, first)
            self._sampled[asked.key] = self._events(as_sure_as_agreed(best, found, self._samples), imagined)
        return self._sampled[asked.key]

    @cached_property
    def _simulated(self) -> "dict[_Key, Simulated]":
        """Rollouts so far, by what was asked for."""
        return {}

    @cached_property
    def _sampled(self) -> "dict[_Key, SoftEvents]":
        """Events so far of which samples have told how sure they are."""
        return {}

    @property
    def _samples(self) -> int:
        """How many trajectories of each set were drawn."""
        return 0 if self.observed.states is None else self.observed.states.target.samples.shape[1]

    def _future(self, recording: Trajectories, rows: Tensor) -> Simulated:
        bodies = bodies_of(self.scene, rows, self.hard)
        return predict_future(self.dynamics, recording, bodies, FUTURE_FRAMES), bodies

    def _premised(self, recording: Trajectories, rows: Tensor, who: Tensor, premise: Tensor) -> Simulated:
        before = bodies_of(self.scene, rows, self.hard)
        changed = who == who.amax(dim=1, keepdim=True)
        charged = _charged(before.charge, self.dynamics.pairs, who.shape[1])
        about_charge = premise >= _PREMISES.index(Premise.UNCHARGED)
        at_once = charged & (about_charge | (changed & charged).any(dim=1))[:, None]
        after = _changed(before, who, premise, self.dynamics.pairs)
        return predict_counterfactual(self.dynamics, recording, after, changed, at_once, self.follow_recording), after

    def _without(self, recording: Trajectories, rows: Tensor, removed: Tensor) -> Simulated:
        before, pairs = bodies_of(self.scene, rows, self.hard), self.dynamics.pairs
        kept = (~(removed[:, pairs[:, 0]] | removed[:, pairs[:, 1]])).to(before.charge.dtype)
        at_once = _charged(before.charge * (1 - kept), pairs, removed.shape[1])
        after = replace(before, there=before.there & ~removed, charge=before.charge * kept)
        return predict_counterfactual(self.dynamics, recording, after, removed, at_once, self.follow_recording), after

    def _recording(self, rows: Tensor) -> Trajectories:
        if self.observed.states is not None:
            return Trajectories.fitted(self._states(rows))
        return Trajectories.measured(self.observed.target).rows(rows)

    def _states(self, rows: Tensor) -> FittedMotion:
        assert self.observed.states is not None
        return mapped(self.observed.states.target, lambda part: part[rows])

    def _events(self, peaks: Peaks, imagined: PredictedTrajectories) -> SoftEvents:
        return collision_events(peaks, self.dynamics.pairs, imagined.there.shape[-1])


_Key = tuple[str, ...]


@dataclass(frozen=True)
class _Question:
    """What is to be imagined: by which simulation, and what it is given besides the recording, rows of sets first."""

    name: str
    simulate: Callable[..., Simulated]
    given: tuple[Tensor, ...]

    @cached_property
    def key(self) -> _Key:
        return (self.name, *(str(part.tolist()) for part in self.given))


def _changed(bodies: Bodies, who: Tensor, premise: Tensor, pairs: Tensor) -> Bodies:
    """The bodies under a premise, interpolated by the probability that it is about each of them."""
    is_premise = [(premise == number)[:, None].to(who.dtype) for number in range(len(_PREMISES))]
    chance = dict(zip(_PREMISES, is_premise, strict=True))
    to_heavy, to_light = who * chance[Premise.HEAVIER], who * chance[Premise.LIGHTER]
    heavy = bodies.heavy * (1 - to_heavy - to_light) + to_heavy
    factor = 1 - who * chance[Premise.UNCHARGED] - 2 * who * chance[Premise.OPPOSITE]
    return replace(bodies, heavy=heavy, charge=bodies.charge * factor[:, pairs[:, 0]] * factor[:, pairs[:, 1]])


def _charged(charge: Tensor, pairs: Tensor, objects: int) -> Tensor:
    """[B, N]: objects of pairs that are likely charged."""
    likely = (charge.abs() > 0.5).int()
    found = likely.new_zeros(len(charge), objects)
    return found.index_add(1, pairs[:, 0], likely).index_add(1, pairs[:, 1], likely) > 0
