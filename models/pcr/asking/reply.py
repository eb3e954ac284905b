"""The answer to a question about a set, with its explanation."""

from dataclasses import dataclass

from models.pcr.asking.interpreted_set import Pair
from models.pcr.asking.predicted_motion import LIKELY, PredictedMotion
from models.pcr.asking.question import Option, Query
from models.pcr.asking.words import Item, ToldStep


@dataclass(frozen=True)
class Verdict:
    """The verdict on a choice.

    Attributes:
        option: the choice.
        event: its event in words.
        chance: the probability that the choice is right."""

    option: Option
    event: str
    chance: float

    @property
    def text(self) -> str:
        """The choice as it was asked, or its event in words if it was given as a program."""
        return self.option.text or self.event

    @property
    def holds(self) -> bool:
        """Whether the choice is more likely right than not."""
        return self.chance > LIKELY


@dataclass(frozen=True)
class PairVerdict:
    """The verdict on a pair of objects.

    Attributes:
        pair: numbers of the two objects.
        chance: the probability that their collision is an answer.
        frame: of their first likely collision in the imagined motion; None if there is none.
        seen_frame: of their first likely collision in the video; None if there is none."""

    pair: Pair
    chance: float
    frame: int | None
    seen_frame: int | None

    @property
    def holds(self) -> bool:
        """Whether the collision is more likely an answer than not."""
        return self.chance > LIKELY


@dataclass(frozen=True)
class Reply:
    """The answer to a question, with its explanation.

    Attributes:
        query: the question as it was read.
        sentence: the answer in words.
        sure: the probability that the answer is right, or the smallest one of several verdicts.
        steps: what each operator of the program found.
        remarks: what to know about the answer, such as a presupposition that may not hold.
        answers: to a closed question, the most likely first.
        verdicts: on the choices of an open question.
        pairs: on all pairs of objects, for an open question without choices.
        predicted: the motion that was imagined for the answer; None if none was."""

    query: Query
    sentence: str
    sure: float
    steps: tuple[ToldStep, ...]
    remarks: tuple[str, ...] = ()
    answers: tuple[Item, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    pairs: tuple[PairVerdict, ...] = ()
    predicted: PredictedMotion | None = None

    @property
    def can_be_drawn(self) -> bool:
        """Whether motion was imagined that a clip can show."""
        return self.predicted is not None and self.predicted.motion is not None
