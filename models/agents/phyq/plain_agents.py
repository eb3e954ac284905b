"""The two simplest published agents, which know no physics but the flight of birds. They see the noisy symbolic state."""

from typing import Final

import numpy as np

from comphy.puzzles.phyq.benchmark.contract import Agent, AgentKind, Choice, Simulate
from comphy.puzzles.phyq.benchmark.observing.symbolic import SymbolicState
from comphy.puzzles.phyq.benchmark.plain_shots import FAR_DEGREES, random_shot, shot_through
from comphy.puzzles.phyq.world.launch import Shot
from models.agents.phyq.perception import next_bird, pigs


def random_pull(state: SymbolicState, rng: np.random.Generator, simulate: Simulate) -> Choice:
    return Choice(random_shot(next_bird(state), rng), "random")


def shoot_a_pig(state: SymbolicState, rng: np.random.Generator, simulate: Simulate) -> Choice:
    """A random pig, by the low or the high arc; a far shot if it is out of reach."""
    seen = pigs(state)
    if not seen:
        return Choice(Shot.at(FAR_DEGREES), "far", "no pig is seen")
    target = seen[rng.integers(len(seen))]
    shot, where = shot_through(target, next_bird(state), rng), f"a pig at {target[0]:.1f}, {target[1]:.1f}"
    return (
        Choice(Shot.at(FAR_DEGREES), "far", f"{where} is out of reach") if shot is None else Choice(shot, "pig", where)
    )


RANDOM: Final = Agent("random", AgentKind.RANDOM, random_pull)
PIG_SHOOTER: Final = Agent("pig_shooter", AgentKind.HEURISTIC, shoot_a_pig)
