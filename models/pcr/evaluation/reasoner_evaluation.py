"""The evaluation of a run on a split: its questions, what the reasoner sees of their sets, and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

import torch

from comphy.choices import CameraChoice
from comphy.config import build, read_yaml
from comphy.dataset.sources.opening import open_source
from comphy.dataset.submission import Submission
from comphy.errors import ConfigError
from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.perception.tables import AlignedBy
from comphy.evaluation.qa.calibration.calibration import CalibrationReport, Recalibration, calibrations
from comphy.evaluation.qa.concepts import ConceptScores
from comphy.questions.model import QuestionKind, SceneQuestions
from comphy.scene.camera import Camera
from models.pcr.evaluation.alignment_scores import alignment_score
from models.pcr.evaluation.concept_scores import concept_scores
from models.pcr.evaluation.diagnosis import Diagnosis, diagnose
from models.pcr.evaluation.recalibration_fit import fit_recalibrations
from models.pcr.evaluation.true_sets import TrueSet, read_true_sets
from models.pcr.parser.interface import QuestionParser
from models.pcr.parser.opening import own_parser
from models.pcr.parser.questions import as_read, read_as_meant
from models.pcr.parser.sentences import SentenceKind
from models.pcr.reasoner.answering import AnswerDistributions, answer_refined
from models.pcr.reasoner.checkpoint import FEATURES, load_reasoner
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.recalibration import Recalibrations
from models.pcr.reasoner.refining import align_and_refine
from models.pcr.tracks.camera_choice import ChosenCamera, choose_camera
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
        values = read_yaml(path)
        wanted = {field.name for field in fields(RunSettings)}
        found = {key: values[key] for key in wanted & values.keys()} if isinstance(values, dict) else values
        return build(RunSettings, found, str(path))


@dataclass(frozen=True)
class ReasonerEvaluation:
    """`scenes` are a split's questions with their answers; `read` the same with the programs that the run's parser makes
    of the sentences, None for a run without a parser. `camera` is what the reasoner takes the sets to be filmed with, by
    default the source's."""

    reasoner: Reasoner
    cache: FeatureCache
    data: Path
    scenes: Sequence[SceneQuestions]
    read: Sequence[SceneQuestions] | None
    batch_size: int
    reads: str = "the run's parser reads"
    camera_choice: CameraChoice = CameraChoice.AUTO
    filmed_with: Sequence[Camera] | None = None  # the camera of each set, whatever was chosen

    @cached_property
    def camera(self) -> ChosenCamera:
        """What the sets are taken to be filmed with."""
        return choose_camera(self.camera_choice, open_source(self.data), self.cache, self._sets)

    @property
    def _sets(self) -> list[int]:
        return [scene.scene_index for scene in self.scenes]

    @cached_property
    def perceived(self) -> Observed:
        """The sets as they are in the cache, with references aligned by features alone."""
        device = next(self.reasoner.parameters()).device
        filmed_with = self.camera.camera if self.filmed_with is None else self.filmed_with
        return observe(self.cache, self._sets, filmed_with).to(device)

    @cached_property
    def seen(self) -> Observed:
        """The same sets aligned by attributes and refined, as questions are asked about them."""
        return align_and_refine(self.reasoner, self.perceived)

    @cached_property
    def truth(self) -> list[TrueSet]:
        return read_true_sets(self.data, self._sets, self.cache)

    @property
    def programs(self) -> str:
        """Where they come from."""
        return f"as {self.reads} the questions" if self.read else "those of the question file (no parser in the run)"

    def reading(self) -> dict[SentenceKind, Accuracy]:
        """The share of sentences that were read as they are meant, for the kinds whose programs are known."""
        return read_as_meant(self.scenes, self.read) if self.read is not None else {}

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

    def require_truth(self) -> None:
        """Raises `DatasetError` where the dataset lacks what concepts and alignment are scored against."""
        _ = self.truth

    def concepts(self) -> ConceptScores:
        return concept_scores(self.reasoner, self.seen, self.truth, self.batch_size)

    def alignment(self) -> dict[AlignedBy, Accuracy | None]:
        owners = {AlignedBy.FEATURES: self.perceived.owners, AlignedBy.ATTRIBUTES: self.seen.owners}
        return {by: alignment_score(found, self.truth) for by, found in owners.items()}

    def diagnosis(self) -> Diagnosis:
        return diagnose(self.reasoner, self.seen, self.scenes, self.truth, self.data, self.batch_size, self.read)


def open_evaluation(
    run: Path,
    data: Path,
    split: str,
    cache: Path | None = None,
    device: torch.device | str = "cpu",
    without: Sequence[str] = (),
    sets: int | None = None,
    parser: QuestionParser | None = None,
    camera: CameraChoice = CameraChoice.AUTO,
    posterior_samples: int | None = None,
    posterior_spread: float | None = None,
) -> ReasonerEvaluation:
    """The evaluation of a run on a split of a dataset, or on its first so many sets, with parts of the reasoner switched
    off, or with other `posterior_samples` and another `posterior_spread` than its own.

    Questions are read by `parser`, or by the run's own."""
    settings = RunSettings.read(run)
    scenes = open_source(data).questions(split)[:sets]
    reads = parser or own_parser(run, device)
    return ReasonerEvaluation(
        load_reasoner(run, device, without, posterior_samples, posterior_spread),
        open_features(run, settings, cache),
        data,
        scenes,
        as_read(reads, scenes) if reads is not None else None,
        settings.evaluation_sets,
        "the run's parser reads" if parser is None else "the named parser reads",
        camera,
    )


def open_features(run: Path, settings: RunSettings, cache: Path | None) -> FeatureCache:
    """The cache that was named, or that the run was trained with."""
    folder = cache or (Path(settings.cache) if settings.cache is not None else run / FEATURES)
    if not folder.is_dir():
        raise ConfigError(
            f"{folder}: expected a feature cache of the dataset (found none). Make it with comphy perceive and the "
            "perceiver that the run was trained with, and name it with --cache FOLDER."
        )
    return FeatureCache(folder)
