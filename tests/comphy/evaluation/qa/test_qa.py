"""Scores counted by hand on small made-up submissions."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console
from scipy.stats import binomtest

from comphy.dataset.submission import Answer, QuestionKey
from comphy.errors import DatasetError
from comphy.evaluation.qa.accuracy import QAReport, differences, same_answer, score, template_of
from comphy.evaluation.qa.tables import PUBLISHED, remarks, tables
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions, Tokens

FACTUAL, EXPLANATORY, PREDICTIVE, COUNTERFACTUAL = QuestionKind
HEAVIER = ("all_events", "objects", "unique", "counterfact_heavier", "filter_counterfact", "belong_to")


def factual(question_id: int, answer: str, family: str = "object_query") -> Question:
    return Question(question_id, FACTUAL, "?", ("objects", "unique", "query_color"), family, answer)


def choices(question_id: int, kind: QuestionKind, *correct: bool, program: Tokens = ("belong_to",)) -> Question:
    options = tuple(Choice(choice_id, "…", (), verdict) for choice_id, verdict in enumerate(correct))
    return Question(question_id, kind, "?", program, choices=options)


TRUTH = [
    SceneQuestions(
        0,
        "sim_00000.mp4",
        (
            factual(0, "red and blue", "query_both_color"),
            factual(1, "yes"),
            factual(2, "2"),
            choices(3, PREDICTIVE, True, False),
            choices(4, PREDICTIVE, True, False, False, True),
        ),
    ),
    SceneQuestions(
        1,
        "sim_00001.mp4",
        (
            choices(0, COUNTERFACTUAL, True, False, program=HEAVIER),
            choices(1, COUNTERFACTUAL, True, True, program=(*HEAVIER, "not")),
            choices(2, COUNTERFACTUAL, program=HEAVIER),
            choices(3, COUNTERFACTUAL, False, False, program=HEAVIER),
        ),
    ),
]
ANSWERS: dict[QuestionKey, Answer] = {
    (0, 0): "Blue  and RED ",  # right
    (0, 1): "no",  # wrong; (0, 2) is not answered
    (0, 3): {0: True, 1: False},  # both right
    (0, 4): {0: True, 1: True, 2: False},  # 2 of 4 right, one wrong, one not answered
    (1, 0): {1: False, 0: True},  # both right
    (1, 1): {0: True, 1: False},  # one right
    (1, 2): {},
    (1, 3): {0: False, 1: False},  # both right
}


@pytest.fixture
def report() -> QAReport:
    return score(TRUTH, ANSWERS)


def counted(report: QAReport) -> dict[str, tuple[int, int]]:
    return {name: (column.right, column.count) for name, column in report.columns().items() if column}


def test_the_five_columns(report: QAReport):
    assert counted(report) == {
        "factual": (1, 3),
        "predictive_per_option": (4, 6),
        "predictive_per_question": (1, 2),
        "counterfactual_per_option": (5, 6),
        "counterfactual_per_question": (2, 3),
    }


def test_questions_and_factual_answers_have_wilsons_intervals(report: QAReport):
    for name in ("factual", "predictive_per_question", "counterfactual_per_question"):
        column = report.columns()[name]
        assert column is not None
        expected = binomtest(column.right, column.count).proportion_ci(method="wilson")
        assert (column.low, column.high) == pytest.approx((expected.low, expected.high))


def test_the_choices_of_a_question_count_as_a_group():
    """Every question all right or all wrong: 4 options tell no more than one."""
    asked = tuple(choices(i, PREDICTIVE, True, True, True, True) for i in range(40))
    answers = {(0, i): dict.fromkeys(range(4), i < 30) for i in range(40)}
    column = score([SceneQuestions(0, "v", asked)], answers).columns()["predictive_per_option"]
    assert column is not None and (column.right, column.count) == (120, 160)
    one_each = binomtest(30, 40).proportion_ci(method="wilson")
    assert (column.low, column.high) == pytest.approx((one_each.low, one_each.high), abs=0.005)


def test_what_is_missing_is_counted(report: QAReport):
    assert report.questions == 9
    assert report.unanswered == 2
    assert report.without_choices == 1
    assert remarks(report) == [
        "2 of 9 questions lack their answer or a part of it: counted as wrong.",
        "1 questions have no choices: left out of all accuracies.",
    ]


def test_an_empty_submission_is_all_wrong():
    empty = score(TRUTH, {})
    assert all(right == 0 for right, _ in counted(empty).values())
    assert empty.unanswered == 8  # the question without choices has nothing to answer


def test_a_perfect_submission_needs_no_remarks():
    [*asked] = (question for question in TRUTH[0].questions)
    answers: dict[QuestionKey, Answer] = {
        (0, question.question_id): question.answer or {c.choice_id: bool(c.correct) for c in question.choices}
        for question in asked
    }
    perfect = score(TRUTH[:1], answers)
    assert all(right == count for right, count in counted(perfect).values())
    assert remarks(perfect) == []
    assert perfect.columns()["counterfactual_per_option"] is None


def test_groups(report: QAReport):
    templates = {
        (group.kind, group.group): (group.questions, group.per_question and group.per_question.right)
        for group in report.templates
    }
    assert templates == {
        (FACTUAL, "object_query"): (2, 0),
        (FACTUAL, "query_both_color"): (1, 1),
        (PREDICTIVE, "will happen"): (2, 1),
        (COUNTERFACTUAL, "heavier: would happen"): (3, 2),
        (COUNTERFACTUAL, "heavier: would not"): (1, 0),
    }
    sizes = {(group.kind, group.group): group.questions for group in report.choice_counts}
    assert sizes == {
        (PREDICTIVE, "2 choices"): 1,
        (PREDICTIVE, "4 choices"): 1,
        (COUNTERFACTUAL, "0 choices"): 1,
        (COUNTERFACTUAL, "2 choices"): 3,
    }


@pytest.mark.parametrize(
    ("kind", "program", "family", "template"),
    [
        (FACTUAL, ("objects", "exist"), "object_mass_exist", "object_mass_exist"),
        (FACTUAL, ("objects", "exist", "<END>"), "", "exist"),
        (FACTUAL, (), "", "unknown"),
        (PREDICTIVE, ("unseen_events", "belong_to"), "", "will happen"),
        (PREDICTIVE, ("unseen_events", "belong_to", "negate"), "", "will not"),
        (PREDICTIVE, (), "", "unknown"),
        (EXPLANATORY, ("filter_ancestor", "belong_to", "not"), "", "not responsible"),
        (COUNTERFACTUAL, (*HEAVIER, "not", "<END>", "<NULL>"), "", "heavier: would not"),
        (COUNTERFACTUAL, ("counterfact_uncharged", "counterfact_events", "belong_to"), "", "uncharged: would happen"),
        (COUNTERFACTUAL, ("objects", "unique", "counterfact_events", "belong_to"), "", "removal: would happen"),
        (COUNTERFACTUAL, ("objects", "unique", "filter_counterfact", "belong_to", "not"), "", "removal: would not"),
    ],
)
def test_templates(kind: QuestionKind, program: Tokens, family: str, template: str):
    assert template_of(Question(0, kind, "?", program, family)) == template


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("yes", " Yes\n", True),
        ("red and blue", "blue  and Red", True),
        ("red and red", "red", False),
        ("red and red", "red and blue", False),
        ("2", "3", False),
        ("sand", "s", False),
    ],
)
def test_same_answer(one: str, other: str, same: bool):
    assert same_answer(one, other) is same


@pytest.mark.parametrize("position", [1, 3])
def test_a_truth_without_answers_is_refused(position: int):
    asked = TRUTH[0].questions
    hidden = (*asked[:position], asked[position].without_answers(), *asked[position + 1 :])
    with pytest.raises(DatasetError) as error:
        score([replace(TRUTH[0], questions=hidden)], {})
    assert f"scene 0: question {position}: expected an answer" in str(error.value)
    assert "This file keeps its answers back; use test_answers.json." in str(error.value)


def test_answers_to_unknown_questions_are_refused():
    with pytest.raises(DatasetError, match=r"1 of 9 answers belong to no question \(scene 1 question 9\)"):
        score(TRUTH, ANSWERS | {(1, 9): "yes"})


def test_the_record_is_plain_json(report: QAReport):
    record = json.loads(json.dumps(report.record()))
    assert record["columns"]["predictive_per_question"] | {"low": 0, "high": 0} == {
        "accuracy": 0.5,
        "right": 1,
        "count": 2,
        "low": 0,
        "high": 0,
    }
    assert (record["questions"], record["unanswered"], record["without_choices"]) == (9, 2, 1)
    assert [group["kind"] for group in record["kinds"]] == ["factual", "predictive", "counterfactual"]
    assert record["kinds"][0]["per_option"] is None
    assert len(record["templates"]) == 5 and len(record["choice_counts"]) == 4


def printed(report: QAReport, width: int = 100) -> str:
    console = Console(width=width, file=io.StringIO(), soft_wrap=True)
    for table in tables(report):
        console.print(table)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_tables_fit_into_100_columns_and_show_every_group(report: QAReport):
    text = printed(report)
    assert max(map(len, text.splitlines())) <= 100
    assert "66.7" in text and "50.0 (9.5–90.5)" in text
    for group in (*report.templates, *report.choice_counts):
        assert f"  {group.group} " in text
    for row in PUBLISHED:
        assert row.system in text


def test_nothing_is_cut_off_in_a_narrow_terminal(report: QAReport):
    assert printed(report, width=40) == printed(report)


def test_explanatory_questions_have_columns_but_no_published_rows():
    asked = (choices(0, EXPLANATORY, True, False), factual(1, "3"))
    report = score([SceneQuestions(0, "video_00000.mp4", asked)], {(0, 0): {0: True, 1: True}})
    assert counted(report) == {
        "factual": (0, 1),
        "explanatory_per_option": (1, 2),
        "explanatory_per_question": (0, 1),
    }
    assert "Humans" not in printed(report) and "explanatory" in printed(report)


def test_differences_are_those_of_the_columns_over_sets():
    """Counted by hand: the same answers with one factual answer mended and one option spoilt."""
    other: dict[QuestionKey, Answer] = {**ANSWERS, (0, 1): "yes", (0, 3): {0: True, 1: True}}
    found = differences(TRUTH, other, ANSWERS)
    assert {name: one and one.value for name, one in found.items()} == pytest.approx(
        {
            "factual": 1 / 3,
            "predictive_per_option": -1 / 6,
            "predictive_per_question": -1 / 2,
            "counterfactual_per_option": 0.0,
            "counterfactual_per_question": 0.0,
        }
    )
    assert list(found) == list(score(TRUTH, other).columns())
    assert differences(TRUTH, ANSWERS, other)["factual"].value == -1 / 3
