"""The evaluation of a run on a split: its questions, what the reasoner sees of their sets, and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

import torch
import yaml

from comphy.config import build
from comphy.dataset.sources.opening import open_source
from comphy.dataset.submission import Submission
from comphy.errors import ConfigError
from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.perception.tables import AlignedBy
from comphy.evaluation.qa.calibration import CalibrationReport, Recalibration, calibrations
from comphy.evaluation.qa.concepts import ConceptScores
from comphy.questions.model import QuestionKind, SceneQuestions
from comphy.scene.camera import Camera
from models.pcr.evaluation.alignment_scores import alignment_score
from models.pcr.evaluation.concept_scores import concept_scores
from models.pcr.evaluation.diagnosis import Diagnosis, diagnose
from models.pcr.evaluation.recalibration_fit import fit_recalibrations
from models.pcr.evaluation.true_sets import TrueSet, read_true_sets
from models.pcr.parser.parser import Parser, load_parser
from models.pcr.parser.questions import as_read
from models.pcr.parser.storage import parser_folder
from models.pcr.reasoner.answering import AnswerDistributions, answer_refined
from models.pcr.reasoner.checkpoint import FEATURES, load_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.recalibration import Recalibrations
from models.pcr.reasoner.refining import align_and_refine
from models.pcr.tracks.observed import Observed, observe
from models.perceiver.cache.feature_cache import FeatureCache
from models.train.run import CONFIG


@dataclass(frozen=True)
class RunSettings:
    """What an evaluation needs of a run's config; its other keys concern training, and may be those of earlier versions."""

    cache: str | None = None
    evaluation_sets: int = 128

    @staticmethod
    def read(run: Path) -> "RunSettings":
        """From the config in a run's folder, if there is one."""
        path = run / CONFIG
        if not path.is_file():
            return RunSettings()
        try:
            values = yaml.safe_load(path.read_text())
        except yaml.YAMLError as error:
            raise ConfigError(
                f"{path}: not a usable config ({error}). Expected YAML with `key: value` lines."
            ) from None
        wanted = {field.name for field in fields(RunSettings)}
        found = {key: values[key] for key in wanted & values.keys()} if isinstance(values, dict) else values
        return build(RunSettings, found, str(path))


@dataclass(frozen=True)
class Exam:
    """`scenes` are a split's questions with their answers; `read` the same with the programs that the run's parser makes
    of the sentences, None for a run without a parser. `camera` is what the reasoner takes the sets to be filmed with, by
    default the source's."""

    reasoner: Reasoner
    cache: FeatureCache
    data: Path
    scenes: Sequence[SceneQuestions]
    read: Sequence[SceneQuestions] | None
    batch_size: int
    camera: Camera | None = None

    @cached_property
    def perceived(self) -> Observed:
        """The sets as they are in the cache, with references aligned by features alone."""
        device = next(self.reasoner.parameters()).device
        sets = [scene.scene_index for scene in self.scenes]
        return observe(self.cache, sets, self.camera or open_source(self.data).camera).to(device)

    @cached_property
    def seen(self) -> Observed:
        """The same sets aligned by attributes and refined, as questions are asked about them."""
        return align_and_refine(self.reasoner, self.perceived)

    @cached_property
    def truth(self) -> list[TrueSet]:
        sets = [scene.scene_index for scene in self.scenes]
        return read_true_sets(self.data, sets, self.cache)

    @property
    def programs(self) -> str:
        """Where they come from."""
        return (
            "as the run's parser reads the questions"
            if self.read
            else "those of the question file (no parser in the run)"
        )

    @cached_property
    def given(self) -> AnswerDistributions:
        """What the reasoner answers, and how sure it is."""
        return answer_refined(self.reasoner, self.seen, self.read or self.scenes, self.batch_size)

    def answers(self) -> Submission:
        return self.given.answers

    def fit_recalibrations(self) -> dict[QuestionKind, Recalibration]:
        return fit_recalibrations(self.scenes, self.given)

    def calibration(self, recalibrations: Recalibrations) -> CalibrationReport:
        """Of the probabilities that the reasoner computes, and of recalibrated ones."""
        computed, after = (
            calibrations(self.scenes, self.given.answers, self.given.confidences(ways)) for ways in ({}, recalibrations)
        )
        return CalibrationReport(
            computed, {kind: (how, after[kind]) for kind, how in recalibrations.items() if kind in after}
        )

    def concepts(self) -> ConceptScores:
        return concept_scores(self.reasoner, self.seen, self.truth, self.batch_size)

    def alignment(self) -> dict[AlignedBy, Accuracy | None]:
        owners = {AlignedBy.FEATURES: self.perceived.owners, AlignedBy.ATTRIBUTES: self.seen.owners}
        return {by: alignment_score(found, self.truth) for by, found in owners.items()}

    def diagnosis(self) -> Diagnosis:
        return diagnose(self.reasoner, self.seen, self.scenes, self.truth, self.data, self.batch_size, self.read)


def set_exam(
    run: Path,
    data: Path,
    split: str,
    cache: Path | None = None,
    device: torch.device | str = "cpu",
    without: Sequence[str] = (),
    sets: int | None = None,
) -> Exam:
    """The exam of a run on a split of a dataset, or on its first so many sets, with parts of the reasoner switched off."""
    settings = RunSettings.read(run)
    scenes = open_source(data).questions(split)[:sets]
    parser = parser_of(run, device)
    return Exam(
        load_reasoner(run, device, without),
        open_features(run, settings, cache),
        data,
        scenes,
        as_read(parser, scenes) if parser is not None else None,
        settings.evaluation_sets,
    )


def open_features(run: Path, settings: RunSettings, cache: Path | None) -> FeatureCache:
    """The cache that was named, or that the run was trained with."""
    folder = cache or (Path(settings.cache) if settings.cache is not None else run / FEATURES)
    if not folder.is_dir():
        raise ConfigError(
            f"{folder}: expected a feature cache of the dataset (found none). Make it with tools/perceive.py and the "
            "perceiver that the run was trained with, and name it with --cache FOLDER."
        )
    return FeatureCache(folder)


def parser_of(run: Path, device: torch.device | str = "cpu") -> Parser | None:
    """The parser in a run's folder or below it, if there is one."""
    folder = parser_folder(run)
    return load_parser(folder, device) if folder is not None else None
