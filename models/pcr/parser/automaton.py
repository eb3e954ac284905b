"""Grammar for constrained decoding: which tokens may come next so that a postfix program is well-typed and fits a length
limit.

A pushdown automaton over stacks of types, derived from the op table. An entry of a stack is the set of types that the
tokens so far can have, as in `comphy.programs.program.parse`.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.programs.ops import OPS
from comphy.programs.types import LITERALS, ValueType

Types = frozenset[ValueType]
Stack = tuple[Types, ...]
Costs = dict[ValueType, float]  # fewest tokens that produce a value of the type

START: Final = "<START>"
END: Final = "<END>"
# The parser's output vocabulary. START also pads the shorter rows of a batch.
PROGRAM_TOKENS: Final = (START, END, *OPS, *LITERALS)
START_ID: Final = PROGRAM_TOKENS.index(START)
END_ID: Final = PROGRAM_TOKENS.index(END)
_NEVER: Final = 1 << 20  # more tokens than any program may have
# Distinct (parameters, result): program lengths do not depend on which operator has the signature.
_SIGNATURES: Final = tuple(dict.fromkeys((s.params, s.result) for op in OPS.values() for s in op.signatures))


def after(stack: Stack, token: str) -> Stack | None:
    """The stack after a token; None if the token's arguments are not on the stack."""
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


@cache
def _from_nothing() -> Costs:
    """For each type, the length of the shortest program that produces it (fixed-point iteration)."""
    costs: Costs = {kind: 1.0 for kind, _ in LITERALS.values()}
    while sum(_lower(costs, result, 1 + _total(params, costs)) for params, result in _SIGNATURES):
        pass
    return costs


@cache
def _turns() -> tuple[tuple[ValueType, ValueType, float], ...]:
    """Conversions by an operator that takes a value as its first argument: (its type, result type, tokens needed)."""
    fresh = _from_nothing()
    return tuple((params[0], result, 1 + _total(params[1:], fresh)) for params, result in _SIGNATURES if params)


def _total(kinds: Iterable[ValueType], costs: Costs) -> float:
    return sum(costs.get(kind, math.inf) for kind in kinds)


def _lower(costs: Costs, kind: ValueType, cost: float) -> bool:
    if cost >= costs.get(kind, math.inf):
        return False
    costs[kind] = cost
    return True


@dataclass(frozen=True)
class _State:
    """For every token: `needed`, the fewest tokens of a completion that starts with it, END included, and the stack it
    leaves."""

    needed: NDArray[np.int32]
    stacks: tuple[Stack | None, ...]


class Automaton:
    """Accepts programs that start on a given stack and end with a single value of a wanted type. States are memoised."""

    def __init__(self, start: Stack, wanted: Types) -> None:
        self.start = start
        self._wanted = wanted
        self._states: dict[Stack, _State] = {}
        self._ends: dict[Stack, Costs] = {}

    def allowed(self, stack: Stack, room: int) -> NDArray[np.bool_]:
        """Mask over PROGRAM_TOKENS: which may come next if at most `room` tokens, END included, may follow.

        Decoding that starts with enough room for the shortest program and takes only allowed tokens always reaches END.
        """
        return self._state(stack).needed <= room

    def after(self, stack: Stack, token_id: int) -> Stack:
        """The stack after an allowed token. Raises `ValueError` for any other token."""
        left = self._state(stack).stacks[token_id]
        if left is None:
            raise ValueError(f"'{PROGRAM_TOKENS[token_id]}' may not follow the stack {stack}")
        return left

    def _state(self, stack: Stack) -> _State:
        if stack not in self._states:
            stacks = tuple(after(stack, token) for token in PROGRAM_TOKENS)
            needed = np.array([_NEVER if left is None else 2 + self._rest(left) for left in stacks], np.int32)
            if not stack:
                needed[-len(LITERALS) :] = _NEVER  # no program starts with a literal
            if len(stack) == 1 and stack[0] & self._wanted:
                needed[END_ID] = 1
            self._states[stack] = _State(needed, stacks)
        return self._states[stack]

    def _rest(self, stack: Stack) -> int:
        """The fewest tokens after which the stack is a single value of a wanted type."""
        return int(min((self._end(stack[:-1]).get(kind, _NEVER) for kind in stack[-1]), default=_NEVER))

    def _end(self, below: Stack) -> Costs:
        """For each type, the fewest tokens to the end from the stack `below` with a value of that type on top.

        An operator takes the value alone or with entries below it; further arguments are computed from scratch.
        """
        if below not in self._ends:
            costs: Costs = {} if below else dict.fromkeys(self._wanted, 0.0)
            for params, result in _SIGNATURES:
                for taken in range(1, min(len(params), len(below) + 1)):
                    if _fits(params[:taken], below):
                        rest = self._end(below[:-taken]).get(result, math.inf)
                        _lower(costs, params[taken], 1 + _total(params[taken + 1 :], _from_nothing()) + rest)
            while sum(_lower(costs, kind, cost + costs.get(result, math.inf)) for kind, result, cost in _turns()):
                pass
            self._ends[below] = costs
        return self._ends[below]
