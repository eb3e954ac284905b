"""Where wrong answers come from: the same questions with the truth in place of one module after the other."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

import torch
from rich.table import Table

from comphy.dataset.submission import Answer, QuestionKey
from comphy.evaluation.qa.accuracy import QAReport, score
from comphy.evaluation.qa.tables import heading, in_full, new_table, percent
from comphy.questions.model import SceneQuestions
from models.pcr.evaluation.true_scene import true_scene
from models.pcr.evaluation.true_sets import TrueSet
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.reasoner.answering import answer_batch
from models.pcr.reasoner.imagination import LearnedImagination
from models.pcr.reasoner.question_batches import is_any, make_question_batches
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.tracks.observed import Observed
from models.pcr.tracks.tensor_trees import mapped


class Module(StrEnum):
    PERCEPTION = "perception"  # attributes, motion and events of the video
    PROPERTIES = "properties"  # mass and charge
    DYNAMICS = "dynamics"  # what comes after the video, and what would happen under a premise
    LANGUAGE = "language"  # programs


_FIELDS: Final[dict[Module, tuple[str, ...]]] = {
    Module.PERCEPTION: (
        *("color", "shape", "material", "shown", "moving", "direction", "ever_moving", "main_direction", "events"),
    ),
    Module.PROPERTIES: ("heavy", "same", "opposite"),
}
REPLACED: Final[dict[str, tuple[Module, ...]]] = {
    "nothing": (),
    **{str(module): (module,) for module in Module},
    "perception and properties": (Module.PERCEPTION, Module.PROPERTIES),
    "everything": tuple(Module),
}


@dataclass(frozen=True)
class Diagnosis:
    """Scores by what was replaced. `unmatched` are the sets whose tracks are not their objects one to one: what the
    model made of them stands in every row."""

    reports: dict[str, QAReport]
    unmatched: tuple[int, ...]
    sets: int

    def record(self) -> dict[str, Any]:
        return {
            "sets": self.sets,
            "unmatched_sets": list(self.unmatched),
            "replaced": {name: report.record()["columns"] for name, report in self.reports.items()},
        }


@torch.no_grad()
def diagnose(
    reasoner: Reasoner,
    seen: Observed,
    scenes: Sequence[SceneQuestions],
    truth: Sequence[TrueSet],
    batch_size: int,
    read: Sequence[SceneQuestions] | None = None,
) -> Diagnosis:
    """Row i of what is seen, aligned and refined, is the set of `scenes[i]` and of `truth[i]`. `read` are the questions
    with the programs that a parser made of them; without it they have their own from the start, and language cannot be
    replaced."""
    names = [name for name, modules in REPLACED.items() if read is not None or modules != (Module.LANGUAGE,)]
    answers: dict[str, dict[QuestionKey, Answer]] = {name: {} for name in names}
    for rows in _groups(truth, batch_size):
        scene = reasoner.scene(seen.rows(torch.tensor(rows, device=seen.objects.device)), hard=True)
        true = _true_scene([truth[row] for row in rows], scene) if truth[rows[0]].matched else None
        for told, programs in ((False, read or scenes), (True, scenes)):
            asked = [programs[row].without_answers() for row in rows]
            for batch in make_question_batches(asked, is_any, len(rows), imagine=False):
                batch = batch.to(seen.objects.device)
                for name in (name for name in names if (Module.LANGUAGE in REPLACED[name]) is told):
                    known = with_truth(scene, true, REPLACED[name]) if true is not None else scene
                    answers[name] |= answer_batch(batch, asked, known)
    unmatched = tuple(one.index for one in truth if not one.matched)
    return Diagnosis({name: score(scenes, answers[name]) for name in names}, unmatched, len(truth))


def with_truth(scene: SoftScene, true: SoftScene, modules: Collection[Module]) -> SoftScene:
    """A reasoner's scene with the truth in place of what some of its modules say; the others build on it."""
    told = {name: getattr(true, name) for module in modules for name in _FIELDS.get(module, ())}
    known = replace(scene, **told)
    if Module.DYNAMICS in modules:
        return replace(known, imagination=true.imagination)
    assert isinstance(scene.imagination, LearnedImagination)
    return replace(known, imagination=replace(scene.imagination, scene=known))


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


def _groups(truth: Sequence[TrueSet], batch_size: int) -> list[list[int]]:
    """Batches of rows of sets: of those whose tracks are their objects one to one, and of the others."""
    rows = [[row for row, one in enumerate(truth) if one.matched is matched] for matched in (True, False)]
    return [alike[start : start + batch_size] for alike in rows for start in range(0, len(alike), batch_size)]


def _true_scene(truth: Sequence[TrueSet], like: SoftScene) -> SoftScene:
    scene = true_scene([one.facts_of_tracks for one in truth], OBJECTS)
    return mapped(scene, lambda tensor: tensor.to(like.objects.device))
