"""Asks the questions of a dataset again from its seed, and compares them with the files.

Answers follow from the annotations and are checked there; that the wording and the choice of questions are those of the
seed shows only here. Questions are chosen in order, so that the first sets of a split suffice.
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from comphy.dataset.checks.problem import Problem
from comphy.dataset.layout import SPLITS, split_of
from comphy.dataset.manifest import Manifest
from comphy.dataset.notes import without_stability
from comphy.dataset.whole_files import question_files
from comphy.files import read_json
from data_gen.jobs.ask import ask_dataset


def check_asking(root: Path, manifest: Manifest, count: int, reason: str) -> Iterator[Problem]:
    """Yield a problem for each question file that differs in one of the first `count` sets of its split; `reason` says why
    that may be."""
    by_split = {split: [i for i in sorted(manifest.sets) if split_of(i) == split][:count] for split in SPLITS}
    with tempfile.TemporaryDirectory(prefix="comphy-reask-") as folder:
        ask_dataset(root, manifest.recipe.seed, [i for mine in by_split.values() for i in mine], 1, into=Path(folder))
        for name in question_files():
            asked = read_json(Path(folder) / name)
            found = without_stability(read_json(root / name)[: len(asked)])
            for number in _different(asked, found):
                told = f"set {asked[number]['scene_index']}, asked again from the seed, has other questions or notes"
                yield Problem(str(root / name), f"{told}; {reason}")


def _different(asked: Sequence[Any], found: Sequence[Any]) -> list[int]:
    """As written: 1, 1.0 and true are not the same."""
    as_text = [(json.dumps(one), json.dumps(other)) for one, other in zip(asked, found, strict=True)]
    return [number for number, (one, other) in enumerate(as_text) if one != other]
