"""How PCR is trained: the settings of configs/pcr/*.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from models.pcr.parser.training.trainer import ParserConfig
from models.pcr.reasoner.settings import ReasonerSettings


@dataclass(frozen=True)
class StageConfig:
    """One stage of the curriculum: `sets` is the batch size of a step, in sets."""

    steps: int
    sets: int = 128
    learning_rate: float = 2e-3

    def __post_init__(self) -> None:
        if self.steps < 0 or self.sets < 1 or self.learning_rate <= 0:
            raise ValueError(f"expected steps of at least 0, sets of at least 1 and a positive rate (got {self})")


@dataclass(frozen=True)
class MotionStageConfig:
    """Stage 3, the dynamics predictor. `windows` of each video are predicted, over increasing `horizons` (frames). Before
    the steps of each horizon the states of motion of the first `fitted_sets` sets are fitted again, with what has been
    learned by then; the stage learns from these sets alone, which are enough for a few constants. With
    `joint_inferencer` the property inferencer is trained along, at its own learning rate: the loss of the motion, times
    `weight`, is added to that of the questions."""

    RENAMED: ClassVar[Mapping[str, str]] = {"listen": "joint_inferencer", "listen_rate": "inferencer_lr"}

    steps: int = 360
    sets: int = 128
    fitted_sets: int = 800
    windows: int = 2
    horizons: tuple[int, ...] = (10, 30, 60)
    learning_rate: float = 2e-2
    joint_inferencer: bool = True
    inferencer_lr: float = 5e-4
    weight: float = 10.0


@dataclass(frozen=True)
class PCRConfig:
    """Everything about a training run but its data and output folder."""

    RENAMED: ClassVar[Mapping[str, str]] = {"weighing": "calibrate_refinement", "everything": "joint"}

    task: str = "pcr"
    seed: int = 0
    device: str = "auto"
    cache: str | None = None  # feature cache of the dataset; if not given, it lies in the run's folder
    perceiver: str | None = None  # run of a perceiver, to fill the cache with where it lacks sets
    frames: str = "raytrace"  # what the perceiver looks at: raytrace, blender or videos
    imagination: bool = True  # learn from the facts that counterfactual premises presuppose
    prior: float = 0.02  # weight of the sparsity prior: objects have no hidden property without evidence
    weight_decay: float = 1e-3
    max_gradient_norm: float = 1.0
    log_every: int = 50
    checkpoint_every: int = 400
    evaluation_sets: int = 128  # batch size when answering, in sets
    parser: ParserConfig = field(default_factory=ParserConfig)
    model: ReasonerSettings = field(default_factory=ReasonerSettings)
    visible: StageConfig = field(default_factory=lambda: StageConfig(1300, 64, 6e-3))
    hidden: StageConfig = field(default_factory=lambda: StageConfig(1200, 128, 2e-3))
    motion: MotionStageConfig = field(default_factory=MotionStageConfig)
    calibrate_refinement: StageConfig = field(default_factory=lambda: StageConfig(60, 128, 0.05))
    events: StageConfig = field(default_factory=lambda: StageConfig(600, 64, 3e-3))
    joint: StageConfig = field(default_factory=lambda: StageConfig(30, 128, 3e-4))
