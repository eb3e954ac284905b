"""`imaginer`: plans by imagining. It builds scenes from what it sees, tries shots in them, takes the one that wins in most.

1. The scene as it is seen, put in order, and scenes that the noise may have made look the same.
2. Shots are tried in the first scene, then variations of the best of them.
3. The best are tried in the other scenes; the mean decides.

All draws come from the observation, so what looks the same is shot at in the same way. With several birds left, a try is
a shot for each of them. The first one is taken, and after it the agent looks again, unless the plan is to shoot the next
bird while things move.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from comphy.puzzles.phyq.benchmark.contract import Agent, AgentKind, Choice, Simulate, SimulationResult
from comphy.puzzles.phyq.benchmark.observing.symbolic import SymbolicState, to_json
from comphy.puzzles.phyq.benchmark.plain_shots import FAR_DEGREES
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Level, Platform
from models.agents.phyq.proposals import AIMED, Proposer, varied
from models.agents.phyq.reconstruction import arranged, drawn, level_seen
from models.agents.phyq.several_birds import Plan, plans_for_several_birds

FEWEST_FINALISTS: Final = 3
GAMES_PER_FINALIST: Final = 5  # on average, since half of them leave the race twice
HALVED_AFTER: Final = (3, 5)  # scenes
OPENING_GAMES: Final = 0.8  # of those for a single bird, where there are several
NEAR: Final = 3.0  # metres, within which coming near a pig is worth something


@dataclass(frozen=True)
class SearchBudget:
    """How much is imagined for a shot: `work` in games of a level without blocks, which take about 10 ms."""

    work: float = 1200.0
    games: int = 300
    fewest: int = 60
    scenes: int = 9
    explored: float = 0.5  # share of the games in which proposals are tried
    improved: float = 0.2  # in which the best are varied
    parents: int = 8
    finalists: int = 16  # at most, of those that are tried in all scenes


def imagine_and_shoot(
    budget: SearchBudget,
    state: SymbolicState,
    rng: np.random.Generator,
    simulate: Simulate,
    proposer: Proposer = AIMED,
) -> Choice:
    """`rng` is not used: draws come from what is seen."""
    own, seen = draws_of(to_json(state)), level_seen(state)
    if not any(seen.pigs):
        return Choice(Shot.at(FAR_DEGREES), "far", "no pig is seen")
    scenes = [arranged(seen), *(arranged(drawn(seen, own)) for _ in range(budget.scenes - 1))]
    return search(budget, scenes, own, simulate, proposer)


def draws_of(seen: str) -> np.random.Generator:
    """Random numbers that depend on what is seen alone."""
    return np.random.default_rng(list(hashlib.sha256(seen.encode()).digest()))


def search(
    budget: SearchBudget,
    scenes: Sequence[Level],
    rng: np.random.Generator,
    simulate: Simulate,
    proposer: Proposer = AIMED,
) -> Choice:
    """The shot that wins in most of the scenes, the first of which is that in which shots are looked for."""
    return _Search(budget, scenes, rng, simulate, proposer).choice()


def value(found: SimulationResult, pigs: int) -> float:
    """1 for a win; else up to 0.6, for pigs that died, hurt and near misses."""
    if found.won:
        return 1.0
    near = max(0.0, 1.0 - found.nearest / NEAR)
    return 0.4 * (1.0 - found.pigs_left / pigs) + 0.1 * (1.0 - found.pig_life) + 0.1 * near


class _Search:
    def __init__(
        self,
        budget: SearchBudget,
        scenes: Sequence[Level],
        rng: np.random.Generator,
        simulate: Simulate,
        proposer: Proposer,
    ) -> None:
        self._proposer = proposer
        self._budget, self._scenes, self._rng, self._simulate = budget, scenes, rng, simulate
        self._pigs = sum(1 for _ in scenes[0].pigs)
        self._values: dict[Plan, list[float]] = {}
        self._imagined = 0
        self._games = _games(budget, scenes[0], len(scenes[0].birds))

    def choice(self) -> Choice:
        for plan in self._proposals():
            self._try(self._scenes[0], plan)
        for _ in range(round(self._budget.improved * self._games)):
            best = self._best(self._budget.parents)
            self._try(self._scenes[0], self._child(best[self._rng.integers(len(best))]))
        self._compare()
        [plan] = self._best(1)
        wins = sum(one == 1.0 for one in self._values[plan])
        reason = f"wins in {wins} of {len(self._values[plan])} scenes, {self._imagined} games imagined"
        then = () if plan[0].watch is None else plan[1:]
        return Choice(plan[0], "imagined win" if wins else "imagined progress", reason, self._imagined, then)

    def _proposals(self) -> Sequence[Plan]:
        scene, budget = self._scenes[0], self._budget
        if len(scene.birds) > 1:
            games = round(OPENING_GAMES * _games(budget, scene, 1))
            return plans_for_several_birds(scene, games, self._rng, self._counted, self._value, self._proposer)
        shots = self._proposer.shots(scene, scene.birds[0], self._rng)
        return [(shot,) for shot in shots[: round(budget.explored * self._games)]]

    def _child(self, parent: Plan) -> Plan:
        """Close to a good one; where there are several birds, with some of its shots as they are."""
        if len(parent) == 1:
            return (varied(parent[0], self._rng, float(self._rng.choice([0.3, 1.0]))),)
        changed = {int(self._rng.integers(len(parent))), int(self._rng.integers(len(parent)))}
        return tuple(varied(shot, self._rng, 0.5) if k in changed else shot for k, shot in enumerate(parent))

    def _compare(self) -> None:
        """The best in the other scenes, scene by scene; the worse half leaves the race twice."""
        kept = int((1.0 - self._budget.explored - self._budget.improved) * self._games)
        left = max(kept, self._games - self._imagined)
        finalists = self._best(min(self._budget.finalists, max(FEWEST_FINALISTS, left // GAMES_PER_FINALIST)))
        for number, scene in enumerate(self._scenes[1:], 1):
            for plan in finalists:
                self._try(scene, plan)
            if number in HALVED_AFTER:
                finalists = sorted(finalists, key=self._mean, reverse=True)
                finalists = finalists[: max(FEWEST_FINALISTS, len(finalists) // 2)]

    def _best(self, count: int) -> list[Plan]:
        """Those that were tried in more scenes come first: they are the ones that were good before."""
        order = sorted(self._values, key=lambda plan: (len(self._values[plan]) > 1, self._mean(plan)), reverse=True)
        return order[:count]

    def _mean(self, plan: Plan) -> float:
        """As if it had failed in one more scene: what was tried in few of them is not trusted as much."""
        return sum(self._values[plan]) / (len(self._values[plan]) + 1)

    def _try(self, scene: Level, plan: Plan) -> None:
        self._values.setdefault(plan, []).append(self._value(self._counted(scene, plan)))

    def _counted(self, scene: Level, plan: Plan) -> SimulationResult:
        self._imagined += 1
        return self._simulate(scene, plan)

    def _value(self, found: SimulationResult) -> float:
        return value(found, self._pigs)


def _games(budget: SearchBudget, level: Level, birds: int) -> int:
    """Things that move cost time, the more the more there are; so does each bird."""
    loose = sum(not isinstance(thing, Platform) for thing in level.things)
    cost = birds * (1.0 + 0.25 * loose + 0.022 * loose**2)
    return int(min(budget.games, max(budget.fewest, budget.work / cost / birds)))


QUICK: Final = SearchBudget(work=250.0, games=75, fewest=15, scenes=5, finalists=6)
IMAGINER: Final = Agent("imaginer", AgentKind.PLANNING, partial(imagine_and_shoot, SearchBudget()))
IMAGINER_QUICK: Final = Agent("imaginer_quick", AgentKind.PLANNING, partial(imagine_and_shoot, QUICK))
