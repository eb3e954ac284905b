"""The two simplest published agents, which know no physics but the flight of birds. They see the noisy symbolic state."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from comphy.errors import ConfigError, did_you_mean
from comphy.puzzles.phyq.benchmark.evaluator import Strategy
from comphy.puzzles.phyq.benchmark.flight import seconds_to_ground
from comphy.puzzles.phyq.benchmark.scene import PIXELS_PER_METRE
from comphy.puzzles.phyq.benchmark.symbolic import SymbolicState
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from models.agents.phyq.perception import next_bird, pigs

RANDOM_PULL: Final = ((-200.0, -10.0), (-200.0, 200.0))  # pixels to the right and up
RANDOM_TAP: Final = (0.5, 0.8)  # of the time to the ground
FAR_DEGREES: Final = 23.8  # of shots at what is out of reach
SHOOTER_TAPS: Final[Mapping[Bird, tuple[float, float]]] = {  # of the way to the pig
    Bird.YELLOW: (0.65, 0.9),
    Bird.WHITE: (0.5, 0.7),
    Bird.BLUE: (0.65, 0.85),
}


@dataclass(frozen=True)
class Agent:
    """`plays`: how many independent plays of a task the published evaluation takes the mean of."""

    shoot: Strategy
    plays: int


def random_pull(state: SymbolicState, rng: np.random.Generator) -> Shot:
    """A pull anywhere to the left of the slingshot."""
    x, y = (rng.uniform(*bounds) / PIXELS_PER_METRE for bounds in RANDOM_PULL)
    shot = Shot(x, y)
    tap = rng.uniform(*RANDOM_TAP) * seconds_to_ground(shot)
    return shot if next_bird(state) is Bird.RED else replace(shot, tap=tap)


def shoot_a_pig(state: SymbolicState, rng: np.random.Generator) -> Shot:
    """A random pig, by the low or the high arc; a far shot if it is out of reach."""
    seen = pigs(state)
    arcs = aimed_at(target := seen[rng.integers(len(seen))]) if seen else []
    if not arcs:
        return Shot.at(FAR_DEGREES)
    shot, bird = arcs[rng.integers(len(arcs))], next_bird(state)
    if bird not in SHOOTER_TAPS:
        return shot
    flight = (target[0] - shot.start[0]) / max(shot.velocity[0], 1e-9)
    return replace(shot, tap=rng.uniform(*SHOOTER_TAPS[bird]) * flight)


AGENTS: Final[Mapping[str, Agent]] = {"random": Agent(random_pull, 50), "pig_shooter": Agent(shoot_a_pig, 5)}


def find_agent(name: str) -> Agent:
    """Raises `ConfigError` if there is none of this name."""
    if name not in AGENTS:
        raise ConfigError(f"Expected an agent (got '{name}'); {did_you_mean(name, AGENTS)}")
    return AGENTS[name]
