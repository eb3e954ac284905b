"""Compares the game with the published one: how often the two simplest players win, scenario by scenario."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from comphy.puzzles.phyq.templates.published import Template, load_templates
from comphy.puzzles.phyq.templates.variation import vary
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.sim.bullet import Engine
from data_gen.phyq.plain_players import Player, shot_anywhere, shot_at_a_pig

# Wins and plays of the published Pig Shooter, first plays of tasks 81 to 100 of all templates of a scenario.
PIG_SHOOTER: Final[Mapping[int, tuple[int, int]]] = {
    1: (55, 100), 2: (65, 100), 3: (0, 120), 4: (4, 100), 5: (0, 84), 6: (0, 120), 7: (0, 100), 8: (0, 80), 9: (0, 80),
    10: (0, 80), 11: (2, 98), 12: (2, 111), 13: (0, 100), 14: (0, 40), 15: (3, 159),
}  # fmt: skip
PLAYS_PER_LEVEL: Final = 4


@dataclass(frozen=True)
class WinRate:
    """Wins in so many plays of each template."""

    wins: Mapping[str, int]
    plays: int

    @property
    def total(self) -> tuple[int, int]:
        return sum(self.wins.values()), self.plays * len(self.wins)


def random_rate(scenario: int, plays: int, engine: Engine, seed: int = 0) -> WinRate:
    """Of the random player, on levels after the scenario's test templates, as published."""
    chosen = [one for one in load_templates().values() if one.scenario == scenario and one.split == "test"]
    return _rate(chosen, shot_anywhere, plays, engine, seed)


def pig_shooter_rate(scenario: int, plays: int, engine: Engine, seed: int = 0) -> WinRate:
    """Of the player that shoots at pigs, on levels after all templates of the scenario."""
    chosen = [one for one in load_templates().values() if one.scenario == scenario]
    return _rate(chosen, shot_at_a_pig, plays, engine, seed)


def _rate(templates: list[Template], player: Player, plays: int, engine: Engine, seed: int) -> WinRate:
    """`plays` of each template, rounded up to whole levels."""
    levels = -(-plays // PLAYS_PER_LEVEL)
    wins = {one.id: _wins(one, player, levels, engine, seed) for one in templates}
    return WinRate(wins, levels * PLAYS_PER_LEVEL)


def _wins(template: Template, player: Player, levels: int, engine: Engine, seed: int) -> int:
    wins = 0
    for number in range(levels):
        rng = np.random.default_rng([seed, number, *map(int, template.id.split("."))])
        with Game(vary(template, rng), engine) as game:
            for _ in range(PLAYS_PER_LEVEL):
                wins += game.play([player(game.level, bird, rng) for bird in game.level.birds]) is Status.WON
    return wins
