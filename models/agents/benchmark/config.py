"""The settings of all agents in one set-up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from comphy.puzzles.phyre.benchmark.folds import eval_setup_to_action_tier
from models.agents.scorers.dqn_network import DQNNetwork
from models.agents.scorers.object_network import ObjectNetworkSettings
from models.agents.scorers.training import LearningSettings, OnlineSettings
from models.agents.strategies.memory import MemorySettings
from models.agents.strategies.object_search import SearchSettings


@dataclass(frozen=True)
class RankSettings:
    """`actions`: of the list that are scored for a test task; `batch`: at a time."""

    actions: int = 10_000
    batch: int = 512

    def __post_init__(self) -> None:
        if min(self.actions, self.batch) < 1:
            raise ValueError(f"expected actions and batch of at least 1 (got {self.actions} and {self.batch})")


@dataclass(frozen=True)
class DQNSettings:
    rank: RankSettings = field(default_factory=RankSettings)
    network: DQNNetwork = field(default_factory=DQNNetwork)
    learning: LearningSettings = field(default_factory=LearningSettings)
    online: OnlineSettings = field(default_factory=OnlineSettings)


@dataclass(frozen=True)
class ObjectSearchSettings:
    """Which networks score actions: `object_scorer`, the network on objects; `image_scorer`, that of DQN, which is trained
    with DQN's settings or taken from DQN's run if that is in the same folder. Of both, the mean logit counts."""

    RENAMED: ClassVar[Mapping[str, str]] = {"objects": "object_scorer", "pictures": "image_scorer"}

    object_scorer: bool = True
    image_scorer: bool = False
    rank: RankSettings = field(default_factory=RankSettings)
    network: ObjectNetworkSettings = field(default_factory=ObjectNetworkSettings)
    learning: LearningSettings = field(default_factory=LearningSettings)
    online: OnlineSettings = field(default_factory=OnlineSettings)
    search: SearchSettings = field(default_factory=SearchSettings)

    def __post_init__(self) -> None:
        if not (self.object_scorer or self.image_scorer):
            raise ValueError(
                "expected object_scorer or image_scorer to be true: one network has to score actions (got false for both)"
            )


@dataclass(frozen=True)
class AgentsConfig:
    setup: str
    seed: int = 0
    device: str = "auto"  # cuda where there is one, else cpu
    actions: int = 1000  # of the list that are tried on each training task; RAND, MEM and OPTIMAL choose from them
    memory: MemorySettings = field(default_factory=MemorySettings)
    dqn: DQNSettings = field(default_factory=DQNSettings)
    object_search: ObjectSearchSettings = field(default_factory=ObjectSearchSettings)

    def __post_init__(self) -> None:
        eval_setup_to_action_tier(self.setup)
        if self.seed < 0 or self.actions < 1:
            raise ValueError(
                f"expected a seed of at least 0 and actions of at least 1 (got {self.seed}, {self.actions})"
            )
