"""Who plays with trained networks: the release degree of the highest Q-value, seen once, shot once."""

from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from comphy.choices import Generalisation
from comphy.config import build, read_yaml, under_present_names
from comphy.errors import ConfigError
from comphy.puzzles.phyq.benchmark.contract import Agent, AgentKind, Choice, Simulate, View
from comphy.puzzles.phyq.benchmark.observing.scene import BIRD_KINDS, REDUCED, to_pixel
from comphy.puzzles.phyq.benchmark.plain_shots import degree_shot
from comphy.puzzles.phyq.pictures.drawing import BIRDS_RGB
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.constants import RELEASE
from models.agents.phyq.learners.config import LearnerConfig, NetworkKind
from models.agents.phyq.learners.runs import MODEL, learned_from, network_name, read_network
from models.agents.phyq.learners.views import as_input
from models.train.cpu import one_thread
from models.train.run import CONFIG

TASK: Final = "phyq_learner"
_KEPT: Final = 2  # networks in memory; tasks are played template by template


@dataclass(frozen=True)
class LearnedAgent(Agent):
    """`networks`: how those of the run are told apart."""

    folder: Path = Path()
    network: NetworkKind = NetworkKind.DDQN_SYMBOLIC
    shared_network: bool = False

    def for_template(self, template_id: str) -> Agent | None:
        name = self._name(template_id)
        if not (self.folder / name / MODEL).is_file():
            return None
        return Agent(self.name, self.kind, partial(shoot, self.folder, name, self.network), self.view)

    def learned_from(self, template_id: str) -> frozenset[str]:
        return learned_from(self.folder, self._name(template_id))

    def _name(self, template_id: str) -> str:
        return network_name(self.setup or Generalisation.BROAD, self.shared_network, template_id)


def read_agent(folder: Path) -> LearnedAgent:
    """The agent that was trained in a folder. Raises `ConfigError` if none was, or if it is not finished."""
    config = _config(folder / CONFIG)
    if not list(folder.glob(f"*/{MODEL}")):
        raise ConfigError(
            f"{folder}: expected at least one trained network, such as 1/{MODEL} (found none). Train them with the command "
            "that began the run."
        )
    kind = NetworkKind(config.network.kind)
    return LearnedAgent(
        name=folder.resolve().name,
        kind=AgentKind.LEARNING,
        shoot=partial(shoot, folder, network_name(config.generalisation, True, ""), kind),
        view=kind.view,
        setup=config.generalisation,
        folder=folder,
        network=kind,
        shared_network=config.shared_network,
    )


def shoot(
    folder: Path, name: str, kind: NetworkKind, seen: NDArray[np.uint8], rng: np.random.Generator, simulate: Simulate
) -> Choice:
    """The action of the highest Q-value; taps are the published environment's."""
    with one_thread(), torch.no_grad():
        values = _network(folder, name, kind)(as_input(kind.view, seen))[0]
    action = int(values.argmax())
    return Choice(degree_shot(action, bird_in_sling(kind.view, seen), rng), kind.value, f"Q = {values[action]:.3f}")


def bird_in_sling(view: View, seen: NDArray[np.uint8]) -> Bird:
    """The bird at the release point, by its plane or its colour."""
    column, row = (int(place) for place in to_pixel(RELEASE))
    if view is View.PLANES:
        return max(Bird, key=lambda bird: int(seen[BIRD_KINDS[bird], row // REDUCED, column // REDUCED]))
    color = seen[row, column].astype(int)
    return min(Bird, key=lambda bird: int(np.abs(color - BIRDS_RGB[bird]).sum()))


def _config(path: Path) -> LearnerConfig:
    values = read_yaml(path) if path.is_file() else None
    if not isinstance(values, dict) or values.get("task") != TASK:
        found = values.get("task") if isinstance(values, dict) else "no such file"
        raise ConfigError(
            f"{path}: expected the config of a run with `task: {TASK}` (got {found}). Give --agent the folder that "
            "comphy train was given as --out."
        )
    return build(LearnerConfig, under_present_names(LearnerConfig, values), str(path))


@lru_cache(maxsize=_KEPT)
def _network(folder: Path, name: str, kind: NetworkKind) -> nn.Module:
    return read_network(folder, name, kind)
