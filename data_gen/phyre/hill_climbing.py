"""Stochastic hill climbing for a stable solution: the actions that came closest to the goal are varied.

On the hardest published tasks one random action in ten thousand is a solution; far more come close, and their neighbours
closer. The objective is `closeness` for an action that fails; for a solution it is higher, the more shifts by half a pixel
it survives (`robustness`).
"""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from comphy.puzzles.phyre.world.actions import Floats
from comphy.puzzles.phyre.world.observations.closeness import closeness
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.simulator import STABILITY_SHIFTS, ActionSimulator

Action = tuple[float, ...]

STRIDE: Final = 20  # steps between two recorded states of a run
SOLVED: Final = 2.0  # objective of a solution, to which its robustness is added
BEST: Final = 6  # actions that are varied
ROUND: Final = 20  # actions between two choices of the best
SPREADS: Final = (0.004, 0.015, 0.05, 0.2)  # standard deviations of a variation, as a share of the unit cube
VARIED: Final = 0.6  # share of an action's numbers that are varied
CROSSED: Final = 0.15  # share of actions that take one ball from another of the best (crossover)
RESTARTED: Final = 0.15  # share of actions that are drawn anew at random (random restart)


class HillClimber:
    """Climbs on one scene. `valid`: gives those of actions [N, D] that may be tried."""

    def __init__(
        self,
        simulator: ActionSimulator,
        scene: Scene,
        rng: np.random.Generator,
        valid: Callable[[Floats], Iterator[Action]],
    ) -> None:
        self._simulator, self._scene, self._rng, self._valid = simulator, scene, rng, valid
        self._tried: list[Action] = []
        self._scores: list[float] = []
        self.spent = 0  # simulated runs

    def climb(self, budget: int) -> Action | None:
        """A stable solution, if one is found within so many runs."""
        while self.spent < budget:
            for action in self._valid(self._proposed()):
                if self._try(action):
                    return action
        return None

    def _try(self, action: Action) -> bool:
        seen = self._simulator.simulate_action(0, action, need_images=False, need_states=True, stride=STRIDE)
        self.spent += 1
        if seen.status.is_solved():
            score = SOLVED + self._simulator.robustness(0, action)
            self.spent += len(STABILITY_SHIFTS)
        else:
            assert seen.states is not None
            score = closeness(self._scene, seen.states, STRIDE)
        self._tried.append(action)
        self._scores.append(score)
        return score == SOLVED + 1.0

    def _proposed(self) -> Floats:
        """Actions [ROUND, D]: variations of the best so far, crossovers, and new ones."""
        rng, new = self._rng, self._simulator.tier.sample(ROUND, self._rng)
        if len(self._tried) < BEST:
            return new
        tried = np.array(self._tried)
        best = np.argsort(self._scores)[-BEST:]
        varied = tried[rng.choice(best, ROUND)]
        spread = rng.choice(SPREADS, size=(ROUND, 1)) * (rng.random(varied.shape) < VARIED)
        varied = np.clip(varied + spread * rng.standard_normal(varied.shape), 0.0, 1.0)
        crossed = rng.random(ROUND) < CROSSED
        varied[crossed, :3] = tried[rng.choice(best, ROUND)][crossed, :3]
        restarted = rng.random(ROUND) < RESTARTED
        varied[restarted] = new[restarted]
        return varied
