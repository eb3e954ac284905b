"""Presuppositions of a question: exactly one object fits each description in it. If one fails the question has no answer,
and is refused rather than answered about another object."""

from collections.abc import Iterator, Sequence
from typing import Final

from torch import Tensor

from comphy.errors import ProgramError
from comphy.programs.program import Node, Program
from comphy.programs.types import Premise, ValueType
from comphy.questions.looks import Look
from comphy.scene.events import EventKind
from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.asking.imagining import Imagining
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.asking.words import events_in_words, listed, objects_in_words, percent
from models.pcr.executor.soft_logic import any_of
from models.pcr.executor.trace import SoftStep

FITS: Final = 0.5
_MAY_FIT: Final = 0.2  # below it, no object counts as fitting a description
_NUMBERS: Final = {2: "two", 3: "three", 4: "four", 5: "five"}
_LOOK_FILTERS: Final = ("filter", "filter_color", "filter_shape", "filter_material")


def check(program: Program, steps: Sequence[SoftStep], interpreted: InterpretedSet, where: str = "") -> list[str]:
    """Check that every description of a program fits exactly one object or event.

    Raises `ProgramError` where visible attributes fit no object or several. Where inferred properties, such as mass, fit
    none or several, the inference may be wrong: the question is answered, and remarks are returned.
    """
    values = {step.position: step for step in steps}
    remarks: list[str] = []
    opening = f"{where}: " if where else ""
    for node in program.root.walk():
        if node.token != "unique":
            continue
        among = node.arguments[0]
        found = values[among.position]
        if node.type is ValueType.OBJECT:
            look = _look(among)
            if look is not None:
                _require_one(look, found.value, interpreted, opening)
            else:
                remarks += _object_remarks(among, found.value, interpreted)
        elif node.type is ValueType.EVENT:
            _require_event(among, found, interpreted, opening)
            remarks += _event_remarks(found)
    return remarks


def _look(node: Node) -> Look | None:
    """The referring expression that selects a set of objects; None if it uses more than visible attributes."""
    words: dict[type, object] = {}
    while node.token in _LOOK_FILTERS:
        node, word = node.arguments
        if word.op is not None:
            return None
        words[type(word.value)] = word.value
    if node.token != "objects":
        return None
    return Look(words.get(Color), words.get(Material), words.get(Shape))  # type: ignore[arg-type]


def _require_one(look: Look, chances: Tensor, interpreted: InterpretedSet, opening: str) -> None:
    names = [str(item) for item in objects_in_words(chances * (chances > FITS), interpreted)]
    if float(chances.max()) < _MAY_FIT:
        shown = listed([f"a {name}" for name in interpreted.names])
        raise ProgramError(f"{opening}there is no {look.phrase()} in this video: it shows {shown}.")
    if len(names) > 1:
        raise ProgramError(
            f"{opening}the {look.phrase()}: {_NUMBERS[len(names)]} fit: {listed(names)}. "
            "Say which one is meant, by its color, material or shape."
        )


def _object_remarks(among: Node, chances: Tensor, interpreted: InterpretedSet) -> Iterator[str]:
    best = float(chances.max())
    likely = int((chances > FITS).sum())
    if best <= FITS:
        name = interpreted.names[int(chances.argmax())]
        yield f"No object surely fits '{among.token}'; the likeliest is taken: the {name} ({percent(best)})."
    elif likely > 1:
        yield f"{_NUMBERS[likely].capitalize()} objects fit '{among.token}', where one is meant; the likeliest is taken."


def _require_event(among: Node, found: SoftStep, interpreted: InterpretedSet, opening: str) -> None:
    """Require that the description of a collision in a choice fits at most one pair of objects."""
    if not any(node.token == "all_events" for node in among.walk()):
        return
    assert found.events is not None
    likely = int((found.value > FITS).sum())
    if likely > 1:
        fitting = "; ".join(item.words for item in events_in_words(found.events, interpreted))
        raise ProgramError(f"{opening}expected two different objects (found several collisions that fit: {fitting}).")


def _event_remarks(found: SoftStep) -> Iterator[str]:
    assert found.events is not None
    best, likely = float(found.value.max()), int((found.value > FITS).sum())
    kind = "collision" if found.events.of_kind(EventKind.COLLISION)[int(found.value.argmax())] else "event"
    if best <= FITS:
        yield f"No such {kind} was surely seen; the likeliest is taken ({percent(best)})."
    elif likely > 1:
        yield f"{likely} such events were seen, where one is meant; all of them count."


def premise_remarks(imagining: Imagining, interpreted: InterpretedSet) -> Iterator[str]:
    """Remarks where a premise contradicts the inferred properties, such as 'heavier' for an object that is heavy."""
    if imagining.premise is None:
        return
    name, heavy = interpreted.names[imagining.who], float(interpreted.scene.heavy[0, imagining.who])
    charges = interpreted.scene.same_matrix + interpreted.scene.opposite_matrix
    charged = float(any_of(charges[0, imagining.who].clamp(max=1)))
    if imagining.premise is Premise.HEAVIER and heavy > FITS:
        yield f"The {name} seems to be heavy already ({percent(heavy)})."
    elif imagining.premise is Premise.LIGHTER and heavy <= FITS:
        yield f"The {name} seems to be light already ({percent(1 - heavy)})."
    elif imagining.premise in (Premise.UNCHARGED, Premise.OPPOSITE) and charged <= FITS:
        yield f"The {name} seems to have no charge ({percent(1 - charged)})."
