"""Where wrong answers come from: the same questions with the truth in place of one module after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from rich.table import Table

from comphy.dataset.submission import Answer, QuestionKey
from comphy.errors import DatasetError
from comphy.evaluation.qa.accuracy import QAReport, score
from comphy.evaluation.qa.tables import heading, in_full, new_table, percent
from comphy.questions.model import SceneQuestions
from models.pcr.evaluation.replacements import REPLACEMENTS, Module, Replacer
from models.pcr.evaluation.true_laws import true_laws
from models.pcr.evaluation.true_sets import TrueSet
from models.pcr.evaluation.true_states import TrueStates
from models.pcr.reasoner.answering import answer_batch
from models.pcr.reasoner.question_batches import is_any, make_question_batches
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.tracks.observed import Observed

_NO_FIT: Final = "this reasoner fits no states of motion"
_NO_PARSER: Final = "the questions have their own programs from the start"


@dataclass(frozen=True)
class Diagnosis:
    """Scores by what was replaced. `unmatched` are the sets whose tracks are not their objects one to one: what the
    model made of them stands in every row. `left_out`: rows that there are not, and why."""

    reports: dict[str, QAReport]
    unmatched: tuple[int, ...]
    sets: int
    left_out: Mapping[str, str]

    def record(self) -> dict[str, Any]:
        return {
            "sets": self.sets,
            "unmatched_sets": list(self.unmatched),
            "replaced": {name: report.record()["columns"] for name, report in self.reports.items()},
            "left_out": dict(self.left_out),
        }


@torch.no_grad()
def diagnose(
    reasoner: Reasoner,
    seen: Observed,
    scenes: Sequence[SceneQuestions],
    truth: Sequence[TrueSet],
    data: Path,
    batch_size: int,
    read: Sequence[SceneQuestions] | None = None,
) -> Diagnosis:
    """Row i of what is seen, aligned and refined, is the set of `scenes[i]` and of `truth[i]`, in the dataset `data`. `read`
    are the questions with the programs that a parser made of them; without it they have their own from the start, and
    language cannot be replaced."""
    states, missing = _read_states(data, truth)
    left_out = _left_out(reasoner, missing, read is not None)
    names = [name for name in REPLACEMENTS if name not in left_out]
    laws = true_laws(OBJECTS).to(seen.objects.device)
    answers: dict[str, dict[QuestionKey, Answer]] = {name: {} for name in names}
    for rows in _groups(truth, batch_size):
        some = seen.rows(torch.tensor(rows, device=seen.objects.device))
        known = [states[row] for row in rows if row in states]
        told = Replacer(reasoner, some, [truth[row] for row in rows], known, laws)
        scene = None if truth[rows[0]].matched else reasoner.scene(some, hard=True)
        for true_programs, programs in ((False, read or scenes), (True, scenes)):
            asked = [programs[row].without_answers() for row in rows]
            for batch in make_question_batches(asked, is_any, len(rows), imagine=False):
                batch = batch.to(seen.objects.device)
                for name in names:
                    modules = REPLACEMENTS[name].modules
                    if (Module.LANGUAGE in modules) is true_programs:
                        answers[name] |= answer_batch(batch, asked, scene or told.scene(modules))
    unmatched = tuple(one.index for one in truth if not one.matched)
    reports = {name: score(scenes, answers[name]) for name in names}
    return Diagnosis(reports, unmatched, len(truth), left_out)


def diagnosis_table(diagnosis: Diagnosis) -> Table:
    columns = next(iter(diagnosis.reports.values())).columns()
    table = new_table("Accuracy in % with the truth in place of a module", "replaced", *(map(heading, columns)))
    for name, report in diagnosis.reports.items():
        table.add_row(name, *(percent(one) for one in report.columns().values()))
    table.caption = (
        f"In {len(diagnosis.unmatched)} of {diagnosis.sets} sets tracks and objects do not belong together one to one: "
        "nothing is replaced there."
    )
    return in_full(table)


def diagnosis_remarks(diagnosis: Diagnosis) -> list[str]:
    """A line for each row of the table that says what is replaced, and for each row that is left out."""
    meanings = [f"{name}: {REPLACEMENTS[name].meaning}" for name in diagnosis.reports]
    return [*meanings, *(f"{name}: left out, {why}" for name, why in diagnosis.left_out.items())]


def _read_states(data: Path, truth: Sequence[TrueSet]) -> tuple[dict[int, TrueStates], str | None]:
    """By row, of the sets whose tracks are their objects one to one; or none, and why."""
    try:
        return {row: TrueStates.read(data, one) for row, one in enumerate(truth) if one.matched}, None
    except DatasetError as error:
        return {}, str(error)


def _left_out(reasoner: Reasoner, no_states: str | None, parsed: bool) -> dict[str, str]:
    """Why rows have to be left out."""
    reasons: dict[Module, str] = {}
    if no_states is not None:
        reasons |= {Module.STATES: no_states, Module.MOTION: no_states}
    if not reasoner.settings.fits_states:
        reasons |= {Module.STATES: _NO_FIT, Module.LAWS: _NO_FIT}
    found = {
        name: next(reasons[module] for module in row.modules if module in reasons)
        for name, row in REPLACEMENTS.items()
        if reasons.keys() & set(row.modules)
    }
    return found if parsed else found | {str(Module.LANGUAGE): _NO_PARSER}


def _groups(truth: Sequence[TrueSet], batch_size: int) -> list[list[int]]:
    """Batches of rows of sets: of those whose tracks are their objects one to one, and of the others."""
    rows = [[row for row, one in enumerate(truth) if one.matched is matched] for matched in (True, False)]
    return [alike[start : start + batch_size] for alike in rows for start in range(0, len(alike), batch_size)]
