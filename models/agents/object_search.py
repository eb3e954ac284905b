"""OBJECT-SEARCH, an agent of our own: looks at what its failed attempts did to the objects, and thinks again.

A ranking that is fixed beforehand tries the neighbours of its favourite even after the favourite has failed. This agent
holds its judges' opinion against what it sees (`Belief`): a failure counts against similar actions, and attempts that came
close to the goal speak for the actions around them, also for some that are not in the list. It learns as DQN does, from the
same tried actions, and uses the simulator for nothing but its attempts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import md5

import numpy as np

from comphy.puzzles.phyre.world.closeness import closeness
from comphy.puzzles.phyre.world.simulator import GLIMPSE_STRIDE
from models.agents.belief import Belief, BeliefSettings
from models.agents.contract import Floats, OfflineAgent, Plan, Puzzle, Trial
from models.agents.scorers.scorer import Judge, Opinion
from models.agents.scorers.training import OnlineLearner, OnlineSettings


@dataclass(frozen=True)
class SearchSettings:
    belief: BeliefSettings = field(default_factory=BeliefSettings)
    neighbours: int = 16  # of the closest attempt so far that become candidates after a failure; 0: only the list
    spread: float = 6.0  # pixels of a neighbour's normal deviation from it

    def __post_init__(self) -> None:
        if self.neighbours < 0 or self.spread <= 0:
            raise ValueError(f"expected neighbours not below 0 and spread above 0 (got {self})")

    @property
    def watches(self) -> bool:
        """Whether it matters how close an attempt came; if not, runs need not be watched."""
        return self.neighbours > 0 or self.belief.closeness > 0


class ObjectSearchAgent(OfflineAgent):
    """`judges`: the mean of their opinions counts; an online agent teaches the first of them."""

    def __init__(
        self, judges: Sequence[Judge], actions: Floats, batch: int, settings: SearchSettings, seed: int
    ) -> None:
        self._judges, self._actions, self._batch = judges, actions, batch
        self._settings, self._seed = settings, seed

    def play(self, puzzle: Puzzle) -> Plan:
        settings = self._settings
        rng = np.random.default_rng((self._seed, int(md5(puzzle.id.encode()).hexdigest()[:8], 16)))
        belief = Belief(puzzle.tier, settings.belief)
        opinion = Opinion(self._judges, puzzle, self._batch)

        def consider(actions: Floats) -> None:
            possible = actions[puzzle.valid(actions)]
            belief.add(possible, opinion.of(possible))

        consider(self._actions)
        while (action := belief.take()) is not None:
            trial = yield action
            if trial.status.is_invalid():
                continue
            watched = settings.watches and trial.status.is_not_solved()
            belief.failed(action, closeness(puzzle.scene, trial.watch(), GLIMPSE_STRIDE) if watched else 0.0)
            if settings.neighbours:
                consider(self._neighbours(belief.closest(), puzzle, rng))

    def _neighbours(self, action: Floats, puzzle: Puzzle, rng: np.random.Generator) -> Floats:
        balls = puzzle.tier.balls_of(action[None])
        steps = rng.normal(0.0, self._settings.spread, (self._settings.neighbours, *balls.shape[1:]))
        return puzzle.tier.actions_of(np.rint(balls + steps))


class OnlineObjectSearchAgent(ObjectSearchAgent):
    """Goes on learning from its attempts, task by task."""

    def __init__(
        self,
        judges: Sequence[Judge],
        actions: Floats,
        batch: int,
        settings: SearchSettings,
        seed: int,
        online: OnlineSettings,
    ) -> None:
        super().__init__(judges, actions, batch, settings, seed)
        self._learner = OnlineLearner(judges[0], online)

    def learn(self, puzzle: Puzzle, trials: Sequence[Trial]) -> None:
        self._learner.learn(puzzle, trials)
