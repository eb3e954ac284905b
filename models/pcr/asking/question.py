"""A question as a program: a closed one that ends in an answer, or an open one that takes the event of a choice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from comphy.errors import ProgramError
from comphy.programs.ops import OPS, Group
from comphy.programs.program import GIVEN, Node, Program, parse
from comphy.programs.types import ValueType
from comphy.questions.model import QuestionKind
from models.pcr.parser.sentences import SentenceKind, read_program

_TELLING_HIDDEN = (Group.HIDDEN, Group.COUNTERFACTUAL)
_FUTURE = "unseen_events"


@dataclass(frozen=True)
class Option:
    """A choice of a question; its program selects an event. `text` is empty if it was given as a program."""

    text: str
    program: Program


@dataclass(frozen=True)
class Query:
    """A question with its choices. `certainty` is the parser's probability, 1 if the program was given; `reading` says in
    plain words how the question was read."""

    text: str
    program: Program
    options: tuple[Option, ...] = ()
    certainty: float = 1.0
    reading: str = ""

    def __post_init__(self) -> None:
        if self.options and not self.is_open:
            raise ProgramError(
                f"expected a question about what will or would happen to go with choices (found one that has its own "
                f"answer): {self.program}. Leave --choice out."
            )

    @property
    def is_open(self) -> bool:
        """Whether the program takes an event: it is asked about each choice or, without choices, about every pair."""
        return bool(self.program.given)

    @property
    def kind(self) -> QuestionKind:
        """The kind of the dataset's questions that it is like."""
        groups = {OPS[token].group for token in self.program.tokens if token in OPS}
        if Group.COUNTERFACTUAL in groups:
            return QuestionKind.COUNTERFACTUAL
        if _FUTURE in self.program.tokens:
            return QuestionKind.PREDICTIVE
        return QuestionKind.EXPLANATORY if self.is_open else QuestionKind.FACTUAL

    @property
    def uses_hidden(self) -> bool:
        """Whether the answer depends on mass or charge; imagined motion always does."""
        ops = [OPS[token] for token in self.program.tokens if token in OPS]
        return any(op.group in _TELLING_HIDDEN or op.name == _FUTURE for op in ops)

    def about(self, option: Option) -> Program:
        """The closed program for one choice."""
        return parse((*option.program.tokens, *self.program.tokens), wanted=ValueType.BOOL)

    def closed_parts(self) -> Iterator[Node]:
        """The largest subprograms that do not depend on a choice."""
        yield from _closed(self.program.root)


def query_of_program(program: str, choices: Sequence[str] = ()) -> Query:
    """A question from programs in postfix notation. Raises `ProgramError` if one is not well-typed."""
    options = tuple(
        Option("", read_program(tokens.split(), SentenceKind.CHOICE, f"choice {number}"))
        for number, tokens in enumerate(choices, start=1)
    )
    return Query(program, _read(program.split()), options)


def _read(tokens: Sequence[str]) -> Program:
    try:
        return read_program(tokens, SentenceKind.FACTUAL, "--program")
    except ProgramError as error:
        try:
            return read_program(tokens, SentenceKind.MULTIPLE_CHOICE, "--program")
        except ProgramError:
            raise error from None


def waits(node: Node) -> bool:
    """Whether the value depends on a choice."""
    return any(below.token == GIVEN for below in node.walk())


def _closed(node: Node) -> Iterator[Node]:
    if not waits(node):
        if node.op is not None:
            yield node
        return
    for argument in node.arguments:
        yield from _closed(argument)
