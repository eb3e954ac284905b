"""Scenes of chances for tests of the soft executor, and soft values read as if they were certain."""

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from comphy.programs.facts import SceneFacts
from comphy.programs.types import ValueType as T
from comphy.scene.events import Event
from models.pcr.evaluation.true_scene import TrueImagination, true_scene
from models.pcr.executor.soft_scene import EVENT_KINDS, SoftEvents, SoftScene
from models.pcr.executor.trace import SoftStep
from models.questions.question_types import ANSWERS, PAIR_JOINT, AnswerType

DISTRIBUTIONS = ("color", "shape", "material", "direction", "main_direction")
CHANCES = ("shown", "moving", "ever_moving", "heavy", "same", "opposite")
_WORDS = {T.COLOR: AnswerType.COLOR, T.SHAPE: AnswerType.SHAPE, T.MATERIAL: AnswerType.MATERIAL,
          T.DIRECTION: AnswerType.DIRECTION}  # fmt: skip


@dataclass(frozen=True)
class Logits:
    """A scene in which nothing is certain but who is there and when events happen: chances of `leaves`, by name."""

    truth: SoftScene
    leaves: dict[str, Tensor]

    @property
    def scene(self) -> SoftScene:
        soft = {
            name: leaf.softmax(-1) if name in DISTRIBUTIONS else leaf.sigmoid() for name, leaf in self.leaves.items()
        }
        neutral = torch.zeros_like(self.leaves["same"])
        charge = torch.stack([self.leaves["same"], self.leaves["opposite"], neutral]).softmax(dim=0)
        soft |= {"same": charge[0], "opposite": charge[1]}
        chosen = {name: events.having(soft.pop(name)) for name, events in event_tables(self.truth).items()}
        imagination = TrueImagination(chosen["future"], chosen["premise"], chosen["removal"])
        return replace(self.truth, **soft, events=chosen["events"], imagination=imagination)


def event_tables(scene: SoftScene) -> dict[str, SoftEvents]:
    imagined = scene.imagination
    assert isinstance(imagined, TrueImagination)
    return {
        "events": scene.events, "future": imagined.after, "premise": imagined.premised, "removal": imagined.removed
    }  # fmt: skip


def random_scene(facts: list[SceneFacts], seed: int = 0) -> Logits:
    """With the shapes of the facts."""
    truth, drawn = true_scene(facts), torch.Generator().manual_seed(seed)
    tables = {name: getattr(truth, name) for name in (*DISTRIBUTIONS, *CHANCES)}
    tables |= {name: events.probability for name, events in event_tables(truth).items()}
    leaves = {name: torch.randn(table.shape, generator=drawn).requires_grad_() for name, table in tables.items()}
    return Logits(truth, leaves)


def hard(step: SoftStep, facts: SceneFacts) -> Any:
    """A soft value in which all is certain, as the exact executor would have it."""
    value = step.value.detach()
    assert ((value < 1e-3) | (value > 1 - 1e-3)).all(), f"{step.call} is not certain: {value}"
    sure = (value > 0.5).nonzero().flatten().tolist()
    match step.type:
        case T.OBJECTS:
            return tuple(sure)
        case T.MASSES:
            return tuple(facts.objects[i].mass for i in sure)
        case T.PAIR:
            (number,) = sure
            count = len(facts.objects)
            return [(i, j) for i in range(count) for j in range(i + 1, count)][number]
        case T.OBJECT | T.FRAME | T.COUNT:
            return sure[0]
        case T.BOOL:
            return bool(value > 0.5)
        case T.MASS:
            return 5.0 if value > 0.5 else 1.0
        case T.EVENT | T.EVENTS:
            assert step.events is not None
            found = sorted((_event(step.events, slot) for slot in sure), key=lambda event: event.frame)
            return found[0] if step.type is T.EVENT else tuple(found)
        case T.WORDS:
            return tuple(_answers(step)[sure[0]].split(PAIR_JOINT))
        case _:
            return ANSWERS[_WORDS[step.type]][sure[0]]


def _event(events: SoftEvents, slot: int) -> Event:
    members = events.members[slot].nonzero().flatten().tolist()
    return Event(EVENT_KINDS[int(events.kind[slot])], int(events.moment[0, slot]), tuple(members))


def _answers(step: SoftStep) -> list[str]:
    name = step.call.split()[0]
    looks = ("color", "shape", "material")
    asked = [name.removeprefix("query_both_")] if name.startswith("query_both_") else list(looks)
    joint = "_pair" if name.startswith("query_both") else ""
    return [word for look in asked for word in ANSWERS[AnswerType(look + joint)]]
