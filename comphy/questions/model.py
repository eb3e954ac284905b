"""A question as data: what is asked, its program, its answer or choices, and where the videos show what it asks about.
Files and engines share these classes."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from comphy.scene.events import EventKind

Tokens = tuple[str, ...]


class QuestionKind(StrEnum):
    FACTUAL = "factual"  # CLEVRER calls it descriptive
    EXPLANATORY = "explanatory"  # CLEVRER only
    PREDICTIVE = "predictive"
    COUNTERFACTUAL = "counterfactual"


SIMULATED_KINDS: Final = (QuestionKind.PREDICTIVE, QuestionKind.COUNTERFACTUAL)  # answered by what no video shows


@dataclass(frozen=True)
class Choice:
    """One option of a multiple-choice question. `correct` is None where the file keeps the answer back."""

    choice_id: int
    text: str
    program: Tokens
    correct: bool | None


@dataclass(frozen=True)
class Question:
    """`answer` belongs to factual questions, `choices` to all others; `family` is the name of the template's group."""

    question_id: int
    kind: QuestionKind
    text: str
    program: Tokens
    family: str = ""
    answer: str | None = None
    choices: tuple[Choice, ...] = ()

    def without_answers(self) -> "Question":
        choices = tuple(replace(choice, correct=None) for choice in self.choices)
        return replace(self, answer=None, choices=choices)


@dataclass(frozen=True)
class SceneQuestions:
    """The questions about one set."""

    scene_index: int
    video_filename: str
    questions: tuple[Question, ...]

    def without_answers(self) -> "SceneQuestions":
        return replace(self, questions=tuple(question.without_answers() for question in self.questions))


@dataclass(frozen=True)
class Interaction:
    """Something that happens between two objects in view. Objects are numbered as in the target."""

    video: str
    kind: EventKind
    frame: int
    objects: tuple[int, ...]


@dataclass(frozen=True)
class Stability:
    """How well-posed a predictive or counterfactual question is: of `runs` re-simulations from noisy states, the share
    that gives the same answer, for each option and for all of them at once."""

    runs: int
    options: tuple[float, ...]
    question: float


@dataclass(frozen=True)
class Note:
    """What the published format has no place for: `family` names the template, `evidence` the interactions that reveal
    what the question asks about, `run` the counterfactual run that decides the answer. `stability` is None until it is
    measured."""

    question_id: int
    family: str
    evidence: tuple[Interaction, ...]
    run: str = ""
    stability: Stability | None = None
