"""The answer to a question about a set, with its explanation."""

from dataclasses import dataclass

from models.pcr.asking.interpreted_set import Pair
from models.pcr.asking.predicted_motion import LIKELY, PredictedMotion
from models.pcr.asking.question import Option, Query
from models.pcr.asking.words import Item, ToldStep


@dataclass(frozen=True)
class Verdict:
    """The verdict on a choice: `event` describes its event in words, `chance` is the probability that it is right."""

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
    """The verdict on a pair of objects: the probability that its collision is an answer, and the frames of its first likely
    collision in the imagined motion and in the video (None if there is none)."""

    pair: Pair
    chance: float
    frame: int | None
    seen_frame: int | None

    @property
    def holds(self) -> bool:
        return self.chance > LIKELY


@dataclass(frozen=True)
class Reply:
    """A closed question has `answers`, the most likely first; an open one has `verdicts` on its choices or, without choices,
    on all `pairs`. `sure` is the probability that the answer is right, or the smallest one of several verdicts."""

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
