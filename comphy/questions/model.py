"""A question as data: what is asked, its program, and its answer or choices. Files and engines share these classes."""

from dataclasses import dataclass, replace
from enum import StrEnum

Tokens = tuple[str, ...]


class QuestionKind(StrEnum):
    FACTUAL = "factual"  # CLEVRER calls it descriptive
    EXPLANATORY = "explanatory"  # CLEVRER only
    PREDICTIVE = "predictive"
    COUNTERFACTUAL = "counterfactual"


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
