"""Programs: postfix token lists, read into typed trees and printed back.

A token that names an operator takes its arguments from the stack; every other token is a literal. `<START>`, `<END>`
and `<NULL>` are tolerated wherever they stand and dropped. Operators with several signatures are settled from both
sides: by what is on the stack, and, where that leaves two readings (one object or a pair, the only mass or all masses),
by what the next operator takes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from comphy.errors import ProgramError, did_you_mean
from comphy.programs.ops import ALIASES, OPS, Op, Signature
from comphy.programs.types import LITERAL_ALIASES, LITERALS, Literal, ValueType

PADDING: Final = frozenset({"<START>", "<END>", "<NULL>"})
# Published programs have at most a few dozen tokens. Trees are walked by recursion, which a runaway list would exhaust.
MAX_TOKENS: Final = 400


@dataclass(frozen=True)
class Node:
    """One token with its arguments, under its published name.

    Attributes:
        token: the operator or word.
        type: of its value.
        position: counts the tokens as they were read, padding included.
        op: the operator; None for a literal, and for a value that is given from outside.
        variant: which of the operator's signatures it is, where it has several.
        arguments: nodes of its arguments, in order.
        value: of a literal."""

    token: str
    type: ValueType
    position: int = field(compare=False)
    op: Op | None = None
    variant: str = ""
    arguments: tuple["Node", ...] = ()
    value: Literal = None

    def walk(self) -> Iterator["Node"]:
        """Walk through the tree.

        Yields:
            The nodes below and this one, in the order of execution."""
        for argument in self.arguments:
            yield from argument.walk()
        yield self

    @property
    def call(self) -> str:
        """An operator with its literal arguments, such as `filter_color red`."""
        literals = (argument.token for argument in self.arguments if argument.op is None)
        return " ".join([self.token, *(token for token in literals if token != GIVEN)])


@dataclass(frozen=True)
class Program:
    """A well-typed program.

    Attributes:
        root: its last operator, whose arguments are the rest of the tree; `root.type` is the type of the result."""

    root: Node

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The postfix token list, with the published operator names."""
        return tuple(node.token for node in self.root.walk() if node.token != GIVEN)

    @cached_property
    def operators(self) -> tuple[Node, ...]:
        """The operators in the order of execution; literals and given values are none."""
        return tuple(node for node in self.root.walk() if node.op is not None)

    @cached_property
    def given(self) -> tuple[ValueType, ...]:
        """The types of the values that have to be given from outside, in order."""
        return tuple(node.type for node in self.root.walk() if node.token == GIVEN)

    def __str__(self) -> str:
        return " ".join(self.tokens)


GIVEN: Final = "(given)"  # stands for the choice's event in the program of a multiple-choice question


# An entry of the parser's stack: the ways in which the tokens so far can be read, the likeliest first.
_Slot = dict[ValueType, Node]


def parse(
    tokens: Sequence[str], given: Sequence[ValueType] = (), wanted: ValueType | None = None, where: str = ""
) -> Program:
    """Read and type-check a token list.

    Args:
        tokens: postfix, as published; `<START>`, `<END>` and `<NULL>` are dropped.
        given: types of values that lie on the stack before the first token.
        wanted: the type that the program must end in; None for any.
        where: a file or question id that opens the message of an error.

    Returns:
        The program as a typed tree.

    Raises:
        ProgramError: for an unknown word, arguments of a wrong type, or a list that leaves none or several values."""
    stack: list[_Slot] = [{kind: Node(GIVEN, kind, -1)} for kind in given]
    meant = [(position, token) for position, token in enumerate(tokens) if token not in PADDING]
    if len(meant) > MAX_TOKENS:
        raise ProgramError(f"{_at_end(where, tokens)}expected at most {MAX_TOKENS} tokens (found {len(meant)})")
    for position, token in meant:
        stack.append(_read(token, position, stack, where))
    if len(stack) != 1:
        left = ", ".join(map(_names, stack)) or "nothing"
        raise ProgramError(f"{_at_end(where, tokens)}expected one value (found {left}): {' '.join(tokens)}")
    root = next(iter(stack[0].values())) if wanted is None else stack[0].get(wanted)
    if root is None:
        found = _names(stack[0])
        raise ProgramError(f"{_at_end(where, tokens)}expected {wanted} (found {found}): {' '.join(tokens)}")
    return Program(root)


def _read(token: str, position: int, stack: list[_Slot], where: str) -> _Slot:
    """The slot that a token puts on the stack; an operator's arguments are taken off it."""
    op = OPS.get(ALIASES.get(token, token))
    if op is None:
        return _literal(token, position, where)
    slot: _Slot = {}
    taken = 0
    for signature in op.signatures:  # the longest first
        if slot and len(signature.params) < taken:
            break
        node = _apply(op, signature, position, stack)
        if node is not None:
            slot.setdefault(node.type, node)
            taken = len(signature.params)
    if not slot:
        raise ProgramError(f"{_place(where, position, token)}{_mismatch(op, stack)}")
    del stack[len(stack) - taken :]
    return slot


def _literal(token: str, position: int, where: str) -> _Slot:
    word = LITERAL_ALIASES.get(token, token)
    if word not in LITERALS:
        hint = did_you_mean(token, {*OPS, *ALIASES, *LITERALS, *LITERAL_ALIASES})
        raise ProgramError(f"{_place(where, position, token)}unknown operator or word; {hint}")
    kind, value = LITERALS[word]
    return {kind: Node(word, kind, position, value=value)}


def _apply(op: Op, signature: Signature, position: int, stack: list[_Slot]) -> Node | None:
    """The operator with the topmost entries as its arguments; None if they are not of the signature's types."""
    first = len(stack) - len(signature.params)
    if first < 0:
        return None
    arguments: list[Node] = []
    for place, kind in enumerate(signature.params, first):
        argument = stack[place].get(kind)
        if argument is None:
            return None
        arguments.append(argument)
    return Node(op.name, signature.result, position, op, signature.variant, tuple(arguments))


def _mismatch(op: Op, stack: list[_Slot]) -> str:
    expected = " or ".join(f"({', '.join(signature.params)})" for signature in op.signatures)
    count = max(len(signature.params) for signature in op.signatures)
    found = ", ".join(map(_names, stack[-count:])) or "nothing"
    return f"expected {expected} before it (found {found})"


def _names(slot: _Slot) -> str:
    return " or ".join(slot)


def _place(where: str, position: int, token: str) -> str:
    return f"{where + ': ' if where else ''}token {position} '{token}': "


def _at_end(where: str, tokens: Sequence[str]) -> str:
    return f"{where + ': ' if where else ''}end of the program, after {len(tokens)} tokens: "


def dropped(program: Program, node: Node) -> Program:
    """Leave one condition out of a program; the other nodes keep their positions.

    Dropping a choice among events (the first, the last) means that there is only one to choose from.

    Args:
        program: what `parse` gives.
        node: the condition, a node of its tree.

    Returns:
        The program without it.

    Raises:
        ValueError: if the node is no condition, or not one of this program."""
    if node.op is None or not node.op.narrows:
        raise ValueError(f"'{node.token}' is not a condition")
    if not any(other is node for other in program.root.walk()):
        raise ValueError(f"'{node.token}' is not a node of the program: {program}")
    kept = node.arguments[0]
    if kept.type is not node.type:
        kept = Node("unique", node.type, node.position, OPS["unique"], "", (kept,))
    return Program(_replaced(program.root, node, kept))


def _replaced(root: Node, old: Node, new: Node) -> Node:
    if root is old:
        return new
    return replace(root, arguments=tuple(_replaced(argument, old, new) for argument in root.arguments))
