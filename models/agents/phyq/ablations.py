"""`imaginer` with a part taken away, and what it could reach if it saw more: what each part is worth."""

from functools import partial
from typing import Final

import numpy as np

from comphy.puzzles.phyq.benchmark.contract import Agent, AgentKind, Choice, Simulate, View
from comphy.puzzles.phyq.benchmark.observing.symbolic import SymbolicState, to_json
from comphy.puzzles.phyq.benchmark.plain_shots import FAR_DEGREES, random_shot
from comphy.puzzles.phyq.world.catalog import Bird
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level
from models.agents.phyq.imaginer import SearchBudget, draws_of, imagine_and_shoot, search
from models.agents.phyq.proposals import Proposer, proposals
from models.agents.phyq.reconstruction import arranged, level_seen

RANDOM_SHOTS: Final = 300  # as many as games are imagined for a shot at most


def take_the_first_proposal(state: SymbolicState, rng: np.random.Generator, simulate: Simulate) -> Choice:
    """Nothing is imagined."""
    seen = level_seen(state)
    shots = proposals(arranged(seen), seen.birds[0], draws_of(to_json(state)))
    return Choice(shots[0] if any(seen.pigs) else Shot.at(FAR_DEGREES), "first proposal")


def imagine_the_truth(level: Level, rng: np.random.Generator, simulate: Simulate) -> Choice:
    """In one scene, which is what is there. Only how much a pig is hurt is not known."""
    return search(SearchBudget(scenes=1), [level], draws_of(repr(level)), simulate)


def random_shots(level: Level, bird: Bird, rng: np.random.Generator) -> list[Shot]:
    """Pulls of the random player, which look at nothing."""
    return [random_shot(bird, rng) for _ in range(RANDOM_SHOTS)]


def _planning(name: str, view: View = View.SYMBOLIC, *, scenes: int = 9) -> Agent:
    return Agent(name, AgentKind.PLANNING, partial(imagine_and_shoot, SearchBudget(scenes=scenes)), view)


ABLATIONS: Final = (
    Agent("first_proposal", AgentKind.PLANNING, take_the_first_proposal),
    Agent(
        "imaginer_random_shots",
        AgentKind.PLANNING,
        partial(imagine_and_shoot, SearchBudget(), proposer=Proposer(random_shots, random_shots)),
    ),
    _planning("imaginer_one_scene", scenes=1),
    _planning("imaginer_without_noise", View.SYMBOLIC_EXACT),
    Agent("imaginer_truth", AgentKind.PLANNING, imagine_the_truth, View.TRUTH),
)
