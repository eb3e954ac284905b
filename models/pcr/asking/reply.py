"""The answer to a question about a set, with all that led to it."""

from dataclasses import dataclass

from models.pcr.asking.imagining import LIKELY, Imagining
from models.pcr.asking.interpreted_set import Pair
from models.pcr.asking.question import Option, Query
from models.pcr.asking.words import Item, ToldStep


@dataclass(frozen=True)
class Verdict:
    """What is said of a choice; `event` is what its program means, `chance` that of being right."""

    option: Option
    event: str
    chance: float

    @property
    def text(self) -> str:
        return self.option.text or self.event

    @property
    def holds(self) -> bool:
        return self.chance > LIKELY


@dataclass(frozen=True)
class PairVerdict:
    """A pair of objects and the chance that its collision is an answer; frames of the first likely collision in what was
    imagined and in the video, None if there is none."""

    pair: Pair
    chance: float
    frame: int | None
    seen_frame: int | None

    @property
    def holds(self) -> bool:
        return self.chance > LIKELY


@dataclass(frozen=True)
class Reply:
    """`answers` are the likeliest of a question that has one answer, `verdicts` those about given choices, and `pairs`
    what is said where a question asks for events and no choices were given. `sure` is the chance of being right; with
    several verdicts, of the least sure one."""

    query: Query
    sentence: str
    sure: float
    steps: tuple[ToldStep, ...]
    remarks: tuple[str, ...] = ()
    answers: tuple[Item, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    pairs: tuple[PairVerdict, ...] = ()
    imagining: Imagining | None = None
