"""How PCR is trained: the settings of configs/pcr/*.yaml."""

from dataclasses import dataclass, field

from models.pcr.parser.training.trainer import ParserConfig
from models.pcr.reasoner.settings import ReasonerSettings


@dataclass(frozen=True)
class LessonPlan:
    """`sets` are looked at together in one step."""

    steps: int
    sets: int = 128
    learning_rate: float = 2e-3

    def __post_init__(self) -> None:
        if self.steps < 0 or self.sets < 1 or self.learning_rate <= 0:
            raise ValueError(f"expected steps of at least 0, sets of at least 1 and a positive rate (got {self})")


@dataclass(frozen=True)
class MotionPlan:
    """Lesson 3. `windows` of each video are predicted, over longer and longer `horizons` (frames). With `listen` the
    property inferencer learns along: properties that explain the recorded motion are better ones. Its weight is that
    of the motion against the questions."""

    steps: int = 500
    sets: int = 128
    windows: int = 3
    horizons: tuple[int, ...] = (8, 16, 30)
    learning_rate: float = 3e-3
    listen: bool = True
    listen_rate: float = 5e-4
    weight: float = 10.0


@dataclass(frozen=True)
class PCRConfig:
    task: str = "pcr"
    seed: int = 0
    device: str = "auto"
    cache: str | None = None  # feature cache of the dataset; if not given, it lies in the run's folder
    perceiver: str | None = None  # run of a perceiver, to fill the cache with where it lacks sets
    frames: str = "raytrace"  # what the perceiver looks at: raytrace, blender or videos
    imagination: bool = True  # learn from what counterfactual premises take for granted
    prior: float = 0.02  # weight of the assumption that objects have no hidden property until something speaks for it
    weight_decay: float = 1e-3
    max_gradient_norm: float = 1.0
    log_every: int = 50
    checkpoint_every: int = 400
    evaluation_sets: int = 128  # looked at together when answering
    parser: ParserConfig = field(default_factory=ParserConfig)
    model: ReasonerSettings = field(default_factory=ReasonerSettings)
    visible: LessonPlan = field(default_factory=lambda: LessonPlan(1300, 64, 6e-3))
    hidden: LessonPlan = field(default_factory=lambda: LessonPlan(1200, 128, 2e-3))
    motion: MotionPlan = field(default_factory=MotionPlan)
    weighing: LessonPlan = field(default_factory=lambda: LessonPlan(60, 128, 0.05))
    everything: LessonPlan = field(default_factory=lambda: LessonPlan(30, 128, 3e-4))
