"""The challenge's submission file: answers without questions, matched by scene and question number."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

from comphy.damage import reads_file
from comphy.dataset.question_fields import (
    CORRECT,
    TYPE_NAMES,
    WRONG,
    check_unique,
    integer,
    parse_answer,
    parse_kind,
    parse_verdict,
    scene_entries,
    scene_header,
)
from comphy.errors import DatasetError
from comphy.files import require, write_json
from comphy.questions.model import Question, QuestionKind, SceneQuestions

QuestionKey: TypeAlias = tuple[int, int]  # scene_index, question_id
Answer: TypeAlias = str | Mapping[int, bool]  # of a factual question | whether each choice is correct
Submission: TypeAlias = Mapping[QuestionKey, Answer]

_FACTUAL: Final = "Factual"
_FAILED: Final = "error"  # the authors' own submission says this of an option whose program failed
_UNKNOWN_SHOWN: Final = 3


def submission_file(run: Path, split: str) -> Path:
    """Find the file with a run's answers to the questions of a split.

    Args:
        run: folder of the run.
        split: train, val or test.

    Returns:
        The file, which need not exist."""
    return run / f"submission_{split}.json"


def short_names(paths: Sequence[Path]) -> list[str]:
    """Name submissions and runs for tables and pictures.

    Args:
        paths: submission files or folders of runs.

    Returns:
        The run's name of each, or the whole path where two are called alike."""
    names = [path.parent.name if path.suffix and path.parent.name else path.name for path in paths]
    return [name if names.count(name) == 1 else str(path) for name, path in zip(names, paths, strict=True)]


def write_submission(path: Path, questions: Sequence[SceneQuestions], answers: Submission) -> None:
    """Write the answers to questions. Unanswered ones are left out of the file.

    Args:
        path: of the submission file.
        questions: what was asked, set by set.
        answers: by scene_index and question_id.

    Raises:
        DatasetError: as for `check_submission`."""
    check_submission(questions, answers)
    write_json(path, [_scene_record(scene, answers) for scene in questions])


def _scene_record(scene: SceneQuestions, answers: Submission) -> dict[str, Any]:
    records = [
        _question_record(question, answers[scene.scene_index, question.question_id])
        for question in scene.questions
        if (scene.scene_index, question.question_id) in answers
    ]
    return {"scene_index": scene.scene_index, "video_filename": scene.video_filename, "questions": records}


def _question_record(question: Question, answer: Answer) -> dict[str, Any]:
    if isinstance(answer, str):
        return {"question_id": question.question_id, "question_type": _FACTUAL, "answer": answer}
    choices = [
        {"choice_id": choice_id, "answer": CORRECT if correct else WRONG} for choice_id, correct in answer.items()
    ]
    return {"question_id": question.question_id, "question_type": TYPE_NAMES[question.kind], "choices": choices}


def check_submission(questions: Sequence[SceneQuestions], answers: Submission) -> None:
    """Check that every answer belongs to a question and has its form; not every question needs an answer.

    Args:
        questions: what was asked, set by set.
        answers: by scene_index and question_id.

    Raises:
        DatasetError: for an answer to no question, of a wrong form, or to a choice that does not exist."""
    known = {(scene.scene_index, question.question_id): question for scene in questions for question in scene.questions}
    unknown = sorted(key for key in answers if key not in known)
    if unknown:
        first = "; ".join(f"scene {scene} question {question}" for scene, question in islice(unknown, _UNKNOWN_SHOWN))
        more = "; …" if len(unknown) > _UNKNOWN_SHOWN else ""
        raise DatasetError(
            f"{len(unknown)} of {len(answers)} answers belong to no question ({first}{more}). "
            "Were they made for another split or dataset?"
        )
    for (scene_index, question_id), answer in answers.items():
        _check_form(known[scene_index, question_id], answer, f"scene {scene_index}: question {question_id}")


def _check_form(question: Question, answer: Answer, where: str) -> None:
    if (question.kind is QuestionKind.FACTUAL) != isinstance(answer, str):
        expected = "an answer" if question.kind is QuestionKind.FACTUAL else "choices"
        found = "an answer" if isinstance(answer, str) else "choices"
        raise DatasetError(f"{where}: expected {expected} to a {question.kind} question (got {found}).")
    if isinstance(answer, str):
        return
    ids = [choice.choice_id for choice in question.choices]
    strange = sorted(set(answer) - set(ids))
    if strange:
        raise DatasetError(f"{where}: unknown choice_id {strange[0]}; the question's choices are {ids}.")


@reads_file
def read_submission(path: Path) -> dict[QuestionKey, Answer]:
    """Read a submission. An option marked as failed is left out, so that it counts as not answered.

    Args:
        path: of the submission file.

    Returns:
        Answers by scene_index and question_id: a word, or whether each choice is right, by choice_id.

    Raises:
        DatasetError: if there is no such file, or it cannot be read."""
    if not path.is_file():
        raise DatasetError(
            f"{path}: no such submission file. Write one with write_submission of comphy.dataset.submission."
        )
    answers: dict[QuestionKey, Answer] = {}
    scenes = []
    for entry, place in scene_entries(path):
        index, where, records = scene_header(entry, place)
        parsed = [_parse_question(record, where) for record in records]
        check_unique((question_id for question_id, _ in parsed), "question_id", where)
        answers |= {(index, question_id): answer for question_id, answer in parsed}
        scenes.append(index)
    check_unique(scenes, "scene_index", str(path))
    return answers


def _parse_question(record: Any, where: str) -> tuple[int, Answer]:
    question_id = integer(record, "question_id", where)
    where = f"{where}: question {question_id}"
    if "choices" not in record:
        return question_id, _parse_factual(record, where)
    if "answer" in record:
        raise DatasetError(f"{where}: expected 'answer' or 'choices' (got both).")
    # Other than in question files, `choices` tell the form, even where the type is missing.
    if record.get("question_type") and parse_kind(record, where) is QuestionKind.FACTUAL:
        raise DatasetError(f"{where}: expected 'answer' to a factual question (got 'choices').")
    return question_id, _parse_choices(require(record, "choices", list, where), where)


def _parse_factual(record: dict[str, Any], where: str) -> str:
    kind = parse_kind(record, where)
    if kind is not QuestionKind.FACTUAL:
        raise DatasetError(f"{where}: expected 'choices' to a {kind} question (got only: {', '.join(sorted(record))}).")
    answer = parse_answer(record, where)
    if answer is None:
        raise DatasetError(f"{where}: expected 'answer' or 'choices' (got neither). Leave unanswered questions out.")
    return answer


def _parse_choices(entries: list[Any], where: str) -> dict[int, bool]:
    ids = [integer(entry, "choice_id", where) for entry in entries]
    check_unique(ids, "choice_id", where)
    return {
        choice_id: parse_verdict(entry, f"{where}: choice {choice_id}")
        for choice_id, entry in zip(ids, entries, strict=True)
        if entry.get("answer") != _FAILED
    }
