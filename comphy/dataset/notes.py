"""Notes beside the question files: what the published format has no place for.

Each question's template, the interactions in which the set shows what it asks about, and the counterfactual run.
"""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from comphy.errors import DatasetError, did_you_mean
from comphy.files import read_json, require, write_json
from comphy.questions.model import Interaction, Note
from comphy.scene.events import EventKind

Notes = dict[int, tuple[Note, ...]]  # by scene


def notes_path(split: str) -> PurePosixPath:
    return PurePosixPath("extras", "questions", f"{split}.json")


def write_notes(path: Path, notes: Sequence[tuple[int, Sequence[Note]]]) -> None:
    write_json(
        path, [{"scene_index": index, "questions": [_record(note) for note in of_set]} for index, of_set in notes]
    )


def _record(note: Note) -> dict[str, Any]:
    evidence = [
        {"video": shown.video, "kind": str(shown.kind), "frame": shown.frame, "objects": list(shown.objects)}
        for shown in note.evidence
    ]
    record: dict[str, Any] = {"question_id": note.question_id, "family": note.family, "evidence": evidence}
    return record | ({"run": note.run} if note.run else {})


def read_notes(path: Path) -> Notes:
    where = str(path)
    records = read_json(path)
    if not isinstance(records, list):
        raise DatasetError(f"{where}: expected a list of scenes (got {type(records).__name__}). Generate it again.")
    return {
        require(record, "scene_index", int, where): tuple(
            _note(note, f"{where}: scene {record['scene_index']}") for note in require(record, "questions", list, where)
        )
        for record in records
    }


def _note(record: Any, where: str) -> Note:
    return Note(
        require(record, "question_id", int, where),
        require(record, "family", str, where),
        tuple(_interaction(entry, where) for entry in require(record, "evidence", list, where)),
        record.get("run", ""),
    )


def _interaction(record: Any, where: str) -> Interaction:
    kind = require(record, "kind", str, where)
    if kind not in set(EventKind):
        raise DatasetError(f"{where}: unknown kind of event '{kind}'; {did_you_mean(kind, set(EventKind))}")
    return Interaction(
        require(record, "video", str, where),
        EventKind(kind),
        require(record, "frame", int, where),
        tuple(require(record, "objects", list, where)),
    )
