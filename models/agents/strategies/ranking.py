"""DQN and DQN-O: a scorer ranks the actions of the list, and they are tried in that order."""

from collections.abc import Sequence

import numpy as np

from models.agents.contract import AttemptResult, Floats, OfflineAgent, Plan, Puzzle, one_by_one
from models.agents.scorers.scorer import ActionScorer, scores
from models.agents.scorers.training import OnlineLearner, OnlineSettings


class RankingAgent(OfflineAgent):
    """Offline: the order of the actions [N, D] depends on the puzzle alone. `batch`: actions scored at a time."""

    def __init__(self, scorer: ActionScorer, actions: Floats, batch: int) -> None:
        self._scorer, self._actions, self._batch = scorer, actions, batch

    def play(self, puzzle: Puzzle) -> Plan:
        actions = self._actions[puzzle.valid(self._actions)]
        logits = scores(self._scorer, puzzle, actions, self._batch)
        return one_by_one(actions[np.argsort(-logits, kind="stable")])


class OnlineRankingAgent(RankingAgent):
    """DQN-O: takes gradient steps on its attempts after each test task."""

    continues_after_solving = True

    def __init__(self, scorer: ActionScorer, actions: Floats, batch: int, online: OnlineSettings) -> None:
        super().__init__(scorer, actions, batch)
        self._learner = OnlineLearner(scorer, online)

    def learn(self, puzzle: Puzzle, results: Sequence[AttemptResult]) -> None:
        self._learner.learn(puzzle, results)
