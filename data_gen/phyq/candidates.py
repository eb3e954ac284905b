"""Candidates of a template, and their records.

One JSON-lines file: a header with what the choice depends on, then a line for each candidate.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from comphy.files import write_bytes
from comphy.puzzles.phyq.tasks.task import placement_of, plain_placement, plain_shot, shot_of
from comphy.puzzles.phyq.templates.published import Template
from comphy.puzzles.phyq.templates.variation import Placement
from comphy.puzzles.phyq.world.launch import Shot
from data_gen.phyq.solutions.aims import Aim
from data_gen.phyq.solutions.search import Aims, Effort

GAME: Final = 5  # raised whenever the game or the certificate changes, so that records of the old one are not used
MOST_CANDIDATES: Final = 16  # times the number of tasks that are wanted


@dataclass(frozen=True)
class Candidate:
    """A level that was tried; with its solution, if it is a task."""

    placement: Placement
    aims: Aims = ()
    shots: tuple[Shot, ...] = ()

    @property
    def is_task(self) -> bool:
        return bool(self.shots)


def candidate_rng(template: Template, number: int) -> np.random.Generator:
    """Of the draws of a candidate: its placement comes first."""
    return np.random.default_rng([number, *map(int, template.id.split("."))])


def closest_tasks(known: Sequence[Candidate], placement: Placement) -> list[Candidate]:
    """Those first whose assembly is moved about as far as that of a placement; of equally close ones, the latest.

    What solves a level rarely solves one whose assembly is elsewhere, where things have to fall just so.
    """
    latest = [one for one in reversed(known) if one.is_task]
    place = (placement.dx, placement.dy)
    return sorted(latest, key=lambda one: math.dist((one.placement.dx, one.placement.dy), place))


def records_file(folder: Path, template: Template) -> Path:
    return folder / f"{template.id}.jsonl"


def read_candidates(path: Path, template: Template, effort: Effort) -> list[Candidate]:
    """The records of a file. A line that was cut off is removed; a file of another game or template is begun anew."""
    header = _header(template, effort)
    lines = path.read_text().splitlines(keepends=True) if path.is_file() else []
    whole = [line for line in lines if line.endswith("\n")]
    if whole[:1] != [header]:
        whole = [header]
    if whole != lines:
        write_bytes(path, "".join(whole).encode())
    return [_candidate_of(json.loads(line)) for line in whole[1:]]


def write_candidates(path: Path, template: Template, effort: Effort, candidates: Sequence[Candidate]) -> None:
    write_bytes(path, "".join([_header(template, effort), *map(record_line, candidates)]).encode())


def _header(template: Template, effort: Effort) -> str:
    return json.dumps({"template": template.id, "of": _fingerprint(template), "effort": asdict(effort)}) + "\n"


def _fingerprint(template: Template) -> str:
    return sha256(f"{GAME}{template.id}{template.level}{template.variation}".encode()).hexdigest()[:16]


def record_line(candidate: Candidate) -> str:
    plain = {
        "placement": plain_placement(candidate.placement),
        "aims": [asdict(aim) for aim in candidate.aims],
        "shots": [plain_shot(shot) for shot in candidate.shots],
    }
    return json.dumps(plain) + "\n"


def _candidate_of(row: dict[str, Any]) -> Candidate:
    aims = tuple(Aim(**{**aim, "target": aim["target"] and tuple(aim["target"])}) for aim in row["aims"])
    return Candidate(placement_of(row["placement"]), aims, tuple(map(shot_of, row["shots"])))
