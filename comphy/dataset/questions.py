"""Question files: written in the public release's form, read in every form in which ComPhy and CLEVRER were published.

The forms differ in small ways: factual questions may have no `question_type`; the authors' own files say
`question_program` for `program` and hold `correct` and `wrong` lists for `choices`; test files keep the answers back.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from comphy.damage import reads_file
from comphy.dataset.layout import SPLITS
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
from comphy.errors import DatasetError, did_you_mean
from comphy.files import require, write_json
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions, Tokens

_TEST_ANSWERS: Final = PurePosixPath("test_answers.json")
_INTERNAL_FILES: Final = ("open_end_questions.json", "multiple_choice_questions.json")


def questions_path(split: str) -> PurePosixPath:
    """Tell where a dataset keeps the questions of a split; those of the test split have no answers.

    Args:
        split: train, val or test.

    Returns:
        The path in the dataset's folder.

    Raises:
        DatasetError: for another split."""
    if split not in SPLITS:
        raise DatasetError(f"unknown split '{split}'; {did_you_mean(split, SPLITS)}")
    return PurePosixPath(f"{split}.json")


def answers_path(split: str) -> PurePosixPath:
    """Tell where a dataset keeps the questions of a split together with their answers.

    Args:
        split: train, val or test.

    Returns:
        The path in the dataset's folder.

    Raises:
        DatasetError: for another split."""
    return _TEST_ANSWERS if split == "test" else questions_path(split)


def split_file(root: Path, split: str, answers: bool) -> Path:
    """Find the question file of a split.

    Args:
        root: folder of the dataset.
        split: train, val or test.
        answers: whether it must have answers; train.json and val.json always have them.

    Returns:
        The file, which need not exist.

    Raises:
        DatasetError: for another split."""
    return root / (answers_path(split) if answers else questions_path(split))


def is_internal_folder(folder: Path) -> bool:
    """Tell whether a folder holds the authors' own pair of question files.

    Args:
        folder: any folder.

    Returns:
        Whether at least one of the two is there."""
    return any((folder / name).is_file() for name in _INTERNAL_FILES)


def write_questions(path: Path, scenes: Sequence[SceneQuestions]) -> None:
    """Write a question file in the release's form. A `family` is kept for factual questions only: the release has none
    for others.

    Args:
        path: of the file.
        scenes: the questions, set by set."""
    write_json(path, [scene_record(scene) for scene in scenes])


def scene_record(scene: SceneQuestions) -> dict[str, Any]:
    """Make one entry of a question file.

    Args:
        scene: the questions of a set.

    Returns:
        The entry as plain JSON."""
    return {
        "scene_index": scene.scene_index,
        "video_filename": scene.video_filename,
        "questions": [_question_record(question) for question in scene.questions],
    }


def _question_record(question: Question) -> dict[str, Any]:
    common = {
        "question": question.text,
        "question_id": question.question_id,
        "program": list(question.program),
    }
    if question.kind is QuestionKind.FACTUAL:
        answer = {} if question.answer is None else {"answer": question.answer}
        return common | {"question_family": question.family} | answer
    choices = [_choice_record(choice) for choice in question.choices]
    return {"question_type": TYPE_NAMES[question.kind]} | common | {"choices": choices}


def _choice_record(choice: Choice) -> dict[str, Any]:
    record = {"choice": choice.text, "choice_id": choice.choice_id, "program": list(choice.program)}
    return record if choice.correct is None else record | {"answer": CORRECT if choice.correct else WRONG}


@reads_file
def read_questions(path: Path) -> list[SceneQuestions]:
    """Read a question file in any of the published forms.

    Args:
        path: of the file, or of a folder with the authors' own pair of files.

    Returns:
        The questions, set by set.

    Raises:
        DatasetError: if there is no such file, or it cannot be read."""
    if path.is_dir():
        return _read_pair(path)
    if not path.exists():
        raise DatasetError(
            f"{path}: no such question file. Expected train.json, val.json, test.json or test_answers.json of a dataset."
        )
    return _read_file(path)


def _read_pair(folder: Path) -> list[SceneQuestions]:
    """Both files of the pair tell of the same scenes; each may count its questions from zero."""
    if not is_internal_folder(folder):
        raise DatasetError(
            f"{folder}: expected {' or '.join(_INTERNAL_FILES)} in this folder (found neither). "
            "Of a dataset, name the question file itself, for example val.json."
        )
    merged: dict[int, SceneQuestions] = {}
    for path in (folder / name for name in _INTERNAL_FILES):
        for scene in _read_file(path) if path.is_file() else []:
            index = scene.scene_index
            merged[index] = _joined(merged[index], scene) if index in merged else scene
    return [merged[index] for index in sorted(merged)]


def _joined(first: SceneQuestions, second: SceneQuestions) -> SceneQuestions:
    """The questions of both. The second's are numbered on from the first's if the two share a number."""
    taken = {question.question_id for question in first.questions}
    clash = any(question.question_id in taken for question in second.questions)
    offset = max(taken) + 1 if clash else 0
    moved = tuple(replace(question, question_id=question.question_id + offset) for question in second.questions)
    return replace(first, questions=first.questions + moved)


def _read_file(path: Path) -> list[SceneQuestions]:
    scenes = [_parse_scene(entry, where) for entry, where in scene_entries(path)]
    check_unique((scene.scene_index for scene in scenes), "scene_index", str(path))
    return scenes


def _parse_scene(entry: Any, where: str) -> SceneQuestions:
    index, where, records = scene_header(entry, where)
    questions = tuple(_parse_question(record, position, where) for position, record in enumerate(records))
    check_unique((question.question_id for question in questions), "question_id", where)
    named = entry.get("video_filename") is not None
    return SceneQuestions(
        scene_index=index,
        video_filename=require(entry, "video_filename", str, where) if named else f"sim_{index:05d}.mp4",
        questions=questions,
    )


def _parse_question(record: Any, position: int, where: str) -> Question:
    question_id = integer(record, "question_id", where, default=position)
    where = f"{where}: question {question_id}"
    kind = parse_kind(record, where)
    factual = kind is QuestionKind.FACTUAL
    if factual and any(record.get(key) for key in ("choices", CORRECT, WRONG)):
        raise DatasetError(
            f"{where}: expected no choices in a factual question. Set 'question_type' to one of: "
            f"{', '.join(TYPE_NAMES.values())}."
        )
    family_key = "question_family" if "question_family" in record else "question_subtype"
    return Question(
        question_id=question_id,
        kind=kind,
        text=require(record, "question", str, where),
        program=_parse_program(record, "program" if "program" in record else "question_program", where),
        family=require(record, family_key, str, where) if record.get(family_key) is not None else "",
        answer=parse_answer(record, where) if factual else None,
        choices=() if factual else _parse_choices(record, where),
    )


def _parse_choices(record: dict[str, Any], where: str) -> tuple[Choice, ...]:
    if "choices" in record:
        entries = require(record, "choices", list, where)
        choices = tuple(_parse_choice(entry, position, where) for position, entry in enumerate(entries))
        check_unique((choice.choice_id for choice in choices), "choice_id", where)
        return choices
    if CORRECT not in record and WRONG not in record:
        raise DatasetError(
            f"{where}: expected the key 'choices', or '{CORRECT}' and '{WRONG}', in a multiple-choice question "
            f"(got only: {', '.join(sorted(record))})."
        )
    labelled = [
        (entry, key, position)
        for key in (CORRECT, WRONG)
        for position, entry in enumerate(require(record, key, list, where) if key in record else [])
    ]
    return tuple(
        _parse_internal_choice(entry, choice_id, key == CORRECT, f"{where}: {key}[{position}]")
        for choice_id, (entry, key, position) in enumerate(labelled)
    )


def _parse_choice(entry: Any, position: int, where: str) -> Choice:
    choice_id = integer(entry, "choice_id", where, default=position)
    where = f"{where}: choice {choice_id}"
    return Choice(
        choice_id=choice_id,
        text=require(entry, "choice", str, where),
        program=_parse_program(entry, "program", where),
        correct=None if entry.get("answer") is None else parse_verdict(entry, where),
    )


def _parse_internal_choice(entry: Any, choice_id: int, correct: bool, where: str) -> Choice:
    if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], str):
        raise DatasetError(f"{where}: expected [text, program] (got {str(entry)[:60]}).")
    return Choice(choice_id, entry[0], _parse_program({"program": entry[1]}, "program", where), correct)


def _parse_program(record: dict[str, Any], key: str, where: str) -> Tokens:
    """Tokens, or words in one string; none where the file keeps its programs back."""
    if record.get(key) is None:
        return ()
    program = require(record, key, (list, str), where)
    tokens = re.findall(r"[^\s,]+", program) if isinstance(program, str) else program
    strange = [token for token in tokens if not isinstance(token, str)]
    if strange:
        found = f"{type(strange[0]).__name__}: {strange[0]!s:.60}"
        raise DatasetError(f"{where}: expected only strings in '{key}' (got {found}).")
    return tuple(tokens)
