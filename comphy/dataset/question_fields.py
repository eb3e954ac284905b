"""What question files and submissions have in common: how a scene, a kind, an answer and a number are written."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from comphy.errors import DatasetError, did_you_mean
from comphy.files import read_json, require
from comphy.questions.model import QuestionKind

CORRECT: Final = "correct"
WRONG: Final = "wrong"

# How `question_type` names a multiple-choice question; the release's factual questions have no such key.
TYPE_NAMES: Final = {
    QuestionKind.EXPLANATORY: "explanatory",  # as CLEVRER writes it: ComPhy has none
    QuestionKind.PREDICTIVE: "predictive_multiple_choice",
    QuestionKind.COUNTERFACTUAL: "counterfactual_multiple_choice",
}
_KIND_NAMES: Final = {kind.value: kind for kind in QuestionKind} | {"descriptive": QuestionKind.FACTUAL}


def scene_entries(path: Path) -> list[tuple[Any, str]]:
    """The entries of a file that lists scenes, each with the words by which an error names its place."""
    content = read_json(path)
    if not isinstance(content, list):
        raise DatasetError(f"{path}: expected a JSON list with one entry per scene (got {type(content).__name__}).")
    return [(entry, f"{path}: entry {position}") for position, entry in enumerate(content)]


def scene_header(entry: Any, where: str) -> tuple[int, str, list[Any]]:
    """The index of a scene, the words that name its place from here on, and the records of its questions."""
    index = integer(entry, "scene_index", where)
    place = f"{where} (scene {index})"
    return index, place, require(entry, "questions", list, place)


def parse_kind(record: dict[str, Any], where: str) -> QuestionKind:
    """The kind that `question_type` names, in any case and with or without `_multiple_choice`; none is factual."""
    if not record.get("question_type"):
        return QuestionKind.FACTUAL
    name = require(record, "question_type", str, where)
    kind = _KIND_NAMES.get(re.split(r"[\s_-]", name.strip().lower())[0])
    if kind is None:
        raise DatasetError(f"{where}: unknown question_type '{name}'; {did_you_mean(name.lower(), _KIND_NAMES)}")
    return kind


def parse_answer(record: dict[str, Any], where: str) -> str | None:
    """The answer of a factual question; None where the file keeps it back. Counts may be written as numbers."""
    if record.get("answer") is None:
        return None
    answer = require(record, "answer", (str, int), where)
    if isinstance(answer, bool):
        raise DatasetError(f"{where}: expected 'answer' to be a string or a count (got {answer}). Write 'yes' or 'no'.")
    return str(answer)


def parse_verdict(record: dict[str, Any], where: str) -> bool:
    """Whether an option is marked as correct."""
    word = require(record, "answer", str, where)
    if word.strip().lower() not in (CORRECT, WRONG):
        raise DatasetError(f"{where}: expected the answer '{CORRECT}' or '{WRONG}' (got '{word}').")
    return word.strip().lower() == CORRECT


def integer(record: Any, key: str, where: str, default: int | None = None) -> int:
    """A whole number of a JSON object; `default` stands for a missing key."""
    if default is not None and isinstance(record, dict) and record.get(key) is None:
        return default
    value = require(record, key, int, where)
    if isinstance(value, bool):
        raise DatasetError(f"{where}: expected '{key}' to be int (got bool: {value}).")
    return value


def check_unique(numbers: Iterable[int], key: str, where: str) -> None:
    """Answers are matched by these numbers, so that none may occur twice."""
    twice = [number for number, count in Counter(numbers).items() if count > 1]
    if twice:
        raise DatasetError(f"{where}: {key} {twice[0]} occurs more than once. Give each its own, or leave one out.")
