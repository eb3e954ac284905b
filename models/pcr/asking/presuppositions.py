"""Presuppositions of a question: what its descriptions speak of is there, and only once.

Where nothing has the look that is named, or several have it, the question is refused. Where something else is presupposed
that is not so, such as a heavy object, the reply says so; how likely it is enters the certainty of the answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from torch import Tensor

from comphy.errors import ProgramError
from comphy.language.absence import named, none_there
from comphy.language.meanings.descriptions import Description
from comphy.language.meanings.from_program import described_by
from comphy.programs.program import Node, Program
from comphy.programs.types import Order, Premise, ValueType
from comphy.questions.looks import Look
from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.asking.predicted_motion import PredictedMotion
from models.pcr.asking.words import events_in_words, listed, objects_in_words, percent
from models.pcr.executor.soft_logic import any_of, counted
from models.pcr.executor.trace import SoftStep

FITS: Final = 0.5
_MAY_FIT: Final = 0.2  # below it, no object counts as fitting a description
_NUMBERS: Final = {2: "two", 3: "three", 4: "four", 5: "five"}
_LOOK_FILTERS: Final = ("filter", "filter_color", "filter_shape", "filter_material")


@dataclass(frozen=True)
class Presuppositions:
    """`existence` is the probability that everything is there that a question speaks of; where it is unlikely, `missing`
    says what is not there."""

    remarks: tuple[str, ...] = ()
    existence: float = 1.0
    missing: str = ""

    def __add__(self, other: "Presuppositions") -> "Presuppositions":
        least = min(self, other, key=lambda one: one.existence)
        return Presuppositions(self.remarks + other.remarks, least.existence, self.missing or other.missing)

    @property
    def hold(self) -> bool:
        return not self.missing


def check(program: Program, steps: Sequence[SoftStep], interpreted: InterpretedSet, where: str = "") -> Presuppositions:
    """Check that every description of a program fits one object or event.

    Raises `ProgramError` where visible attributes fit no object or several. Inferred properties and events may be inferred
    wrongly: where they fit several the question is answered with a remark, and where they fit none the reply says so.
    """
    values = {step.position: step for step in steps}
    found = Presuppositions()
    opening = f"{where}: " if where else ""
    for node in program.root.walk():
        if node.token not in ("unique", "filter_order"):
            continue
        among = node.arguments[0]
        step = values[among.position]
        if node.type is ValueType.OBJECT:
            look = _look(among)
            if look is not None:
                _require_one(look, step.value, interpreted, opening)
            found += Presuppositions(tuple(_object_remarks(among, step.value))) + _existing(among, any_of(step.value))
        elif node.type is ValueType.PAIR:
            found += _existing(among, step.value.topk(2).values[1], pair=True)
        elif node.type is ValueType.EVENT:
            _require_event(among, step, interpreted, opening)
            if node.token == "unique":
                found += Presuppositions(tuple(_event_remarks(step)))
            if not _of_choice(among):
                found += _existing(among, _as_many(node, step.value))
    return found


def _existing(among: Node, chance: Tensor, pair: bool = False) -> Presuppositions:
    existence = float(chance)
    if existence > FITS:
        return Presuppositions(existence=existence)
    what = described_by(among)
    missing = none_there(what, pair) if what is not None else "There is nothing of the kind that is asked about."
    return Presuppositions(existence=existence, missing=missing)


def _as_many(node: Node, chances: Tensor) -> Tensor:
    """The probability that there are enough events for the first, second or last of them."""
    if node.token == "filter_order" and node.arguments[1].value is Order.SECOND:
        return 1 - counted(chances[None], 2)[0, :2].sum()
    return any_of(chances)


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


def _object_remarks(among: Node, chances: Tensor) -> Iterator[str]:
    likely = int((chances > FITS).sum())
    if likely > 1:
        what = described_by(among)
        fitting = f"“{named(what)}”" if isinstance(what, Description) else "the description"
        yield f"{_NUMBERS[likely].capitalize()} objects fit {fitting}, where one is meant; the likeliest is taken."


def _of_choice(among: Node) -> bool:
    return any(node.token == "all_events" for node in among.walk())


def _require_event(among: Node, found: SoftStep, interpreted: InterpretedSet, opening: str) -> None:
    """Require that the description of a collision in a choice fits at most one pair of objects."""
    if not _of_choice(among):
        return
    assert found.events is not None
    likely = int((found.value > FITS).sum())
    if likely > 1:
        fitting = "; ".join(item.words for item in events_in_words(found.events, interpreted))
        raise ProgramError(f"{opening}expected two different objects (found several collisions that fit: {fitting}).")


def _event_remarks(found: SoftStep) -> Iterator[str]:
    likely = int((found.value > FITS).sum())
    if likely > 1:
        yield f"{likely} such events were seen, where one is meant; all of them count."


def premise_remarks(predicted: PredictedMotion, interpreted: InterpretedSet) -> Iterator[str]:
    """Remarks where a premise contradicts the inferred properties, such as 'heavier' for an object that is heavy."""
    if predicted.premise is None:
        return
    name, heavy = interpreted.names[predicted.who], float(interpreted.scene.heavy[0, predicted.who])
    charges = interpreted.scene.same_matrix + interpreted.scene.opposite_matrix
    charged = float(any_of(charges[0, predicted.who].clamp(max=1)))
    if predicted.premise is Premise.HEAVIER and heavy > FITS:
        yield f"The {name} seems to be heavy already ({percent(heavy)})."
    elif predicted.premise is Premise.LIGHTER and heavy <= FITS:
        yield f"The {name} seems to be light already ({percent(1 - heavy)})."
    elif predicted.premise in (Premise.UNCHARGED, Premise.OPPOSITE) and charged <= FITS:
        yield f"The {name} seems to have no charge ({percent(1 - charged)})."
