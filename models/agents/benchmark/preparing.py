"""Every agent by its name, prepared for a test: given the training results, or trained on them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from comphy.errors import ConfigError, did_you_mean
from comphy.puzzles.phyre.benchmark.cache import Statuses
from models.agents.benchmark.config import AgentsConfig
from models.agents.contract import Agent, Floats, Puzzle
from models.agents.experience import Experience
from models.agents.scorers.dqn_network import DQN, DQNNetwork
from models.agents.scorers.object_network import ObjectNetwork, ObjectNetworkSettings
from models.agents.scorers.scorer import ActionScorer
from models.agents.scorers.training import LearningSettings, fit
from models.agents.strategies.fixed_list_agents import OptimalAgent, RandomAgent
from models.agents.strategies.memory import MemoryAgent, OnlineMemoryAgent
from models.agents.strategies.object_search import ObjectSearchAgent, OnlineObjectSearchAgent
from models.agents.strategies.ranking import OnlineRankingAgent, RankingAgent
from models.train.device import pick_device
from models.train.randomness import seeded
from models.train.run import Run, claim_folder


@dataclass(frozen=True)
class Preparation:
    """What an agent is made of. `first_actions`: gives the first actions [N, D] of the list. `look_up`: statuses [N] of the
    first `config.actions` on a test task, for OPTIMAL alone."""

    config: AgentsConfig
    experience: Experience
    first_actions: Callable[[int], Floats]
    look_up: Callable[[Puzzle], Statuses]
    run: Run


@dataclass(frozen=True)
class AgentKind:
    """`prepare` gives None if the time was up before the agent was trained, or on Ctrl-C. `learns`: from training tasks.
    `looks_up`: the statuses of all actions on test tasks, too. `ranks`: how many actions it chooses from."""

    prepare: Callable[[Preparation], Agent | None]
    ranks: Callable[[AgentsConfig], int]
    learns: bool = True
    looks_up: bool = False


def agent_named(name: str) -> AgentKind:
    if name not in AGENTS:
        raise ConfigError(f"Expected an agent (got '{name}'); {did_you_mean(name, AGENTS)}")
    return AGENTS[name]


def _random(given: Preparation) -> Agent:
    return RandomAgent(given.first_actions(given.config.actions))


def _optimal(given: Preparation) -> Agent:
    return OptimalAgent(given.first_actions(given.config.actions), given.look_up)


def _memory(given: Preparation) -> Agent:
    return MemoryAgent(given.experience, given.config.memory)


def _online_memory(given: Preparation) -> Agent:
    return OnlineMemoryAgent(given.experience, given.config.memory)


def _dqn(given: Preparation, online: bool = False) -> Agent | None:
    settings, scorer = given.config.dqn, _dqn_scorer(given)
    if scorer is None:
        return None
    actions, batch = given.first_actions(settings.rank.actions), settings.rank.batch
    if online:
        return OnlineRankingAgent(scorer, actions, batch, settings.online)
    return RankingAgent(scorer, actions, batch)


def _object_search(given: Preparation, online: bool = False) -> Agent | None:
    settings, seed = given.config.object_search, given.config.seed
    wanted = [_object_scorer] * settings.object_scorer + [_dqn_scorer] * settings.image_scorer
    scorers: list[ActionScorer] = []
    for train in wanted:
        scorer = train(given)
        if scorer is None:
            return None  # a run that must stop begins no other network, whose first step may take long
        scorers.append(scorer)
    actions, batch = given.first_actions(settings.rank.actions), settings.rank.batch
    if online:
        return OnlineObjectSearchAgent(scorers, actions, batch, settings.search, seed, settings.online)
    return ObjectSearchAgent(scorers, actions, batch, settings.search, seed)


def _object_scorer(given: Preparation) -> ActionScorer | None:
    settings = given.config.object_search
    training = Training(given.config.seed, settings.network, settings.learning)
    return _trained(lambda: ObjectNetwork(settings.network), training, "object_search", given)


def _dqn_scorer(given: Preparation) -> ActionScorer | None:
    settings, size = given.config.dqn, given.experience.actions.shape[1]
    training = Training(given.config.seed, settings.network, settings.learning)
    return _trained(lambda: DQN(settings.network, size), training, "dqn", given)


@dataclass(frozen=True)
class Training:
    """All that weights depend on beside the experience; a run's folder belongs to one."""

    seed: int
    network: DQNNetwork | ObjectNetworkSettings
    learning: LearningSettings


def _trained(
    make: Callable[[], ActionScorer], training: Training, folder: str, given: Preparation
) -> ActionScorer | None:
    """In a folder of its own, so that agents that need the same network share it."""
    run = replace(given.run, out=given.run.out / folder)
    claim_folder(run, training)
    with seeded(training.seed):
        scorer = make().to(pick_device(given.config.device))
    finished = fit(scorer, given.experience, training.learning, training.seed, run)
    return scorer if finished and run.interrupted_by is None else None


def _config_actions(config: AgentsConfig) -> int:
    return config.actions


def _by_dqn(config: AgentsConfig) -> int:
    return config.dqn.rank.actions


def _by_object_search(config: AgentsConfig) -> int:
    return config.object_search.rank.actions


AGENTS: Final = {
    "rand": AgentKind(_random, _config_actions, learns=False),
    "mem": AgentKind(_memory, _config_actions),
    "mem_o": AgentKind(_online_memory, _config_actions),
    "optimal": AgentKind(_optimal, _config_actions, learns=False, looks_up=True),
    "dqn": AgentKind(_dqn, _by_dqn),
    "dqn_o": AgentKind(lambda given: _dqn(given, online=True), _by_dqn),
    "object_search": AgentKind(_object_search, _by_object_search),
    "object_search_o": AgentKind(lambda given: _object_search(given, online=True), _by_object_search),
}
