"""What both ways to a program have in common: sentences in, programs out, each with its log-probability."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from comphy.programs.program import Program
from models.pcr.parser.llm.prompt import Prompt
from models.pcr.parser.sentences import SentenceKind


@dataclass(frozen=True)
class Written:
    """A program for a sentence. `log_probability` is that of its text under the model without any constraint, 0 where it is
    not known."""

    program: Program
    kind: SentenceKind
    log_probability: float


@dataclass(frozen=True)
class NotWritten:
    """Why a model gave no program for a sentence."""

    reason: str


class ProgramWriter(Protocol):
    """A language model that writes programs."""

    def write(self, prompts: Sequence[Prompt], kinds: Sequence[SentenceKind]) -> list[Written | NotWritten]:
        """A well-typed program for each prompt, of one of the kinds."""
        ...

    def alternatives(self, prompt: Prompt, kinds: Sequence[SentenceKind]) -> list[Written]:
        """Several programs, the likeliest first; none where the model cannot give any."""
        ...

    def remarks(self) -> Sequence[str]:
        """What a user should know of the writing so far."""
        ...
