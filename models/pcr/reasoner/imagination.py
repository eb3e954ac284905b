"""What a reasoner imagines: the future of a video, and what would have happened under a premise.

Shapes: B questions, N objects, P pairs.
"""

from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor, nn

from comphy.programs.types import Premise
from comphy.scene.objects import TARGET_TOTAL_FRAMES, TARGET_VISIBLE_FRAMES
from models.pcr.dynamics.predictor import Bodies
from models.pcr.dynamics.rollout import Imagined, Predictor, Recording, foresee, suppose
from models.pcr.executor.soft_scene import SoftEvents, SoftScene
from models.pcr.grounding.collision_features import encounter_features
from models.pcr.grounding.grounder import Grounder, collision_events
from models.pcr.grounding.peaks import find_peaks
from models.pcr.tracks.observed import Observed

FUTURE_FRAMES: Final = TARGET_TOTAL_FRAMES - TARGET_VISIBLE_FRAMES
_COLLISIONS: Final = 2  # slots of a pair
_APART: Final = 3  # frames between two events that are not one
_PREMISES: Final = tuple(Premise)


@dataclass(frozen=True)
class Mind:
    """Imagines what programs ask for (`models.pcr.executor.soft_scene.Imagination`). With `hard` it goes by the
    likeliest properties instead of their chances; with `replay` by the recording until a premise can reach an object."""

    dynamics: Predictor
    grounder: Grounder
    replay: bool
    observed: Observed
    scene: SoftScene
    hard: bool

    def future(self, rows: Tensor) -> SoftEvents:
        imagined, bodies = self.foreseen(rows)
        return self._collisions(imagined, bodies.shape, TARGET_VISIBLE_FRAMES)

    def counterfactual(self, rows: Tensor, who: Tensor, premise: Tensor) -> SoftEvents:
        imagined, bodies = self.supposed(rows, who, premise)
        return self._collisions(imagined, bodies.shape, 0)

    def removal(self, rows: Tensor, who: Tensor) -> SoftEvents:
        """Whatever the object would have touched, or pulled at, goes on without it."""
        before = bodies_of(self.scene, rows, self.hard)
        gone = who == who.amax(dim=1, keepdim=True)
        pairs = self.dynamics.pairs
        alone = (~(gone[:, pairs[:, 0]] | gone[:, pairs[:, 1]])).to(before.charge.dtype)
        at_once = _charged(before.charge * (1 - alone), pairs, who.shape[1])
        after = replace(before, there=before.there & ~gone, charge=before.charge * alone)
        imagined = suppose(self.dynamics, self._recording(rows), after, gone, at_once, self.replay)
        return self._collisions(imagined, after.shape, 0)

    def foreseen(self, rows: Tensor) -> tuple[Imagined, Bodies]:
        bodies = bodies_of(self.scene, rows, self.hard)
        return foresee(self.dynamics, self._recording(rows), bodies, FUTURE_FRAMES), bodies

    def supposed(self, rows: Tensor, who: Tensor, premise: Tensor) -> tuple[Imagined, Bodies]:
        """The video as it would be if the premise [B] held for the object `who` [B, N]."""
        before = bodies_of(self.scene, rows, self.hard)
        if self.hard:
            who = nn.functional.one_hot(who.argmax(dim=1), who.shape[1]).to(who.dtype)
        changed = who == who.amax(dim=1, keepdim=True)
        charged = _charged(before.charge, self.dynamics.pairs, who.shape[1])
        about_charge = premise >= _PREMISES.index(Premise.UNCHARGED)
        at_once = charged & (about_charge | (changed & charged).any(dim=1))[:, None]
        after = _changed(before, who, premise, self.dynamics.pairs)
        return suppose(self.dynamics, self._recording(rows), after, changed, at_once, self.replay), after

    def _recording(self, rows: Tensor) -> Recording:
        target = self.observed.target
        return Recording.of(target.tracks, target.motion).rows(rows)

    def _collisions(self, imagined: Imagined, shape: Tensor, first: int) -> SoftEvents:
        """Collisions of an imagined motion from the frame `first` on."""
        pairs = self.dynamics.pairs
        features = encounter_features(imagined.position, imagined.there, shape, pairs)
        scores = self.grounder.collision_scores(features)
        both = imagined.there[..., pairs[:, 0]] & imagined.there[..., pairs[:, 1]]
        frames = torch.arange(scores.shape[1], device=scores.device) + imagined.start
        possible = both & (frames >= first)[:, None]
        peaks = find_peaks(scores, possible, _COLLISIONS, _APART, imagined.start)
        return collision_events(peaks, pairs, shape.shape[1])


def bodies_of(scene: SoftScene, rows: Tensor, hard: bool) -> Bodies:
    """What the dynamics predictor has to know about the sets in `rows`; with `hard` what is likeliest."""
    heavy, charge = scene.heavy[rows], (scene.same - scene.opposite)[rows]
    shape = scene.shape[rows]
    if hard:
        heavy = (heavy > 0.5).to(shape.dtype)
        charge = torch.where(charge.abs() > 0.5, charge.sign(), 0.0)
        shape = nn.functional.one_hot(shape.argmax(dim=-1), shape.shape[-1]).to(shape.dtype)
    return Bodies(shape, heavy, charge, scene.objects[rows] > 0)


def _changed(bodies: Bodies, who: Tensor, premise: Tensor, pairs: Tensor) -> Bodies:
    """The bodies under a premise, as far as it is about each of them."""
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
