"""Scores of a submission: the five columns of the ComPhy paper's Table 3, and the same per group of questions.

Per option counts every choice, per question only those questions with every choice right. Intervals of factual and per
question accuracies are Wilson's; per option, the choices of one question are taken as a group. Questions of one scene
are taken as independent.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from comphy.dataset.submission import Answer, Submission, check_submission
from comphy.errors import DatasetError
from comphy.evaluation.intervals import Accuracy, Difference, accuracy, grouped_accuracy, paired_difference
from comphy.questions.model import Question, QuestionKind, SceneQuestions, Tokens

NEGATIONS: Final = ("not", "negate")
UNKNOWN: Final = "unknown"
WHOLE_KIND: Final = "all"
_PREMISE: Final = "counterfact_"
_OPERATORS_LIKE_PREMISES: Final = ("counterfact_events",)
_ASKED: Final = {  # what a question and its negation ask of each choice
    QuestionKind.EXPLANATORY: ("responsible", "not responsible"),
    QuestionKind.PREDICTIVE: ("will happen", "will not"),
    QuestionKind.COUNTERFACTUAL: ("would happen", "would not"),
}


@dataclass(frozen=True)
class ScoredQuestion:
    """How one question was answered. A factual question counts as one option.

    Attributes:
        kind: of the question.
        template: its group, from `template_of`.
        options: how many choices it has.
        options_right: how many of them are marked rightly.
        answered: whether there is an answer to each of its choices."""

    kind: QuestionKind
    template: str
    options: int
    options_right: int
    answered: bool

    @property
    def right(self) -> bool:
        """Whether every option is right."""
        return self.options_right == self.options


@dataclass(frozen=True)
class GroupScore:
    """The scores of a group of questions of one kind.

    Attributes:
        kind: of the questions.
        group: what they have in common: a template, a number of choices, or all.
        questions: how many there are.
        unanswered: questions without an answer to each of their choices; what is missing counts as wrong.
        without_choices: questions that cannot be answered, and are part of no accuracy.
        per_option: share of choices that are right; None for factual questions.
        per_question: share of questions with every choice right; None if none can be answered."""

    kind: QuestionKind
    group: str
    questions: int
    unanswered: int
    without_choices: int
    per_option: Accuracy | None
    per_question: Accuracy | None

    def record(self) -> dict[str, Any]:
        """The scores as plain JSON; accuracies are shares of one."""
        return {
            "kind": str(self.kind),
            "group": self.group,
            "questions": self.questions,
            "unanswered": self.unanswered,
            "without_choices": self.without_choices,
            "per_option": self.per_option and self.per_option.record(),
            "per_question": self.per_question and self.per_question.record(),
        }


@dataclass(frozen=True)
class QAReport:
    """Scores per kind of question, per template, and per number of choices: only like numbers compare per question.

    Attributes:
        kinds: one score for each kind of question that was asked.
        templates: one for each template of each kind.
        choice_counts: one for each number of choices of each kind that has choices."""

    kinds: tuple[GroupScore, ...]
    templates: tuple[GroupScore, ...]
    choice_counts: tuple[GroupScore, ...]

    @property
    def questions(self) -> int:
        """How many questions there are."""
        return sum(score.questions for score in self.kinds)

    @property
    def unanswered(self) -> int:
        """How many of them lack an answer to one of their choices at least."""
        return sum(score.unanswered for score in self.kinds)

    @property
    def without_choices(self) -> int:
        """How many of them cannot be answered."""
        return sum(score.without_choices for score in self.kinds)

    def columns(self) -> dict[str, Accuracy | None]:
        """The five columns of the paper's table by name.

        Returns:
            The accuracies, None where nothing was asked; explanatory ones only if there are such questions."""
        scores = {score.kind: score for score in self.kinds}
        factual = scores.get(QuestionKind.FACTUAL)
        columns = {str(QuestionKind.FACTUAL): factual.per_question if factual else None}
        for kind in _ASKED:
            found = scores.get(kind)
            if found or kind is not QuestionKind.EXPLANATORY:
                columns[f"{kind}_per_option"] = found.per_option if found else None
                columns[f"{kind}_per_question"] = found.per_question if found else None
        return columns

    def record(self) -> dict[str, Any]:
        """The report as plain JSON; accuracies are shares of one."""
        return {
            "columns": {name: column and column.record() for name, column in self.columns().items()},
            "questions": self.questions,
            "unanswered": self.unanswered,
            "without_choices": self.without_choices,
            "kinds": [score.record() for score in self.kinds],
            "templates": [score.record() for score in self.templates],
            "choice_counts": [score.record() for score in self.choice_counts],
        }


def score(truth: Sequence[SceneQuestions], submission: Submission) -> QAReport:
    """Hold answers against the truth.

    Args:
        truth: questions with their answers.
        submission: answers by scene_index and question_id.

    Returns:
        The scores by kind of question, by template and by number of choices.

    Raises:
        DatasetError: if an answer belongs to no question, or the truth keeps an answer back."""
    _check_truth(truth)
    check_submission(truth, submission)
    outcomes = [
        score_question(question, submission.get((scene.scene_index, question.question_id)))
        for scene in truth
        for question in scene.questions
    ]
    multiple_choice = [outcome for outcome in outcomes if outcome.kind is not QuestionKind.FACTUAL]
    return QAReport(
        kinds=_scores(outcomes, lambda outcome: WHOLE_KIND),
        templates=_scores(outcomes, lambda outcome: outcome.template),
        choice_counts=_scores(multiple_choice, lambda outcome: choice_count(outcome.options)),
    )


def differences(
    truth: Sequence[SceneQuestions], submission: Submission, baseline: Submission
) -> dict[str, Difference | None]:
    """Tell how much better a submission is than another on the same questions. Answers about one set are taken as a
    cluster.

    Args:
        truth: questions with their answers.
        submission: answers by scene_index and question_id.
        baseline: those of the other.

    Returns:
        Differences by the paper's columns; None where nothing was asked.

    Raises:
        DatasetError: as for `score`."""
    clusters: dict[str, list[tuple[int, int, int]]] = {name: [] for name in score(truth, submission).columns()}
    for scene in truth:
        found = {name: [0, 0, 0] for name in clusters}
        for question in scene.questions:
            key = (scene.scene_index, question.question_id)
            now, before = (score_question(question, given.get(key)) for given in (submission, baseline))
            if not now.options:
                continue
            factual = question.kind is QuestionKind.FACTUAL
            whole = found[str(question.kind) if factual else f"{question.kind}_per_question"]
            whole[:] = whole[0] + now.right, whole[1] + before.right, whole[2] + 1
            if not factual:
                each = found[f"{question.kind}_per_option"]
                each[:] = each[0] + now.options_right, each[1] + before.options_right, each[2] + now.options
        for name, (now_right, before_right, count) in found.items():
            clusters[name].append((now_right, before_right, count))
    return {name: paired_difference(of_sets) for name, of_sets in clusters.items()}


def _check_truth(truth: Sequence[SceneQuestions]) -> None:
    for scene in truth:
        for question in scene.questions:
            factual = question.kind is QuestionKind.FACTUAL
            verdicts = [question.answer] if factual else [choice.correct for choice in question.choices]
            if None in verdicts:
                raise DatasetError(
                    f"scene {scene.scene_index}: question {question.question_id}: expected an answer to compare with "
                    "(got none). This file keeps its answers back; use test_answers.json."
                )


def score_question(question: Question, given: Answer | None) -> ScoredQuestion:
    """Compare the answer given to a question with the true one.

    Args:
        question: with its answer.
        given: the answer to it; None if there is none.

    Returns:
        How many of its options are right, and whether it was answered."""
    template = template_of(question)
    if question.kind is QuestionKind.FACTUAL:
        right = isinstance(given, str) and same_answer(given, question.answer or "")
        return ScoredQuestion(question.kind, template, 1, int(right), given is not None)
    rights = options_right(question, given)
    answered = all(choice.choice_id in _marks(given) for choice in question.choices)
    return ScoredQuestion(question.kind, template, len(rights), sum(rights), answered)


def options_right(question: Question, given: Answer | None) -> list[bool]:
    """Compare the verdicts on choices with the true ones.

    Args:
        question: with the truth of its choices.
        given: the answer to it; None if there is none.

    Returns:
        Whether each choice is marked as the truth has it; what is not answered is wrong."""
    return [_marks(given).get(choice.choice_id) == choice.correct for choice in question.choices]


def _marks(given: Answer | None) -> Mapping[int, bool]:
    return {} if given is None or isinstance(given, str) else given


def same_answer(one: str, other: str) -> bool:
    """Compare two factual answers: 'Red and  blue' is 'blue and red'.

    Args:
        one: an answer.
        other: another one.

    Returns:
        Whether they mean the same."""
    return _words(one) == _words(other)


def _words(answer: str) -> Counter[str]:
    """The parts of an answer; of a pair such as 'red and blue' the order says nothing."""
    return Counter(" ".join(answer.lower().split()).split(" and "))


def template_of(question: Question) -> str:
    """Name the group of a question.

    Args:
        question: of any kind.

    Returns:
        A factual question's family, otherwise the premise and whether the question is negated."""
    program = tuple(token for token in question.program if not token.startswith("<"))  # <START>, <END>, <NULL>
    if question.kind is QuestionKind.FACTUAL:
        return question.family or (program[-1] if program else UNKNOWN)
    if not program:
        return UNKNOWN
    asked = _ASKED[question.kind][program[-1] in NEGATIONS]
    return f"{_premise(program)}: {asked}" if question.kind is QuestionKind.COUNTERFACTUAL else asked


def choice_count(options: int) -> str:
    """Name the group of questions with as many choices.

    Args:
        options: how many choices they have.

    Returns:
        The name, such as `4 choices`."""
    return f"{options} choices"


def _premise(program: Tokens) -> str:
    """What a counterfactual question changes: 'heavier' …; CLEVRER, which names nothing, takes the object away."""
    premises = (token for token in program if token.startswith(_PREMISE) and token not in _OPERATORS_LIKE_PREMISES)
    return next(premises, "removal").removeprefix(_PREMISE)


def _scores(outcomes: Iterable[ScoredQuestion], group_of: Callable[[ScoredQuestion], str]) -> tuple[GroupScore, ...]:
    groups: dict[tuple[QuestionKind, str], list[ScoredQuestion]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.kind, group_of(outcome)].append(outcome)
    order = list(QuestionKind)
    names = sorted(groups, key=lambda name: (order.index(name[0]), name[1]))
    return tuple(_group_score(kind, group, groups[kind, group]) for kind, group in names)


def _group_score(kind: QuestionKind, group: str, outcomes: Sequence[ScoredQuestion]) -> GroupScore:
    asked = [outcome for outcome in outcomes if outcome.options]
    options = [(outcome.options_right, outcome.options) for outcome in asked]
    return GroupScore(
        kind=kind,
        group=group,
        questions=len(outcomes),
        unanswered=sum(not outcome.answered for outcome in outcomes),
        without_choices=len(outcomes) - len(asked),
        per_option=None if kind is QuestionKind.FACTUAL else grouped_accuracy(options),
        per_question=accuracy(sum(outcome.right for outcome in asked), len(asked)),
    )
