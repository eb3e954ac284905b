"""Notes beside the question files: what the published format has no place for.

Each question's template, the interactions in which the set shows what it asks about, and the counterfactual run. The
stability of a question is measured after generation and added then; the manifest lists the notes as they were generated.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from comphy.damage import reads_file
from comphy.dataset.layout import AGAIN, SPLITS
from comphy.dataset.manifest import FileEntry
from comphy.errors import DatasetError, did_you_mean
from comphy.files import json_bytes, read_json, require, write_json
from comphy.questions.model import Interaction, Note, Stability
from comphy.scene.events import EventKind

Notes = dict[int, tuple[Note, ...]]  # by scene

_STABILITY: Final = "stability"


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
    if note.run:
        record["run"] = note.run
    if (found := note.stability) is not None:
        record[_STABILITY] = {"runs": found.runs, "options": list(found.options), "question": found.question}
    return record


@reads_file
def read_notes(path: Path) -> Notes:
    where = str(path)
    records = read_json(path, AGAIN)
    if not isinstance(records, list):
        raise DatasetError(f"{where}: expected a list of scenes (got {type(records).__name__}). Generate it again.")
    found: dict[int, tuple[Note, ...]] = {}
    for record in records:
        index = require(record, "scene_index", int, where)
        if index in found:
            raise DatasetError(f"{where}: expected scene {index} once (found it twice). Generate it again.")
        notes = require(record, "questions", list, where)
        found[index] = tuple(_note(note, f"{where}: scene {index}") for note in notes)
    return found


def _note(record: Any, where: str) -> Note:
    number = require(record, "question_id", int, where)
    return Note(
        number,
        require(record, "family", str, where),
        tuple(_interaction(entry, where) for entry in require(record, "evidence", list, where)),
        record.get("run", ""),
        _stability(record[_STABILITY], f"{where}: question {number}: stability") if _STABILITY in record else None,
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


def _stability(record: Any, where: str) -> Stability:
    runs, options = require(record, "runs", int, where), require(record, "options", list, where)
    question = require(record, "question", (int, float), where)
    for share in (*options, question):
        if not isinstance(share, int | float) or not 0 <= share <= 1:
            raise DatasetError(
                f"{where}: expected shares from 0 to 1 (got {share!r}). Remove the key 'stability' from this question "
                "and measure it again with: comphy stability"
            )
    return Stability(runs, tuple(float(share) for share in options), float(question))


def read_stabilities(root: Path, split: str) -> dict[tuple[int, int], Stability] | None:
    """The stability of a split's questions by scene and question, as far as it was measured; None where `root` is no
    folder with notes, such as a published dataset."""
    if not (path := root / notes_path(split)).is_file():
        return None
    return {
        (index, note.question_id): note.stability
        for index, notes in read_notes(path).items()
        for note in notes
        if note.stability is not None
    }


def without_stability(records: list[Any]) -> list[Any]:
    """Records of notes, or of questions, as they were generated."""
    for record in records:
        for note in record["questions"]:
            note.pop(_STABILITY, None)
    return records


def generated_entry(root: Path, name: str) -> FileEntry:
    """The manifest's entry of a file as it was generated: notes count without the stability that was measured later."""
    path = root / name
    if name not in {str(notes_path(split)) for split in SPLITS} or b"stability" not in (content := path.read_bytes()):
        return FileEntry.of(path)
    try:
        records = without_stability(json.loads(content))
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        RecursionError,
    ):  # damaged; then it is no file that was generated
        return FileEntry.of(path)
    generated = json_bytes(records)
    return FileEntry(hashlib.sha256(generated).hexdigest(), len(generated))
