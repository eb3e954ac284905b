"""Perceives and answers the questions about a split's first sets under each condition.

What was perceived is kept in a folder for each condition, so that a run that was stopped goes on where it was."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import torch

from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import SourceKind
from comphy.dataset.submission import Submission, write_submission
from comphy.errors import ConfigError, MissingDependency
from comphy.evaluation.intervals import Difference
from comphy.evaluation.qa.accuracy import QAReport, differences, score
from comphy.questions.model import SceneQuestions
from comphy.toolkit.stress.conditions import BASELINE, BLENDER, Condition
from comphy.toolkit.stress.frames import StressRenderer
from data_gen.config import DatasetConfig
from models.pcr.evaluation.reasoner_evaluation import ReasonerEvaluation, open_evaluation
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.cache.fill import cache_key, fill, open_cache
from models.perceiver.perceive import Perceiver, is_perceiver, open_perceiver

FEATURES: Final = "features"
ANSWERS: Final = "answers.json"

Report = Callable[[Condition, int, int], None]  # a condition, sets that are perceived, sets in all


@dataclass(frozen=True)
class StressRow:
    """How well the questions about so many `sets` were answered under a condition, and the `differences` from the baseline's
    accuracies on the same sets."""

    condition: Condition
    sets: int
    report: QAReport
    differences: Mapping[str, Difference | None]

    def record(self) -> dict[str, Any]:
        columns = {name: one and one.record() for name, one in self.report.columns().items()}
        apart = {name: one and one.record() for name, one in self.differences.items()}
        about = {"name": self.condition.name, "about": self.condition.about, "sets": self.sets}
        return about | {"columns": columns, "differences": apart}


@dataclass(frozen=True)
class StressTest:
    """A run, the first `sets` of a split that it is asked about, and where what it perceives is kept. Blender, which needs
    seconds for a frame, draws the first `blender_sets` only."""

    run: Path
    perceiver: Path
    data: Path
    split: str
    out: Path
    sets: int | None = None
    blender_sets: int | None = None
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    batch: int | None = None
    without: Sequence[str] = ()  # parts of the reasoner that are switched off
    config: DatasetConfig = field(default_factory=DatasetConfig)

    def rows(self, conditions: Sequence[Condition], report: Report) -> Iterator[StressRow | tuple[Condition, str]]:
        """A row for each condition, or why there is none. The first condition is the baseline."""
        self._check(conditions)
        scenes = open_source(self.data).questions(self.split)[: self.sets]
        perceiver = open_perceiver(self.perceiver, self.device, self.batch, open_source(self.data).lengths)
        renderer = StressRenderer(self.data, perceiver.detector.size, str(self.device), self.config)
        evaluation: ReasonerEvaluation | None = None
        baseline: Submission = {}
        for condition in conditions:
            asked = scenes[: self.blender_sets] if condition.name == BLENDER else scenes
            try:
                cache = self._perceived(condition, renderer, perceiver, asked, report)
            except MissingDependency as error:
                yield condition, str(error)
                continue
            evaluation = evaluation or open_evaluation(
                self.run, self.data, self.split, cache.folder, self.device, self.without, self.sets
            )
            answers = answer(evaluation, cache, condition, asked)
            write_submission(self.out / condition.name / ANSWERS, asked, answers)
            baseline = baseline or answers
            yield StressRow(
                condition, len(asked), score(asked, answers), differences(asked, answers, _about(baseline, asked))
            )

    def _check(self, conditions: Sequence[Condition]) -> None:
        if not conditions or conditions[0].name != BASELINE:
            raise ValueError(f"expected the condition '{BASELINE}' first, with which the others are compared")
        if open_source(self.data).kind is not SourceKind.GENERATED:
            raise ConfigError(
                f"{self.data}: expected a dataset of comphy generate for --stress (found {open_source(self.data).kind}): "
                "frames are drawn anew, from trajectories."
            )
        if not is_perceiver(self.perceiver):
            raise ConfigError(
                f"{self.perceiver}: expected the run of a perceiver, or its weights, for --stress (found none). Name the "
                "perceiver that the reasoner was trained with: --perceiver FOLDER."
            )

    def _perceived(
        self,
        condition: Condition,
        renderer: StressRenderer,
        perceiver: Perceiver,
        scenes: Sequence[SceneQuestions],
        report: Report,
    ) -> FeatureCache:
        """Frames are opened only where sets are missing: a row that was perceived elsewhere needs no Blender here."""
        folder, sets = self.out / condition.cache / FEATURES, [scene.scene_index for scene in scenes]
        key = cache_key(self.perceiver, self.data, perceiver.tracking, f"stress, {condition.cache}")
        with open_cache(folder, key, perceiver, self.data) as writer:
            if set(sets) & set(writer.missing()):
                frames = condition.open(renderer)
                fill(writer, perceiver, frames, sets, lambda done, total: report(condition, done, total))
        return FeatureCache(folder, key)


def answer(
    evaluation: ReasonerEvaluation, cache: FeatureCache, condition: Condition, scenes: Sequence[SceneQuestions]
) -> Submission:
    """What the reasoner answers from a cache, to the evaluation's first sets."""
    cameras = [condition.camera(cache, scene.scene_index) for scene in scenes]
    read = evaluation.read[: len(scenes)] if evaluation.read is not None else None
    return replace(evaluation, cache=cache, scenes=scenes, read=read, filmed_with=cameras).answers()


def _about(answers: Submission, scenes: Sequence[SceneQuestions]) -> Submission:
    sets = {scene.scene_index for scene in scenes}
    return {key: given for key, given in answers.items() if key[0] in sets}
