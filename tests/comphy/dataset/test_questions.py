"""Question files: what is written is read back, every published variant is understood, damage is explained."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comphy.dataset.questions import answers_path, questions_path, read_questions, split_file, write_questions
from comphy.errors import DatasetError
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions

FACTUAL, EXPLANATORY, PREDICTIVE, COUNTERFACTUAL = QuestionKind

words = st.text('ab é…"\\\\\n', max_size=6)
tokens = st.lists(words, max_size=4).map(tuple)


@st.composite
def questions(draw: st.DrawFn, question_id: int) -> Question:
    kind = draw(st.sampled_from(QuestionKind))
    question = Question(question_id, kind, draw(words), draw(tokens))
    if kind is FACTUAL:
        return replace(question, family=draw(words), answer=draw(st.none() | words))
    ids = draw(st.lists(st.integers(0, 99), unique=True, max_size=4))
    verdicts = st.none() | st.booleans()
    return replace(question, choices=tuple(Choice(i, draw(words), draw(tokens), draw(verdicts)) for i in ids))


@st.composite
def scenes(draw: st.DrawFn) -> list[SceneQuestions]:
    numbers = st.lists(st.integers(0, 99999), unique=True, max_size=3)
    return [
        SceneQuestions(index, draw(words), tuple(draw(questions(i)) for i in draw(numbers))) for index in draw(numbers)
    ]


@given(written=scenes())
def test_what_is_written_is_read_back(written: list[SceneQuestions], tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("questions") / "train.json"
    write_questions(path, written)
    assert read_questions(path) == written


def test_written_keys_are_those_of_the_release(tmp_path: Path):
    choices = (Choice(0, "The cube and the sphere collide", ("events",), True), Choice(1, "…", ("events",), False))
    asked = (
        Question(0, FACTUAL, "Is it red?", ("objects", "exist"), "object_mass_exist", "yes"),
        Question(1, PREDICTIVE, "What will happen next?", ("unseen_events", "belong_to"), choices=choices),
        Question(2, COUNTERFACTUAL, "If …?", ("all_events",), choices=choices),
    )
    write_questions(tmp_path / "a.json", [SceneQuestions(7, "sim_00007.mp4", asked)])
    [scene] = json.loads((tmp_path / "a.json").read_text())
    assert set(scene) == {"scene_index", "video_filename", "questions"}
    factual, predictive, counterfactual = scene["questions"]
    assert factual == {
        "question": "Is it red?",
        "answer": "yes",
        "question_family": "object_mass_exist",
        "question_id": 0,
        "program": ["objects", "exist"],
    }
    assert set(predictive) == {"question_type", "question", "question_id", "program", "choices"}
    assert predictive["question_type"] == "predictive_multiple_choice"
    assert counterfactual["question_type"] == "counterfactual_multiple_choice"
    assert [choice["answer"] for choice in predictive["choices"]] == ["correct", "wrong"]
    assert set(predictive["choices"][0]) == {"choice", "choice_id", "program", "answer"}


def test_answers_that_are_kept_back_leave_no_key(tmp_path: Path):
    asked = (
        Question(0, FACTUAL, "?", (), answer="yes").without_answers(),
        Question(1, PREDICTIVE, "?", (), choices=(Choice(0, "…", (), True),)).without_answers(),
    )
    write_questions(tmp_path / "test.json", [SceneQuestions(0, "v", asked)])
    assert "answer" not in (tmp_path / "test.json").read_text()


def read(tmp_path: Path, content: Any) -> list[SceneQuestions]:
    path = tmp_path / "val.json"
    path.write_text(json.dumps(content))
    return read_questions(path)


def read_one(tmp_path: Path, **record: Any) -> Question:
    [scene] = read(tmp_path, [{"scene_index": 3, "questions": [{"question": "?", **record}]}])
    return scene.questions[0]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (None, "factual"),
        ("", "factual"),
        ("Factual", "factual"),
        ("descriptive", "factual"),
        ("Explanatory", "explanatory"),
        ("predictive", "predictive"),
        ("Predictive_Multiple_Choice", "predictive"),
        ("counterfactual", "counterfactual"),
        ("counterfactual_multiple_choice", "counterfactual"),
    ],
)
def test_names_of_the_kinds(tmp_path: Path, name: str | None, kind: str):
    record = {} if kind == "factual" else {"choices": []}
    assert read_one(tmp_path, question_type=name, **record).kind == kind


def test_missing_numbers_are_positions_and_a_missing_video_has_the_usual_name(tmp_path: Path):
    asked = [
        {"question": "How many?", "answer": 2},
        {"question_type": "predictive", "question": "?", "choices": [{"choice": "a"}, {"choice": "b"}]},
    ]
    [scene] = read(tmp_path, [{"scene_index": 12, "questions": asked}])
    assert scene.video_filename == "sim_00012.mp4"
    assert [question.question_id for question in scene.questions] == [0, 1]
    assert scene.questions[0].answer == "2"
    assert [(choice.choice_id, choice.correct) for choice in scene.questions[1].choices] == [(0, None), (1, None)]


@pytest.mark.parametrize(
    "program", [["objects", "red", "filter_color"], "objects red filter_color", "objects, red,filter_color\n"]
)
@pytest.mark.parametrize("key", ["program", "question_program"])
def test_forms_of_a_program(tmp_path: Path, program: Any, key: str):
    assert read_one(tmp_path, **{key: program}).program == ("objects", "red", "filter_color")


def test_the_subtype_stands_for_a_missing_family(tmp_path: Path):
    assert read_one(tmp_path, question_subtype="count").family == "count"
    assert read_one(tmp_path, question_subtype="count", question_family="exist").family == "exist"


def test_internal_lists_of_correct_and_wrong_choices(tmp_path: Path):
    question = read_one(
        tmp_path,
        question_type="counterfactual",
        question_program="all_events belong_to",
        wrong=[["w", ["events", "unique"]]],
        correct=[["c0", "events unique"], ["c1", []]],
    )
    assert question.program == ("all_events", "belong_to")
    assert question.choices == (
        Choice(0, "c0", ("events", "unique"), True),
        Choice(1, "c1", (), True),
        Choice(2, "w", ("events", "unique"), False),
    )


def test_a_question_may_have_no_program_and_no_choices(tmp_path: Path):
    assert read_one(tmp_path).program == ()
    assert read_one(tmp_path, question_type="counterfactual_multiple_choice", choices=[]).choices == ()
    assert read_one(tmp_path, question_type="counterfactual_multiple_choice", correct=[]).choices == ()


def test_clevrer(tmp_path: Path):
    asked = [
        {
            "question_id": 0,
            "question": "How many?",
            "question_type": "descriptive",
            "question_subtype": "count",
            "program": ["objects", "count"],
            "answer": "3",
        },
        {
            "question_id": 11,
            "question": "Which is responsible?",
            "question_type": "explanatory",
            "program": ["filter_ancestor", "belong_to"],
            "choices": [{"choice_id": 0, "choice": "the cube", "program": ["objects"], "answer": "wrong"}],
        },
    ]
    [scene] = read(tmp_path, [{"scene_index": 0, "video_filename": "video_00000.mp4", "questions": asked}])
    assert scene == SceneQuestions(
        0,
        "video_00000.mp4",
        (
            Question(0, FACTUAL, "How many?", ("objects", "count"), "count", "3"),
            Question(
                11,
                EXPLANATORY,
                "Which is responsible?",
                ("filter_ancestor", "belong_to"),
                choices=(Choice(0, "the cube", ("objects",), False),),
            ),
        ),
    )


def internal_pair(folder: Path, choice_id: int) -> None:
    factual = [{"scene_index": i, "questions": [{"question": "a"}, {"question": "b"}]} for i in (1, 0)]
    choice = {"question": "c", "question_type": "predictive", "correct": [], "question_id": choice_id}
    (folder / "open_end_questions.json").write_text(json.dumps(factual))
    (folder / "multiple_choice_questions.json").write_text(json.dumps([{"scene_index": 1, "questions": [choice]}]))


@pytest.mark.parametrize(("given_id", "read_id"), [(0, 2), (1, 3), (7, 7)])
def test_an_internal_pair_of_files_is_merged_by_scene(tmp_path: Path, given_id: int, read_id: int):
    internal_pair(tmp_path, given_id)
    first, second = read_questions(tmp_path)
    assert (first.scene_index, second.scene_index) == (0, 1)
    assert [question.text for question in first.questions] == ["a", "b"]
    numbered = {question.question_id: question.text for question in second.questions}
    assert numbered == {0: "a", 1: "b", read_id: "c"}


def test_one_file_of_the_pair_is_enough(tmp_path: Path):
    internal_pair(tmp_path, 0)
    (tmp_path / "open_end_questions.json").unlink()
    assert [scene.scene_index for scene in read_questions(tmp_path)] == [1]


def test_files_of_the_splits(tmp_path: Path):
    for split, questions_file, answers_file in [
        ("train", "train.json", "train.json"),
        ("val", "val.json", "val.json"),
        ("test", "test.json", "test_answers.json"),
    ]:
        assert str(questions_path(split)) == questions_file and str(answers_path(split)) == answers_file
    assert split_file(tmp_path, "test", answers=False) == tmp_path / "test.json"
    assert split_file(tmp_path, "test", answers=True) == tmp_path / "test_answers.json"
    with pytest.raises(DatasetError, match="unknown split 'validation'; known: test, train, val"):
        split_file(tmp_path, "validation", answers=True)


FOUND = {"question_id": 5, "question": "?"}
MARKED = FOUND | {"question_type": "predictive"}


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("why", "expected a JSON object with 'question_id' (got str)"),
        ({"question_id": "5"}, "expected 'question_id' to be int (got str: 5)"),
        ({"question_id": True}, "expected 'question_id' to be int (got bool: True)"),
        ({"question_id": 5}, "question 5: expected the key 'question' (got only: question_id)"),
        (FOUND | {"question_type": 4}, "question 5: expected 'question_type' to be str (got int: 4)"),
        (FOUND | {"question_type": "predictiv"}, "unknown question_type 'predictiv'; did you mean 'predictive'?"),
        (FOUND | {"program": 3}, "question 5: expected 'program' to be list or str (got int: 3)"),
        (FOUND | {"program": ["objects", 3]}, "question 5: expected only strings in 'program' (got int: 3)"),
        (FOUND | {"program": [None]}, "question 5: expected only strings in 'program' (got NoneType: None)"),
        (FOUND | {"answer": 2.5}, "question 5: expected 'answer' to be str or int (got float: 2.5)"),
        (FOUND | {"answer": True}, "expected 'answer' to be a string or a count (got True). Write 'yes' or 'no'."),
        (FOUND | {"question_family": 1}, "question 5: expected 'question_family' to be str (got int: 1)"),
        (FOUND | {"choices": [{}]}, "expected no choices in a factual question. Set 'question_type' to one of"),
        (MARKED, "expected the key 'choices', or 'correct' and 'wrong', in a multiple-choice question (got only: "),
        (MARKED | {"choices": {}}, "question 5: expected 'choices' to be list (got dict"),
        (MARKED | {"correct": "c"}, "question 5: expected 'correct' to be list (got str: c)"),
        (MARKED | {"correct": [], "wrong": ["w"]}, "question 5: wrong[0]: expected [text, program] (got w)"),
        (MARKED | {"choices": ["c"]}, "question 5: expected a JSON object with 'choice_id' (got str)"),
        (MARKED | {"choices": [{}]}, "question 5: choice 0: expected the key 'choice' (got only: nothing)"),
        (
            MARKED | {"choices": [{"choice": "c", "answer": "maybe"}]},
            "question 5: choice 0: expected the answer 'correct' or 'wrong' (got 'maybe')",
        ),
        (
            MARKED | {"choices": [{"choice": "c", "choice_id": 1}, {"choice": "d"}]},
            "question 5: choice_id 1 occurs more than once",
        ),
    ],
)
def test_damage_to_a_question_is_explained(tmp_path: Path, question: Any, message: str):
    with pytest.raises(DatasetError) as error:
        read(tmp_path, [{"scene_index": 31, "questions": [question]}])
    assert message in str(error.value)
    assert str(error.value).startswith(f"{tmp_path / 'val.json'}: entry 0 (scene 31)")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"scenes": []}, "expected a JSON list with one entry per scene (got dict)"),
        ([{"questions": []}], "entry 0: expected the key 'scene_index' (got only: questions)"),
        ([{"scene_index": 4}], "entry 0 (scene 4): expected the key 'questions' (got only: scene_index)"),
        (
            [{"scene_index": 4, "video_filename": 4, "questions": []}],
            "expected 'video_filename' to be str (got int: 4)",
        ),
        ([{"scene_index": 4, "questions": []}] * 2, "scene_index 4 occurs more than once"),
        ([{"scene_index": 4, "questions": [FOUND, FOUND]}], "entry 0 (scene 4): question_id 5 occurs more than once"),
    ],
)
def test_damage_to_a_file_is_explained(tmp_path: Path, content: Any, message: str):
    with pytest.raises(DatasetError) as error:
        read(tmp_path, content)
    assert message in str(error.value)
    assert str(tmp_path / "val.json") in str(error.value)


def test_files_that_are_not_there_or_not_json(tmp_path: Path):
    with pytest.raises(DatasetError, match=r"none\.json: no such question file\. Expected train\.json"):
        read_questions(tmp_path / "none.json")
    with pytest.raises(DatasetError, match=r"expected open_end_questions\.json or multiple_choice_questions\.json"):
        read_questions(tmp_path)
    (tmp_path / "half.json").write_text('[{"scene_index":')
    with pytest.raises(DatasetError, match=r"half\.json: not valid JSON"):
        read_questions(tmp_path / "half.json")
