"""Looks for a stable solution step by step: attempts that came closer to the goal are varied.

Of the hardest published tasks one random action in ten thousand solves one; far more come close, and those around them
closer.
Of solutions, those are closer that hold after more shifts by half a pixel.
"""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from comphy.puzzles.phyre.world.actions import Floats
from comphy.puzzles.phyre.world.closeness import closeness
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.simulator import STABILITY_SHIFTS, ActionSimulator

Action = tuple[float, ...]

STRIDE: Final = 20  # steps between two looks at a run
SOLVED: Final = 2.0  # closeness of a solution, to which the share of shifts is added
BEST: Final = 6  # attempts that are varied
ROUND: Final = 20  # attempts between two choices of the best
SPREADS: Final = (0.004, 0.015, 0.05, 0.2)  # how far an attempt is varied, as a share of the unit cube
TOUCHED: Final = 0.6  # share of an action's numbers that are varied
MIXED: Final = 0.15  # share of attempts that take one ball from another of the best
ANYWHERE: Final = 0.15  # share of attempts that begin anew


class Climber:
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
            score = SOLVED + self._simulator.steadiness(0, action)
            self.spent += len(STABILITY_SHIFTS)
        else:
            assert seen.states is not None
            score = closeness(self._scene, seen.states, STRIDE)
        self._tried.append(action)
        self._scores.append(score)
        return score == SOLVED + 1.0

    def _proposed(self) -> Floats:
        """Actions [ROUND, D]: variations of the best so far, mixtures, and new ones."""
        rng, new = self._rng, self._simulator.tier.sample(ROUND, self._rng)
        if len(self._tried) < BEST:
            return new
        tried = np.array(self._tried)
        best = np.argsort(self._scores)[-BEST:]
        varied = tried[rng.choice(best, ROUND)]
        spread = rng.choice(SPREADS, size=(ROUND, 1)) * (rng.random(varied.shape) < TOUCHED)
        varied = np.clip(varied + spread * rng.standard_normal(varied.shape), 0.0, 1.0)
        mixed = rng.random(ROUND) < MIXED
        varied[mixed, :3] = tried[rng.choice(best, ROUND)][mixed, :3]
        anywhere = rng.random(ROUND) < ANYWHERE
        varied[anywhere] = new[anywhere]
        return varied
