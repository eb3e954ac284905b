"""What every parser of questions offers, however it reads them: one that was trained here, or a large language model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from comphy.programs.program import Program
from comphy.questions.model import Tokens
from models.pcr.parser.sentences import SentenceKind
from models.pcr.parser.words.refusal import NotUnderstood

KINDS_OF_QUESTIONS: Final = (SentenceKind.FACTUAL, SentenceKind.MULTIPLE_CHOICE)
MAX_TOKENS: Final = 48  # of a program


@dataclass(frozen=True)
class Parsed:
    """A sentence and its most likely program.

    `log_probability` is that of the whole program, `unknown` are the out-of-vocabulary words. A sentence is `understood`
    if its program is likely enough and mentions the same colors, materials, shapes, orders and `not` as the sentence.
    `failure` says why there is no program of the sentence's own; `program` then only stands in for it.
    """

    text: str
    kind: SentenceKind
    program: Program
    log_probability: float
    unknown: tuple[str, ...]
    understood: bool
    failure: str = ""

    @property
    def tokens(self) -> Tokens:
        return self.program.tokens


class QuestionParser(Protocol):
    """Reads English questions and choices as programs."""

    def parse_questions(self, texts: Sequence[str], kind: SentenceKind) -> list[Parsed]:
        """A well-typed program of each sentence, whether it was understood or not."""
        ...

    def parse_question(self, text: str) -> Parsed:
        """Parse a question of which it is not known whether it has its own answer or goes with choices."""
        ...

    def explain(self, parsed: Parsed) -> NotUnderstood | None:
        """Why a sentence was refused; None if it was understood."""
        ...

    def remarks(self) -> Sequence[str]:
        """What a user should know of the reading so far, such as the tokens that it cost."""
        ...
