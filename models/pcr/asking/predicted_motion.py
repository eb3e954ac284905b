"""The predicted or counterfactual motion that a question depends on: collisions with their times, and tracks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.programs.program import Node, Program
from comphy.programs.types import Premise
from comphy.scene.events import EventKind
from comphy.scene.objects import TARGET_VISIBLE_FRAMES
from models.pcr.asking.interpreted_set import InterpretedSet, Pair
from models.pcr.dynamics.rollout import PredictedTrajectories
from models.pcr.executor.soft_scene import SoftEvents
from models.pcr.executor.trace import SoftStep

LIKELY: Final = 0.5
_PREMISES: Final = tuple(Premise)
_COUNTERFACTUAL: Final = ("filter_counterfact", "counterfact_events")
_NOBODY: Final = -1


@dataclass(frozen=True)
class PossibleCollision:
    """A collision with its probability, and its frame should it happen."""

    pair: Pair
    chance: float
    frame: int


@dataclass(frozen=True)
class PredictedMotion:
    """The future after the video or, if it is about an object, number `who`, a counterfactual: with a `premise`, or without
    the object if there is none. `motion` has one row; it is None for a scene built from ground truth."""

    premise: Premise | None
    who: int
    collisions: tuple[PossibleCollision, ...]
    motion: PredictedTrajectories | None

    @property
    def is_future(self) -> bool:
        return self.who == _NOBODY

    @property
    def is_removal(self) -> bool:
        return not self.is_future and self.premise is None

    @property
    def likely(self) -> tuple[PossibleCollision, ...]:
        return tuple(one for one in self.collisions if one.chance > LIKELY)


def imagine(interpreted: InterpretedSet, program: Program, steps: Sequence[SoftStep]) -> PredictedMotion | None:
    """The motion that a program has to imagine; None if the program is about the visible video only."""
    imagined = [node for node in program.root.walk() if node.token in (*_COUNTERFACTUAL, "unseen_events")]
    if not imagined:
        return None
    node = imagined[-1]
    if node.token == "unseen_events":
        return _future(interpreted)
    literal = next((argument.value for argument in node.arguments if isinstance(argument.value, Premise)), None)
    if literal is None:
        return _removal(interpreted, _object(node, steps))
    return _counterfactual(interpreted, _object(node, steps), literal)


@torch.no_grad()
def _future(interpreted: InterpretedSet) -> PredictedMotion:
    assert interpreted.scene.imagination is not None
    row = torch.tensor([0])
    learned = interpreted.imagination
    motion = learned.future_motion(row)[0] if learned is not None else None
    return PredictedMotion(None, _NOBODY, collisions(interpreted.scene.imagination.future(row)), motion)


@torch.no_grad()
def _counterfactual(interpreted: InterpretedSet, who: Tensor, premise: Premise) -> PredictedMotion:
    assert interpreted.scene.imagination is not None
    given = (torch.tensor([0]), who[None], torch.tensor([_PREMISES.index(premise)]))
    learned = interpreted.imagination
    motion = learned.counterfactual_motion(*given)[0] if learned is not None else None
    events = interpreted.scene.imagination.counterfactual(*given)
    return PredictedMotion(premise, int(who.argmax()), collisions(events), motion)


@torch.no_grad()
def _removal(interpreted: InterpretedSet, who: Tensor) -> PredictedMotion:
    assert interpreted.scene.imagination is not None
    given = (torch.tensor([0]), who[None])
    learned = interpreted.imagination
    motion = learned.removal_motion(*given)[0] if learned is not None else None
    events = interpreted.scene.imagination.removal(*given)
    return PredictedMotion(None, int(who.argmax()), collisions(events), motion)


def _object(node: Node, steps: Sequence[SoftStep]) -> Tensor:
    """The distribution over objects for the one that a premise is about."""
    place = next(argument.position for argument in node.arguments if argument.type == "object")
    return next(step.value for step in steps if step.position == place)


def collisions(events: SoftEvents) -> tuple[PossibleCollision, ...]:
    """The collisions among events in order of time, without those of probability 0."""
    found = []
    for slot in events.of_kind(EventKind.COLLISION).nonzero().flatten().tolist():
        chance = float(events.probability[0, slot])
        if chance > 0:
            first, second = events.members[slot].nonzero().flatten().tolist()
            found.append(PossibleCollision((first, second), chance, round(float(events.time[0, slot]))))
    return tuple(sorted(found, key=lambda collision: (collision.frame, collision.pair)))


def recorded_collisions(interpreted: InterpretedSet) -> tuple[PossibleCollision, ...]:
    """Collisions of the video itself."""
    return tuple(one for one in collisions(interpreted.scene.events) if one.frame < TARGET_VISIBLE_FRAMES)


def first_likely(found: Sequence[PossibleCollision], pair: Pair) -> PossibleCollision | None:
    """The first collision of a pair with a probability above `LIKELY`; None if there is none."""
    return next((collision for collision in found if collision.pair == pair and collision.chance > LIKELY), None)
