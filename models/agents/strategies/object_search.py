"""OBJECT-SEARCH, an agent of our own: revises its ranking after each failed attempt.

A ranking that is fixed beforehand tries the neighbours of its best action even after that one has failed. This agent updates
its scorers' ranking by what it sees (`Belief`): a failure counts against similar actions, and attempts that came close to
the goal speak for the actions around them, also for some that are not in the list. It learns as DQN does, from the same
tried actions, and uses the simulator for nothing but its attempts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import md5

import numpy as np

from comphy.puzzles.phyre.world.observations.closeness import closeness
from comphy.puzzles.phyre.world.simulator import COARSE_STRIDE
from models.agents.contract import AttemptResult, Floats, OfflineAgent, Plan, Puzzle
from models.agents.scorers.scorer import ActionScorer, ScorerEnsemble
from models.agents.scorers.training import OnlineLearner, OnlineSettings
from models.agents.strategies.belief import Belief, BeliefSettings


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
        """Whether it matters how close an attempt came; if not, runs need not be recorded."""
        return self.neighbours > 0 or self.belief.proximity_weight > 0


class ObjectSearchAgent(OfflineAgent):
    """`scorers`: the mean of their logits counts; an online agent trains the first of them."""

    def __init__(
        self, scorers: Sequence[ActionScorer], actions: Floats, batch: int, settings: SearchSettings, seed: int
    ) -> None:
        self._scorers, self._actions, self._batch = scorers, actions, batch
        self._settings, self._seed = settings, seed

    def play(self, puzzle: Puzzle) -> Plan:
        settings = self._settings
        rng = np.random.default_rng((self._seed, int(md5(puzzle.id.encode()).hexdigest()[:8], 16)))
        belief = Belief(puzzle.tier, settings.belief)
        ensemble = ScorerEnsemble(self._scorers, puzzle, self._batch)

        def consider(actions: Floats) -> None:
            possible = actions[puzzle.valid(actions)]
            belief.add(possible, ensemble.score(possible))

        consider(self._actions)
        while (action := belief.take()) is not None:
            result = yield action
            if result.status.is_invalid():
                continue
            watched = settings.watches and result.status.is_not_solved()
            belief.failed(action, closeness(puzzle.scene, result.watch(), COARSE_STRIDE) if watched else 0.0)
            if settings.neighbours:
                consider(self._neighbours(belief.closest(), puzzle, rng))

    def _neighbours(self, action: Floats, puzzle: Puzzle, rng: np.random.Generator) -> Floats:
        balls = puzzle.tier.balls_of(action[None])
        steps = rng.normal(0.0, self._settings.spread, (self._settings.neighbours, *balls.shape[1:]))
        return puzzle.tier.actions_of(np.rint(balls + steps))


class OnlineObjectSearchAgent(ObjectSearchAgent):
    """Takes gradient steps on its attempts after each test task."""

    def __init__(
        self,
        scorers: Sequence[ActionScorer],
        actions: Floats,
        batch: int,
        settings: SearchSettings,
        seed: int,
        online: OnlineSettings,
    ) -> None:
        super().__init__(scorers, actions, batch, settings, seed)
        self._learner = OnlineLearner(scorers[0], online)

    def learn(self, puzzle: Puzzle, results: Sequence[AttemptResult]) -> None:
        self._learner.learn(puzzle, results)
