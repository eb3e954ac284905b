"""The players of the site, with what they are handed from above: agents to watch, and a folder for rounds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from comphy.puzzles.phyq.benchmark.contract import Agent
from comphy.puzzles.phyq.player.answers import phyq_player
from comphy.puzzles.phyq.player.game import PlayedGames
from comphy.puzzles.phyre.player.answers import phyre_player
from comphy.puzzles.player.player import Player
from comphy.toolkit.explorer.puzzles.phyre_agents import phyre_agents
from comphy.toolkit.explorer.puzzles.rounds import Rounds

ROUNDS: Final = Path("out/phyq_rounds")
WATCHED: Final = ("random", "pig_shooter", "bambirds", "eagles_wing", "datalab", "imaginer_quick", "imaginer")


def puzzle_players(rounds: Path | None = None, results: Sequence[Path] = ()) -> list[Player]:
    """Args:
    rounds: the folder of rounds of Phy-Q that were played; without it, `ROUNDS`.
    results: files of what agents of PHYRE tried.

    Raises:
        ConfigError, DatasetError: see `phyre_agents`."""
    games, agents = PlayedGames(), phyre_agents(results)
    return [phyre_player(lambda: agents), phyq_player(games, watched_agents, Rounds(rounds or ROUNDS, games).answers)]


def watched_agents() -> Mapping[str, Agent]:
    """Imported when the first page asks, so that the others come at once."""
    from models.agents.phyq.agents import AGENTS

    return {name: AGENTS[name] for name in WATCHED}
