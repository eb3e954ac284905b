"""Submission files: the challenge's form, read back as written; what does not fit the questions is explained."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comphy.dataset.submission import Answer, QuestionKey, check_submission, read_submission, write_submission
from comphy.errors import DatasetError
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions

CHOICES = tuple(Choice(choice_id, "…", (), None) for choice_id in (0, 1, 4))
QUESTIONS = [
    SceneQuestions(
        index,
        f"sim_{index:05d}.mp4",
        (
            Question(0, QuestionKind.FACTUAL, "?", ()),
            Question(1, QuestionKind.PREDICTIVE, "?", (), choices=CHOICES),
            Question(5, QuestionKind.COUNTERFACTUAL, "?", (), choices=CHOICES),
            Question(6, QuestionKind.COUNTERFACTUAL, "?", ()),
        ),
    )
    for index in (10000, 10001)
]

marks = st.dictionaries(st.sampled_from([0, 1, 4]), st.booleans())
answers_to_all: dict[int, st.SearchStrategy[Answer]] = {
    0: st.text("ab é… ", max_size=6),
    1: marks,
    5: marks,
    6: st.just({}),
}


@st.composite
def submissions(draw: st.DrawFn) -> dict[QuestionKey, Answer]:
    keys = [(scene, question) for scene in (10000, 10001) for question in answers_to_all]
    return {key: draw(answers_to_all[key[1]]) for key in draw(st.lists(st.sampled_from(keys), unique=True))}


@given(answers=submissions())
def test_what_is_written_is_read_back(answers: dict[QuestionKey, Answer], tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("submission") / "submission.json"
    write_submission(path, QUESTIONS, answers)
    assert read_submission(path) == answers


def test_the_form_is_the_challenges(tmp_path: Path):
    answers: dict[QuestionKey, Answer] = {(10000, 0): "red and blue", (10000, 1): {0: True, 1: False}}
    write_submission(tmp_path / "s.json", QUESTIONS, answers)
    first, second = json.loads((tmp_path / "s.json").read_text())
    assert first == {
        "scene_index": 10000,
        "video_filename": "sim_10000.mp4",
        "questions": [
            {"question_id": 0, "question_type": "Factual", "answer": "red and blue"},
            {
                "question_id": 1,
                "question_type": "predictive_multiple_choice",
                "choices": [{"choice_id": 0, "answer": "correct"}, {"choice_id": 1, "answer": "wrong"}],
            },
        ],
    }
    assert second["questions"] == []


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({(10000, 9): "yes"}, r"^1 of 1 answers belong to no question \(scene 10000 question 9\)\. Were they made for"),
        (
            {(scene, 0): "yes" for scene in (10000, 3, 2, 1, 0)},
            r"^4 of 5 answers .* \(scene 0 question 0; scene 1 question 0; scene 2 question 0; …\)",
        ),
        ({(10000, 0): {0: True}}, "scene 10000: question 0: expected an answer to a factual question (got choices)"),
        ({(10000, 1): "yes"}, "scene 10000: question 1: expected choices to a predictive question (got an answer)"),
        ({(10000, 5): {3: True}}, "scene 10000: question 5: unknown choice_id 3; the question's choices are [0, 1, 4]"),
    ],
)
def test_answers_must_fit_the_questions(answers: dict[QuestionKey, Answer], message: str, tmp_path: Path):
    pattern = message if message.startswith("^") else re.escape(message)
    with pytest.raises(DatasetError, match=pattern):
        check_submission(QUESTIONS, answers)
    with pytest.raises(DatasetError, match=pattern):
        write_submission(tmp_path / "s.json", QUESTIONS, answers)
    assert not (tmp_path / "s.json").exists()


def read(tmp_path: Path, content: Any) -> dict[QuestionKey, Answer]:
    path = tmp_path / "submission.json"
    path.write_text(json.dumps(content))
    return read_submission(path)


def test_options_that_failed_count_as_not_answered(tmp_path: Path):
    choices = [{"choice_id": k, "answer": word} for k, word in enumerate(("correct", "error", "wrong"))]
    questions = [{"question_id": 2, "question_type": "counterfactual_multiple_choice", "choices": choices}]
    assert read(tmp_path, [{"scene_index": 1, "questions": questions}]) == {(1, 2): {0: True, 2: False}}


def test_counts_may_be_numbers_and_types_may_be_missing(tmp_path: Path):
    questions = [{"question_id": 0, "answer": 3}, {"question_id": 1, "choices": [{"choice_id": 0, "answer": "wrong"}]}]
    assert read(tmp_path, [{"scene_index": 1, "questions": questions}]) == {(1, 0): "3", (1, 1): {0: False}}


CHOICE = {"choice_id": 0, "answer": "correct"}
MARKED = {"question_id": 2, "question_type": "predictive"}


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ([], "expected a JSON object with 'question_id' (got list)"),
        ({"answer": "yes"}, "expected the key 'question_id' (got only: answer)"),
        (
            {"question_id": 2},
            "question 2: expected 'answer' or 'choices' (got neither). Leave unanswered questions out.",
        ),
        ({"question_id": 2, "answer": None}, "question 2: expected 'answer' or 'choices' (got neither)"),
        ({"question_id": 2, "answer": "yes", "choices": []}, "question 2: expected 'answer' or 'choices' (got both)"),
        ({"question_id": 2, "answer": []}, "question 2: expected 'answer' to be str or int (got list"),
        (MARKED | {"answer": "yes"}, "question 2: expected 'choices' to a predictive question (got only: answer, "),
        (MARKED | {"choices": {}}, "question 2: expected 'choices' to be list (got dict"),
        (MARKED | {"choices": [{}]}, "question 2: expected the key 'choice_id' (got only: nothing)"),
        (MARKED | {"choices": [{"choice_id": 0}]}, "question 2: choice 0: expected the key 'answer'"),
        (
            MARKED | {"choices": [{"choice_id": 0, "answer": "yes"}]},
            "expected the answer 'correct' or 'wrong' (got 'yes')",
        ),
        (MARKED | {"choices": [CHOICE, CHOICE]}, "question 2: choice_id 0 occurs more than once"),
        (MARKED | {"question_type": "casual", "choices": []}, "question 2: unknown question_type 'casual'"),
        (
            MARKED | {"question_type": "Factual", "choices": []},
            "expected 'answer' to a factual question (got 'choices')",
        ),
    ],
)
def test_damage_to_a_question_is_explained(tmp_path: Path, question: Any, message: str):
    with pytest.raises(DatasetError) as error:
        read(tmp_path, [{"scene_index": 8, "questions": [question]}])
    assert message in str(error.value)
    assert str(error.value).startswith(f"{tmp_path / 'submission.json'}: entry 0 (scene 8)")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "expected a JSON list with one entry per scene (got dict)"),
        ([{}], "entry 0: expected the key 'scene_index' (got only: nothing)"),
        ([{"scene_index": 8, "questions": 3}], "entry 0 (scene 8): expected 'questions' to be list (got int: 3)"),
        ([{"scene_index": 8, "questions": []}] * 2, "scene_index 8 occurs more than once"),
        (
            [{"scene_index": 8, "questions": [{"question_id": 2, "answer": "no"}] * 2}],
            "entry 0 (scene 8): question_id 2 occurs more than once",
        ),
    ],
)
def test_damage_to_a_file_is_explained(tmp_path: Path, content: Any, message: str):
    with pytest.raises(DatasetError) as error:
        read(tmp_path, content)
    assert message in str(error.value)


def test_files_that_are_not_there_or_not_json(tmp_path: Path):
    with pytest.raises(DatasetError, match=r"none\.json: no such submission file\. Write one with write_submission"):
        read_submission(tmp_path / "none.json")
    (tmp_path / "half.json").write_text("[")
    with pytest.raises(DatasetError, match=r"half\.json: not valid JSON"):
        read_submission(tmp_path / "half.json")
