"""Which tokens may come next, so that a program is well-typed and ends in time: an automaton over stacks of types.

Driven by the op table alone. A stack's entries are the sets of types that the tokens so far can be read as, as in
`comphy.programs.program.parse`.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.programs.ops import OPS, Signature
from comphy.programs.types import LITERALS, ValueType

Types = frozenset[ValueType]
Stack = tuple[Types, ...]
Costs = dict[ValueType, float]  # the fewest tokens after which a value of the type is there

START: Final = "<START>"
END: Final = "<END>"
# The parser's output vocabulary. START also fills the shorter rows of a batch.
PROGRAM_TOKENS: Final = (START, END, *OPS, *LITERALS)
START_ID: Final = PROGRAM_TOKENS.index(START)
END_ID: Final = PROGRAM_TOKENS.index(END)
_NEVER: Final = 1 << 20  # more tokens than any program may have
# Each once: to lengths it makes no difference which operator it is.
_SIGNATURES: Final = tuple({(s.params, s.result): s for op in OPS.values() for s in op.signatures}.values())


def after(stack: Stack, token: str) -> Stack | None:
    """The stack that a token leaves; None if its arguments are not there."""
    if token in LITERALS:
        return (*stack, frozenset({LITERALS[token][0]}))
    if token not in OPS:
        return None
    results: set[ValueType] = set()
    taken = 0
    for signature in OPS[token].signatures:  # the longest first
        if results and len(signature.params) < taken:
            break
        if _fits(signature.params, stack):
            results.add(signature.result)
            taken = len(signature.params)
    return (*stack[: len(stack) - taken], frozenset(results)) if results else None


def _fits(params: tuple[ValueType, ...], stack: Stack) -> bool:
    if len(params) > len(stack):
        return False
    top = stack[len(stack) - len(params) :]
    return all(kind in types for kind, types in zip(params, top, strict=True))


def tokens_to_end(stack: Stack, wanted: Types) -> float:
    """The fewest tokens that leave one value of a wanted type alone on the stack; infinite if none do.

    From the top down: what lies on top is turned into other types by operators that take it first, with further
    arguments made from nothing, until one takes it together with entries below it.
    """
    if not stack:
        return min((_from_nothing()[kind] for kind in wanted if kind in _from_nothing()), default=math.inf)
    costs: list[Costs] = [{} for _ in stack]
    costs[-1] = dict.fromkeys(stack[-1], 0.0)
    for place in reversed(range(len(stack))):
        _turn(costs[place])
        for signature in _SIGNATURES:
            for below in range(1, min(len(signature.params), place + 1)):
                if _fits(signature.params[:below], stack[:place]):
                    _lower(costs[place - below], signature.result, _cost(signature, below, costs[place]))
    return min((costs[0][kind] for kind in wanted if kind in costs[0]), default=math.inf)


def _turn(costs: Costs) -> None:
    """Add the types that a value can be turned into by operators that take it as their first argument."""
    changed = True
    while changed:
        changed = any([_lower(costs, s.result, _cost(s, 0, costs)) for s in _SIGNATURES if s.params])


@cache
def _from_nothing() -> Costs:
    """For each type, the length of the shortest program that gives a value of it."""
    costs: Costs = {kind: 1.0 for kind, _ in LITERALS.values()}
    changed = True
    while changed:
        changed = any([_lower(costs, s.result, 1 + _total(s.params, costs)) for s in _SIGNATURES])
    return costs


def _cost(signature: Signature, place: int, costs: Costs) -> float:
    """Of an operator that takes a value as its argument number `place`, with the later ones made from nothing."""
    value = costs.get(signature.params[place], math.inf)
    return value + _total(signature.params[place + 1 :], _from_nothing()) + 1


def _total(kinds: Iterable[ValueType], costs: Costs) -> float:
    return sum(costs.get(kind, math.inf) for kind in kinds)


def _lower(costs: Costs, kind: ValueType, cost: float) -> bool:
    if cost >= costs.get(kind, math.inf):
        return False
    costs[kind] = cost
    return True


@dataclass(frozen=True)
class _State:
    """`needed` counts, for every token, it and the fewest that must follow, END included; `stacks` are what it leaves."""

    needed: NDArray[np.int32]
    stacks: tuple[Stack | None, ...]


class Automaton:
    """Programs that begin with a stack and end in one value of a wanted type. Remembers the states it has met."""

    def __init__(self, start: Stack, wanted: Types) -> None:
        self.start = start
        self._wanted = wanted
        self._states: dict[Stack, _State] = {}
        self._to_end: dict[Stack, int] = {}

    def allowed(self, stack: Stack, room: int) -> NDArray[np.bool_]:
        """For every program token, whether it may come next where `room` tokens are left, END included.

        Whoever starts with room for the shortest program and takes allowed tokens only always comes to an END.
        """
        return self._state(stack).needed <= room

    def after(self, stack: Stack, token_id: int) -> Stack:
        """The stack that an allowed token leaves."""
        left = self._state(stack).stacks[token_id]
        if left is None:
            raise ValueError(f"'{PROGRAM_TOKENS[token_id]}' may not follow the stack {stack}")
        return left

    def _state(self, stack: Stack) -> _State:
        if stack not in self._states:
            stacks = tuple(after(stack, token) for token in PROGRAM_TOKENS)
            needed = np.array([_NEVER if left is None else 2 + self._rest(left) for left in stacks], np.int32)
            if len(stack) == 1 and stack[0] & self._wanted:
                needed[END_ID] = 1
            self._states[stack] = _State(needed, stacks)
        return self._states[stack]

    def _rest(self, stack: Stack) -> int:
        if stack not in self._to_end:
            self._to_end[stack] = int(min(tokens_to_end(stack, self._wanted), _NEVER))
        return self._to_end[stack]
