"""The files of a dataset as a whole, written when all of its sets are there; the manifest, which lists them, comes last."""

from pathlib import PurePosixPath

from comphy.dataset import layout
from comphy.dataset.notes import notes_path
from comphy.dataset.questions import answers_path, questions_path


def question_files() -> list[PurePosixPath]:
    """Every file that asking writes."""
    return sorted({path(split) for split in layout.SPLITS for path in (questions_path, answers_path, notes_path)})


def whole_files() -> list[PurePosixPath]:
    """Questions and notes, packs, the card and the machine-readable description."""
    return [layout.PACK, layout.BOXES, layout.CARD, layout.CROISSANT, *question_files()]
