"""True motion in place of imagined motion, of which a predictor still reads the collisions. For scoring alone.

Shapes: S sets, N objects, B questions, T frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from comphy.programs.event_handlers import premised_change
from comphy.programs.types import Premise, Undefined
from comphy.scene.objects import TARGET_VISIBLE_FRAMES
from models.pcr.dynamics.impacts import collisions_of
from models.pcr.dynamics.state import State, bodies_of
from models.pcr.evaluation.true_sets import TrueSet
from models.pcr.evaluation.true_states import TrueStates, padded
from models.pcr.executor.soft_scene import SoftEvents
from models.pcr.grounding.grounder import collision_events
from models.pcr.reasoner.imagination import LearnedImagination


@dataclass(frozen=True)
class FollowedImagination:
    """Every frame starts from its true state and is predicted one frame ahead: what the predictor touches on the way
    collides. after [S, T, N, 6]: the states of targets and after them; premised [S, premises, N, T, N, 6]: those under a
    premise about an object."""

    learned: LearnedImagination
    after: Tensor
    premised: Tensor

    @staticmethod
    def of(
        learned: LearnedImagination, truth: Sequence[TrueSet], states: Sequence[TrueStates]
    ) -> "FollowedImagination":
        """With the bodies and laws of an imagination of these sets."""
        like = learned.scene.objects
        room = like.shape[1]
        premised = torch.stack([_premised(*one, room) for one in zip(truth, states, strict=True)])
        after = padded([one.target for one in states], room)
        return FollowedImagination(learned, after.to(like), premised.to(like))

    def future(self, rows: Tensor) -> SoftEvents:
        return self._collisions(rows, self.after[rows], TARGET_VISIBLE_FRAMES)

    def counterfactual(self, rows: Tensor, who: Tensor, premise: Tensor) -> SoftEvents:
        return self._collisions(rows, self.premised[rows, premise, who.argmax(dim=1)], 0)

    def removal(self, rows: Tensor, who: Tensor) -> SoftEvents:
        """As it was imagined: datasets keep no runs without an object."""
        return self.learned.removal(rows, who)

    def _collisions(self, rows: Tensor, states: Tensor, first: int) -> SoftEvents:
        dynamics, frames = self.learned.dynamics, states.shape[1]
        bodies = bodies_of(self.learned.scene, rows.repeat_interleave(frames), hard=True)
        flat = states.flatten(0, 1)
        state = State(flat[..., :2], flat[..., 2:4], None, flat[..., 4], flat[..., 5])
        _, clearance = dynamics.step(state, dynamics.edges(bodies), bodies.there)
        peaks = collisions_of(clearance.unflatten(0, (-1, frames)), 0, first)
        return collision_events(peaks, dynamics.pairs, states.shape[2])


def _premised(one: TrueSet, states: TrueStates, room: int) -> Tensor:
    """[premises, N, T, N, 6]. A premise that changes nothing leaves the video as it is."""
    video = states.target[:TARGET_VISIBLE_FRAMES]
    found = [[states.runs.get(_key(one, premise, track), video) for track in range(room)] for premise in Premise]
    return torch.stack([padded(motion, room) for motion in found])


def _key(one: TrueSet, premise: Premise, track: int) -> str:
    """The `Change.key` of a premise about the object of a track; empty where it changes nothing."""
    try:
        return premised_change(one.facts, one.order[track], premise).key if track < len(one.order) else ""
    except Undefined:
        return ""
