"""Compiles programs for batched execution: a structure shared by many questions, and the literals that differ."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from comphy.errors import ProgramError
from comphy.programs.program import Node, Program
from comphy.programs.types import ValueType
from models.pcr.executor.operators.table import HANDLERS, SignatureKey
from models.questions.question_types import AnswerType

_RANKS: Final = {key: rank for rank, key in enumerate(HANDLERS)}
_EVENT_TYPES: Final = (ValueType.EVENT, ValueType.EVENTS)
_WORLDS: Final = {
    "events": "video",
    "start": "video",
    "end": "video",
    "unseen_events": "future",
    "all_events": "pairs",
    "counterfact_events": "premise",
    "counterfact_events_removal": "removal",
}
_ATTRIBUTES: Final = (AnswerType.COLOR, AnswerType.SHAPE, AnswerType.MATERIAL)
_ANSWERS: Final[dict[ValueType, tuple[AnswerType, ...]]] = {
    ValueType.BOOL: (AnswerType.YES_NO,),
    ValueType.COUNT: (AnswerType.COUNT,),
    ValueType.COLOR: (AnswerType.COLOR,),
    ValueType.SHAPE: (AnswerType.SHAPE,),
    ValueType.MATERIAL: (AnswerType.MATERIAL,),
    ValueType.DIRECTION: (AnswerType.DIRECTION,),
}
_WORD_ANSWERS: Final[dict[str, tuple[AnswerType, ...]]] = {
    "query": _ATTRIBUTES,
    "query_both_color": (AnswerType.COLOR_PAIR,),
    "query_both_shape": (AnswerType.SHAPE_PAIR,),
    "query_both_material": (AnswerType.MATERIAL_PAIR,),
    "query_both": (AnswerType.COLOR_PAIR, AnswerType.SHAPE_PAIR, AnswerType.MATERIAL_PAIR),
}


class Extra(StrEnum):
    """The last argument of a handler, after the values of other operators."""

    NOTHING = ""
    WORD = "word"
    NULL = "null"  # the literal `null`, which stands for no particular frame


class BatchKey(NamedTuple):
    """The batching key of an operator: operators of all programs with equal keys run in one call; keys run in order.

    `round` is the first round in which all arguments have been computed, `rank` the position of the signature in HANDLERS.
    `worlds` names, for each argument, the source of its events ("" if it holds none): only events of one source share a
    slot layout and fit into one tensor.
    """

    round: int
    rank: int
    signature: SignatureKey
    worlds: tuple[str, ...]
    extra: Extra


@dataclass(frozen=True, eq=False)
class Structure:
    """The operators of a program without its literals, in the order of execution; shared by programs that differ in
    literals only.

    `arguments` [operators, 2] are indices of earlier operators, -1 where there is none.
    """

    batch_keys: tuple[BatchKey, ...]
    arguments: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.batch_keys)


@dataclass(frozen=True)
class Compiled:
    """A compiled program. `words` is the index of each operator's literal in its enum, -1 if it has none; `answers` are
    the possible answer types, empty if the program does not end in an answer."""

    structure: Structure
    words: tuple[int, ...]
    answers: tuple[AnswerType, ...]


def compile_program(program: Program) -> Compiled:
    """Compile the program of a factual question, or a choice's program followed by its question's.

    Raises `ProgramError` if the program still expects a choice or is a literal only.
    """
    if program.given or program.root.op is None:
        found = "a choice to be given" if program.given else f"the word '{program.root.token}'"
        raise ProgramError(
            f"expected a whole program, a choice's followed by its question's (found {found}): {program}"
        )
    calls = [_call(node) for node in program.root.walk() if node.op is not None]
    structure = _structure(tuple(call for call, _ in calls))
    return Compiled(structure, tuple(word for _, word in calls), _answers(program.root))


class _Call(NamedTuple):
    """An operator of a program without its literal."""

    signature: SignatureKey
    takes: int  # values of other operators
    extra: Extra
    result: ValueType


def _call(node: Node) -> tuple[_Call, int]:
    name = f"{node.token}_{node.variant}" if node.variant else node.token
    signature = (name, tuple(argument.type for argument in node.arguments))
    literal = next((argument for argument in node.arguments if argument.op is None), None)
    takes = len(node.arguments) - (literal is not None)
    if literal is None:
        return _Call(signature, takes, Extra.NOTHING, node.type), -1
    if literal.value is None:
        return _Call(signature, takes, Extra.NULL, node.type), -1
    return _Call(signature, takes, Extra.WORD, node.type), tuple(type(literal.value)).index(literal.value)


def _answers(root: Node) -> tuple[AnswerType, ...]:
    if root.type is ValueType.WORDS:
        return _WORD_ANSWERS[root.token]
    return _ANSWERS.get(root.type, ())


@cache
def _structure(calls: tuple[_Call, ...]) -> Structure:
    """Symbolic execution of a postfix program: resolves the arguments of each operator and the round in which it can run."""
    batch_keys: list[BatchKey] = []
    worlds: list[str] = []  # of each value
    arguments = np.full((len(calls), 2), -1, np.int64)
    stack: list[int] = []
    for place, call in enumerate(calls):
        taken = stack[len(stack) - call.takes :]
        del stack[len(stack) - call.takes :]
        stack.append(place)
        arguments[place, : call.takes] = taken
        rank = _RANKS[call.signature]
        rounds = [batch_keys[other].round + (batch_keys[other].rank >= rank) for other in taken]
        given = tuple(worlds[other] for other in taken)
        batch_keys.append(BatchKey(max(rounds, default=0), rank, call.signature, given, call.extra))
        worlds.append(_world(call, given))
    return Structure(tuple(batch_keys), arguments)


def _world(call: _Call, given: tuple[str, ...]) -> str:
    """The source of the events in a result: a filter keeps its argument's slot layout, a union concatenates both."""
    if call.result not in _EVENT_TYPES:
        return ""
    name = call.signature[0]
    if name == "union":
        return "+".join(given)
    return _WORLDS.get(name) or given[0]
