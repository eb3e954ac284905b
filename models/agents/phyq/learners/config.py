"""Settings of learning agents. The defaults are the published ones of D-DDQN on the symbolic state."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from comphy.choices import Generalisation
from comphy.errors import did_you_mean
from comphy.puzzles.phyq.benchmark.contract import View


class NetworkKind(StrEnum):
    DDQN_SYMBOLIC = "ddqn_symbolic"
    DDQN_IMAGE = "ddqn_image"
    RELATIONAL_SYMBOLIC = "relational_symbolic"
    RELATIONAL_IMAGE = "relational_image"
    FLIGHT_PATHS = "flight_paths"

    @property
    def view(self) -> View:
        return View.IMAGE if self in (NetworkKind.DDQN_IMAGE, NetworkKind.RELATIONAL_IMAGE) else View.PLANES


@dataclass(frozen=True)
class NetworkSettings:
    """`width`: filters of the full-size convolution (ddqn_symbolic), channels of the first stage of the ResNet (ddqn_image,
    relational), or of all layers (flight_paths)."""

    kind: str = NetworkKind.DDQN_SYMBOLIC.value
    width: int = 512
    hidden: int = 128  # units of the heads; of each place, in relational networks

    def __post_init__(self) -> None:
        if self.kind not in list(NetworkKind):
            raise ValueError(f"expected a kind of network (got '{self.kind}'); {did_you_mean(self.kind, NetworkKind)}")
        if min(self.width, self.hidden) < 4 or self.width % 4 or self.hidden % 4:
            raise ValueError(f"expected width and hidden as multiples of 4 (got {self.width} and {self.hidden})")


class ReplaySource(StrEnum):
    """How plays come into the replay memory: chosen by the network as it learns, as published, or all at once."""

    EPSILON_GREEDY = "epsilon_greedy"
    ALL = "all"


class Loss(StrEnum):
    """Of Q-values: Huber's, as published, or cross-entropy of their logistic function, the probability to win."""

    HUBER = "huber"
    CROSS_ENTROPY = "cross_entropy"


@dataclass(frozen=True)
class LearningSettings:
    RENAMED: ClassVar[Mapping[str, str]] = {
        "collecting": "replay_source",
        "target_every": "target_update_interval",
        "by_task": "balance_tasks",
    }

    replay_source: str = ReplaySource.EPSILON_GREEDY.value
    tasks_per_update: int = 5  # epsilon_greedy: as many updates as training tasks by this
    plays_per_update: int = 100  # epsilon_greedy: ten agents on a random task each, ten plays
    epochs: int = 10  # epsilon_greedy: over the replay memory, after each update
    epsilon: tuple[float, float] = (0.95, 0.05)  # at the first update and at the last
    steps: int = 3000  # all: gradient steps
    target_update_interval: int = (
        500  # all: steps between copies to the target network; epsilon_greedy copies at each update
    )
    batch_size: int = 32  # states; half of them of plays that were won
    actions_per_state: int = 1  # in a batch, tried in the same state, half of them winning where some do
    balance_tasks: bool = False  # tasks give won plays equally often, however many they have
    discount: float = 0.99
    loss: str = Loss.HUBER.value
    learning_rate: float = 3e-4
    cosine: bool = False  # the learning rate falls to 0; as published, it does not
    weight_decay: float = 0.01  # of AdamW
    max_gradient_norm: float = 1.0
    log_every: int = 100
    checkpoint_every: int = 2000

    def __post_init__(self) -> None:
        counts = (
            *(self.tasks_per_update, self.plays_per_update, self.epochs, self.steps, self.target_update_interval),
            *(self.batch_size, self.actions_per_state, self.log_every, self.checkpoint_every),
        )
        if min(counts) < 1:
            raise ValueError("expected all counts of learning of at least 1")
        if min(*self.epsilon, self.discount) < 0 or max(*self.epsilon, self.discount) > 1:
            raise ValueError("expected epsilon and discount from 0 to 1")
        if min(self.learning_rate, self.max_gradient_norm) <= 0 or self.weight_decay < 0:
            raise ValueError("expected learning_rate and max_gradient_norm above 0, and weight_decay not below 0")
        for name, value, choices in (("replay_source", self.replay_source, ReplaySource), ("loss", self.loss, Loss)):
            if value not in list(choices):
                raise ValueError(f"expected {name} as one of {', '.join(choices)} (got '{value}')")


@dataclass(frozen=True)
class LearnerConfig:
    """`shared_network`: for all tasks; as published, there is one for each template (local) or scenario (broad)."""

    RENAMED: ClassVar[Mapping[str, str]] = {"one_network": "shared_network"}

    task: str = "phyq_learner"
    setup: str = Generalisation.BROAD.value
    shared_network: bool = False
    only: tuple[float, ...] = ()  # scenarios (broad) or templates (local) to train networks for; all, if empty
    tasks: str = ""  # the file of another list of tasks than the package's
    tasks_per_template: int | None = None  # only the first so many training tasks of each
    plays: int = 180  # of each task that are learned from, as far as they are stored
    seed: int = 0
    device: str = "auto"  # cuda where there is one, else cpu
    network: NetworkSettings = field(default_factory=NetworkSettings)
    learning: LearningSettings = field(default_factory=LearningSettings)

    def __post_init__(self) -> None:
        if self.setup not in list(Generalisation):
            raise ValueError(f"expected setup as local or broad (got '{self.setup}')")
        if self.seed < 0 or self.plays < 1:
            raise ValueError(f"expected a seed of at least 0 and plays of at least 1 (got {self.seed}, {self.plays})")
        if self.tasks_per_template is not None and self.tasks_per_template < 1:
            raise ValueError(f"expected tasks_per_template of at least 1, or null (got {self.tasks_per_template})")

    @property
    def generalisation(self) -> Generalisation:
        return Generalisation(self.setup)
