"""What is imagined for a question: who would collide, when, and along which paths."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from comphy.programs.program import Node, Program
from comphy.programs.types import Premise
from comphy.scene.events import EventKind
from comphy.scene.objects import TARGET_VISIBLE_FRAMES
from models.pcr.asking.known import KnownSet, Pair
from models.pcr.dynamics.rollout import Imagined
from models.pcr.executor.soft_scene import SoftEvents
from models.pcr.executor.trace import SoftStep

LIKELY: Final = 0.5
_PREMISES: Final = tuple(Premise)
_COUNTERFACTUAL: Final = ("filter_counterfact", "counterfact_events")
_NOBODY: Final = -1


@dataclass(frozen=True)
class Meeting:
    """A collision that may happen: how likely, and when if it does."""

    pair: Pair
    chance: float
    frame: int


@dataclass(frozen=True)
class Imagining:
    """`who` is the number of the object that the premise is about; without a premise it is the future. `motion` has one
    row; a scene of exact facts has none."""

    premise: Premise | None
    who: int
    meetings: tuple[Meeting, ...]
    motion: Imagined | None

    @property
    def likely(self) -> tuple[Meeting, ...]:
        return tuple(meeting for meeting in self.meetings if meeting.chance > LIKELY)


def imagine(known: KnownSet, program: Program, steps: Sequence[SoftStep]) -> Imagining | None:
    """What the program has to imagine; None if all it asks for is in the video."""
    imagined = [node for node in program.root.walk() if node.token in (*_COUNTERFACTUAL, "unseen_events")]
    if not imagined:
        return None
    node = imagined[-1]
    if node.token == "unseen_events":
        return _future(known)
    literal = next((argument.value for argument in node.arguments if isinstance(argument.value, Premise)), None)
    if literal is None:
        return None
    return _counterfactual(known, _object(node, steps), literal)


@torch.no_grad()
def _future(known: KnownSet) -> Imagining:
    assert known.scene.imagination is not None
    row = torch.tensor([0])
    motion = known.mind.foreseen(row)[0] if known.mind is not None else None
    return Imagining(None, _NOBODY, meetings(known.scene.imagination.future(row)), motion)


@torch.no_grad()
def _counterfactual(known: KnownSet, who: Tensor, premise: Premise) -> Imagining:
    assert known.scene.imagination is not None
    given = (torch.tensor([0]), who[None], torch.tensor([_PREMISES.index(premise)]))
    motion = known.mind.supposed(*given)[0] if known.mind is not None else None
    events = known.scene.imagination.counterfactual(*given)
    return Imagining(premise, int(who.argmax()), meetings(events), motion)


def _object(node: Node, steps: Sequence[SoftStep]) -> Tensor:
    """The distribution over objects of the one that a premise is about."""
    place = next(argument.position for argument in node.arguments if argument.type == "object")
    return next(step.value for step in steps if step.position == place)


def meetings(events: SoftEvents) -> tuple[Meeting, ...]:
    """Collisions in order of time; those without any chance are left out."""
    found = []
    for slot in events.of_kind(EventKind.COLLISION).nonzero().flatten().tolist():
        chance = float(events.probability[0, slot])
        if chance > 0:
            first, second = events.members[slot].nonzero().flatten().tolist()
            found.append(Meeting((first, second), chance, round(float(events.time[0, slot]))))
    return tuple(sorted(found, key=lambda meeting: (meeting.frame, meeting.pair)))


def seen_meetings(known: KnownSet) -> tuple[Meeting, ...]:
    """Those of the video itself."""
    return tuple(m for m in meetings(known.scene.events) if m.frame < TARGET_VISIBLE_FRAMES)


def first_likely(found: Sequence[Meeting], pair: Pair) -> Meeting | None:
    """The first collision of a pair that is likely."""
    return next((meeting for meeting in found if meeting.pair == pair and meeting.chance > LIKELY), None)
