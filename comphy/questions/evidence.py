"""What a set shows of hidden properties, and whether that is enough for a question.

- A mass shows in an interaction: a collision of the object, or the pull of its charge. A comparison of two masses needs
  an interaction between the two.
- A charge shows when the pair attracts or repels visibly. Since a set holds no or exactly one charged pair, that also
  shows who is uncharged. Charges are not asked about in sets that have none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comphy.programs.executor import execute
from comphy.programs.facts import SceneFacts
from comphy.programs.program import Node, Program
from comphy.programs.types import Premise
from comphy.questions.model import Interaction
from comphy.scene.events import EventKind

CHARGE_KINDS: Final = (EventKind.ATTRACTION, EventKind.REPULSION)
INTERACTIONS: Final = (EventKind.COLLISION, *CHARGE_KINDS)


def evidence(program: Program, facts: SceneFacts, shown: Sequence[Interaction]) -> tuple[Interaction, ...] | None:
    """The interactions that reveal what the program asks about; None if something it asks about is not revealed."""
    found: list[Interaction] = []
    for node in program.root.walk():
        for need in _needs(node, facts):
            proof = next((interaction for interaction in shown if need.met_by(interaction)), None)
            if proof is None:
                return None
            found.append(proof)
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class _Need:
    """An interaction of one of `kinds` in which all of `objects` take part."""

    kinds: tuple[EventKind, ...]
    objects: tuple[int, ...] = ()

    def met_by(self, interaction: Interaction) -> bool:
        return interaction.kind in self.kinds and set(self.objects) <= set(interaction.objects)


def _needs(node: Node, facts: SceneFacts) -> list[_Need]:
    if node.op is None:
        return []
    match node.op.name:
        case "filter_heavy" | "filter_light":
            return [_Need(INTERACTIONS, (i,)) for i in execute(Program(node.arguments[0]), facts)]
        case "is_heavier" | "is_lighter":
            both = tuple(execute(Program(argument.arguments[0]), facts) for argument in node.arguments)
            return [_Need(INTERACTIONS, both)]
        case "filter_charged" | "filter_uncharged" | "filter_opposite" | "filter_same" | "equal_charge":
            return [_Need(CHARGE_KINDS)]
        case "filter_counterfact" | "counterfact_events":
            return _premise_needs(node, facts)
        case _:
            return []


def _premise_needs(node: Node, facts: SceneFacts) -> list[_Need]:
    who, premise = node.arguments[-2], node.arguments[-1].value
    index = execute(Program(who), facts)
    if premise in (Premise.HEAVIER, Premise.LIGHTER):
        return [_Need(INTERACTIONS, (index,))]
    return [_Need(CHARGE_KINDS, (index,))]
