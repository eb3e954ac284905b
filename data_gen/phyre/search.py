"""Searches for an action that solves a scene stably: also when its balls are moved by half a pixel.

Random search first, then around the solutions of sibling scenes (those of the same template), then hill climbing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS, Floats, Tier
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from comphy.sim.bullet import Engine
from data_gen.phyre.hill_climbing import Action, HillClimber

NEIGHBOURHOODS: Final = (0.0, 0.004, 0.015, 0.05)  # standard deviations around a sibling's solution
MIXED: Final = 0.5  # share of these that take their two balls from two siblings
NEARNESS: Final = 3  # with two balls, half of the siblings that are drawn are among the eighth that is most alike
FEW: Final = 30  # siblings; with more, a scene that they do not help with is left for the last round
MARGINS: Final = (0.25, 0.75, 1.0, 1.5)  # pixels
TIGHT: Final = 0.006  # how far from a solution that is not stable
_TIGHT_TRIES: Final = 16
_CHUNK: Final = 25


@dataclass(frozen=True)
class Effort:
    """How many valid actions are tried on a scene, in this order."""

    probe: int = 100  # at random, always: their share of solutions is the scene's difficulty
    sibling_tries: int = 150  # near the solutions of sibling scenes, those of the same template
    extra_random: int = 400  # at random once more
    hill_climbing_runs: int = 0  # simulated runs of hill climbing
    single_ball_tries: int = 150  # single balls at random, where two must be needed


EFFORT: Final = {BALL: Effort(), TWO_BALLS: Effort(extra_random=100, hill_climbing_runs=600)}


@dataclass(frozen=True)
class Search:
    """`stable` of the `probed` random actions solve the scene stably; `tried` counts all actions."""

    solution: Action | None
    probed: int
    stable: int
    tried: int


class Searcher:
    """Tries actions on one scene."""

    def __init__(self, scene: Scene, tier: Tier, rng: np.random.Generator, engine: Engine) -> None:
        self.scene, self.tier, self._rng, self._engine = scene, tier, rng, engine
        self._simulator = ActionSimulator({"": scene}, tier, engine)
        self._tried = 0

    def solves_itself(self) -> bool:
        return self._simulator.simulate_action(0, None, need_images=False).status.is_solved()

    def search(self, siblings: Sequence[Action], effort: Effort, last: bool = False) -> Search:
        """`siblings` are solutions of scenes like this one, for two balls those of the most alike first. `last`: it is
        not tried again."""
        probe = list(islice(self._random(), effort.probe))
        found = [action for action in self._solving(probe) if self._is_stable(action)]
        if found:
            return Search(found[0], len(probe), len(found), self._tried)
        near = islice(self._near(siblings), effort.sibling_tries if siblings else 0)
        for source in (near, islice(self._random(), effort.extra_random)):
            solution = self._first_stable(source)
            if solution is not None:
                return Search(solution, len(probe), 0, self._tried)
        if len(siblings) >= FEW and not last:
            return Search(None, len(probe), 0, self._tried)
        climber = HillClimber(self._simulator, self.scene, self._rng, self.valid)
        solution = climber.climb(effort.hill_climbing_runs)
        return Search(solution, len(probe), 0, self._tried + climber.spent)

    def stable_near(self, actions: Sequence[Action], tries: int) -> Iterator[Action]:
        """Stable solutions among valid actions near these."""
        source = islice(self._near(actions), tries)
        while chunk := list(islice(source, _CHUNK)):
            yield from filter(self._is_stable, self._solving(chunk))

    def margin(self, action: Action) -> float:
        """Of a stable solution: its robustness, from 0 to 1, averaged over shifts of up to 1.5 pixels."""
        return sum(self._simulator.robustness(0, action, pixels) for pixels in MARGINS) / len(MARGINS)

    def one_ball_is_enough(self, solution: Action, effort: Effort) -> bool:
        """Whether one ball of the solution, or a ball anywhere, solves the scene stably."""
        alone = Searcher(self.scene, BALL, self._rng, self._engine)
        tries = [
            *alone.valid(np.array([solution[:3], solution[3:]])),
            *islice(alone._random(), effort.single_ball_tries),
        ]
        return any(alone._is_stable(action) for action in alone._solving(tries))

    def solved_by(self, actions: Sequence[Action]) -> list[bool]:
        statuses = self._simulator.statuses(0, np.array(actions))
        return [bool(status == SimulationStatus.SOLVED) for status in statuses]

    def _random(self) -> Iterator[Action]:
        while True:
            yield from self.valid(self.tier.sample(_CHUNK, self._rng))

    def _near(self, siblings: Sequence[Action]) -> Iterator[Action]:
        """Around solutions of siblings, and of their mirror images; of two balls also the left one of a sibling with the
        right one of another, since many scenes are two halves that vary by themselves."""
        pool = np.array(siblings)
        while True:
            chosen = self._of_siblings(pool)
            if self.tier.balls > 1:
                mixed = self._rng.random(_CHUNK) < MIXED
                chosen[mixed, 3:] = self._of_siblings(pool)[mixed, 3:]
            reach = self._rng.choice(NEIGHBOURHOODS, size=(_CHUNK, 1))
            yield from self.valid(np.clip(chosen + reach * self._rng.standard_normal(chosen.shape), 0.0, 1.0))

    def _of_siblings(self, pool: Floats) -> Floats:
        """Some of their solutions [_CHUNK, D], some of them mirrored, balls from left to right."""
        chosen = pool[self._places(len(pool))]
        mirrored = self._rng.random(_CHUNK) < 0.3
        chosen[mirrored, ::3] = 1.0 - chosen[mirrored, ::3]
        balls = chosen.reshape(_CHUNK, self.tier.balls, 3)
        order = balls[..., 0].argsort(axis=1, kind="stable")
        return np.take_along_axis(balls, order[..., None], axis=1).reshape(chosen.shape)

    def _places(self, siblings: int) -> NDArray[np.int64]:
        """Places [_CHUNK] of siblings, the most alike more often; for one ball uniform, as when its task list was chosen."""
        if self.tier.balls == 1:
            return self._rng.integers(siblings, size=_CHUNK)
        return (siblings * self._rng.random(_CHUNK) ** NEARNESS).astype(np.int64)

    def valid(self, actions: Floats) -> Iterator[Action]:
        """Those that may be tried, each as the action in the middle of all that mean the same balls."""
        allowed = actions[self.tier.in_space(actions)]
        central = self.tier.actions_of(self.tier.balls_of(allowed).reshape(len(allowed), -1))
        for action in central[self.tier.valid(self.scene, central)]:
            yield tuple(action.tolist())

    def _first_stable(self, source: Iterator[Action]) -> Action | None:
        while chunk := list(islice(source, _CHUNK)):
            for action in self._solving(chunk):
                if self._is_stable(action):
                    return action
                for other in self._solving(self._around(action)):
                    if self._is_stable(other):
                        return other
        return None

    def _around(self, action: Action) -> list[Action]:
        moved = np.array(action) + TIGHT * self._rng.standard_normal((_TIGHT_TRIES, len(action)))
        return list(self.valid(np.clip(moved, 0.0, 1.0)))

    def _solving(self, actions: Sequence[Action]) -> list[Action]:
        if not actions:
            return []
        self._tried += len(actions)
        statuses = self._simulator.statuses(0, np.array(actions))
        return [action for action, status in zip(actions, statuses, strict=True) if status == SimulationStatus.SOLVED]

    def _is_stable(self, action: Action) -> bool:
        return self._simulator.simulate_action(0, action, need_images=False, stable=True).status.is_stably_solved()
