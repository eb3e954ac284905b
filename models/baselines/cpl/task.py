"""CPL as a task: PCR's with a curriculum of labels."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from comphy.dataset.sources.opening import open_source
from comphy.questions.model import SceneQuestions
from models.baselines.cpl.augmentation import TrackAugmentation
from models.baselines.cpl.curriculum import LabelledCurriculum
from models.baselines.cpl.labels import read_labels
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.observed import Observed
from models.pcr.training.config import MotionStageConfig, PCRConfig, StageConfig
from models.pcr.training.task import cache_folder, run_pcr
from models.perceiver.cache.feature_cache import FeatureCache
from models.train.run import Run, TrainingOutcome

_NOT_STAGES = ("calibrate_refinement", "events", "joint")


def _model() -> ReasonerSettings:
    return ReasonerSettings(
        inferencer="cpl",
        dynamics="paper",
        pool="max",
        follow_recording=False,
        property_refinement=False,
        exclusive_properties=False,
        state_fit=False,
    )


def _none() -> StageConfig:
    return StageConfig(0)


@dataclass(frozen=True)
class CPLConfig(PCRConfig):
    """Settings of configs/baselines/cpl.yaml. CPL-DPI is the same with `model.dynamics: dpi`."""

    task: str = "cpl"
    imagination: bool = False
    prior: float = 0.0
    model: ReasonerSettings = field(default_factory=_model)
    hidden: StageConfig = field(default_factory=lambda: StageConfig(6000, 64, 5e-4))
    motion: MotionStageConfig = field(
        default_factory=lambda: MotionStageConfig(steps=2000, horizons=(4,), learning_rate=1e-3, joint_inferencer=False)
    )
    calibrate_refinement: StageConfig = field(default_factory=_none)
    events: StageConfig = field(default_factory=_none)
    joint: StageConfig = field(default_factory=_none)
    augmentation: TrackAugmentation = field(default_factory=TrackAugmentation)

    def __post_init__(self) -> None:
        if others := [name for name in _NOT_STAGES if getattr(self, name).steps]:
            raise ValueError(f"expected 0 steps of {', '.join(others)}: CPL has no such stage")
        model = self.model
        if model.state_fit or model.property_refinement or model.exclusive_properties or self.motion.joint_inferencer:
            raise ValueError(
                "expected no state_fit, property_refinement, exclusive_properties and joint_inferencer: "
                "CPL has none of PCR's additions"
            )
        if self.imagination or self.prior:
            raise ValueError("expected imagination: false and prior: 0: CPL learns properties from labels")


def run_cpl(config: CPLConfig, run: Run) -> TrainingOutcome:
    """Train on labels, answer and score."""

    def build(
        settings: PCRConfig,
        reasoner: Reasoner,
        observed: Observed,
        scenes: Sequence[SceneQuestions],
        share: int,
        shares: int,
    ) -> LabelledCurriculum:
        cache = FeatureCache(cache_folder(settings, run))
        sets = [scene.scene_index for scene in scenes]
        labels = read_labels(open_source(run.data), cache, sets, OBJECTS)
        return LabelledCurriculum(labels, settings, reasoner, observed, scenes, share, shares, config.augmentation)

    return run_pcr(config, run, build)
