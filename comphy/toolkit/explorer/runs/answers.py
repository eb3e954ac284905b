"""The answers of several runs to the questions of a split, side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from comphy.dataset.submission import Answer, Submission
from comphy.evaluation.qa.accuracy import score_question
from comphy.questions.model import Question, SceneQuestions
from comphy.toolkit.explorer.runs.confusion import confusion

Json = dict[str, Any]


@dataclass(frozen=True)
class SplitRuns:
    """The runs that answered a split, by their names."""

    split: str
    truth: Sequence[SceneQuestions]
    answers: Mapping[str, Submission]

    def record(self) -> Json:
        """The leaderboard: accuracies with their intervals, and which differences to the best are more than chance."""
        from comphy.evaluation.qa.leaderboard import rank  # SciPy's statistics take as long to import as all the rest

        board = rank(self.truth, self.answers)
        columns = board.columns()
        return {
            "split": self.split,
            "sets": board.sets,
            "columns": columns,
            "systems": [
                {
                    "name": name,
                    "columns": {column: board.accuracy(name, column).record() for column in columns},
                    "below_best": [
                        column
                        for column in columns
                        if name in board.comparisons[column] and board.comparisons[column][name].significant
                    ],
                    "families": [
                        {"kind": str(one.kind), "family": one.group, **one.per_question.record()}
                        for one in report.templates
                        if one.per_question is not None
                    ],
                }
                for name, report in board.reports.items()
            ],
        }

    def questions(self) -> Iterator[Json]:
        """Every question with what each run answered."""
        for scene in self.truth:
            for question in scene.questions:
                yield {"set": scene.scene_index, **self.question(scene.scene_index, question)}

    def confusion(self) -> list[Json]:
        """Of every run and family, how often each true answer was given which one."""
        return [{"run": name, **one} for name, given in self.answers.items() for one in confusion(self.truth, given)]

    def question(self, index: int, question: Question) -> Json:
        given = {name: answers.get((index, question.question_id)) for name, answers in self.answers.items()}
        return {
            "id": question.question_id,
            "kind": str(question.kind),
            "family": question.family,
            "text": question.text,
            "truth": _truth(question),
            "answers": [
                {"run": name, "words": _words(answer), "right": score_question(question, answer).right}
                for name, answer in given.items()
            ],
        }


def _truth(question: Question) -> str:
    if not question.choices:
        return question.answer or "unknown"
    return _listed({choice.choice_id: bool(choice.correct) for choice in question.choices})


def _words(answer: Answer | None) -> str:
    if answer is None:
        return "no answer"
    return answer if isinstance(answer, str) else _listed(answer)


def _listed(marks: Mapping[int, bool]) -> str:
    """Which choices are held to be correct."""
    right = [str(choice) for choice, correct in sorted(marks.items()) if correct]
    return f"choice{'s' * (len(right) > 1)} {', '.join(right)}" if right else "no choice"
