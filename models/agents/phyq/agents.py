"""The agents of Phy-Q by name."""

from collections.abc import Mapping
from typing import Final

from comphy.errors import ConfigError, did_you_mean
from comphy.puzzles.phyq.benchmark.contract import Agent
from models.agents.phyq.imaginer import IMAGINER, IMAGINER_QUICK, ONE_SCENE
from models.agents.phyq.plain_agents import PIG_SHOOTER, RANDOM
from models.agents.phyq.rules.bambirds import BAMBIRDS
from models.agents.phyq.rules.datalab import DATALAB
from models.agents.phyq.rules.eagles_wing import EAGLES_WING

AGENTS: Final[Mapping[str, Agent]] = {
    agent.name: agent
    for agent in (RANDOM, PIG_SHOOTER, BAMBIRDS, EAGLES_WING, DATALAB, IMAGINER, IMAGINER_QUICK, ONE_SCENE)
}


def find_agent(name: str) -> Agent:
    """Raises `ConfigError` if there is none of this name."""
    if name not in AGENTS:
        raise ConfigError(f"Expected an agent (got '{name}'); {did_you_mean(name, AGENTS)}")
    return AGENTS[name]
