"""The agents of Phy-Q by name, or by the folder in which they were trained."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from comphy.errors import ConfigError, did_you_mean
from comphy.puzzles.phyq.benchmark.contract import Agent
from models.agents.phyq.ablations import ABLATIONS
from models.agents.phyq.imaginer import IMAGINER, IMAGINER_QUICK
from models.agents.phyq.plain_agents import PIG_SHOOTER, RANDOM
from models.agents.phyq.rules.bambirds import BAMBIRDS
from models.agents.phyq.rules.datalab import DATALAB
from models.agents.phyq.rules.eagles_wing import EAGLES_WING

AGENTS: Final[Mapping[str, Agent]] = {
    agent.name: agent
    for agent in (RANDOM, PIG_SHOOTER, BAMBIRDS, EAGLES_WING, DATALAB, IMAGINER, IMAGINER_QUICK, *ABLATIONS)
}


def find_agent(name: str) -> Agent:
    """The agent of this name, or the one that was trained in this folder. Raises `ConfigError` if there is none."""
    if name in AGENTS:
        return AGENTS[name]
    if Path(name).is_dir():
        from models.agents.phyq.learners.agent import read_agent  # which needs torch

        return read_agent(Path(name))
    raise ConfigError(
        f"Expected an agent, or the folder of a run that has trained one (got '{name}'); {did_you_mean(name, AGENTS)}"
    )
