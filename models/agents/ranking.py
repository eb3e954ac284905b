"""DQN and DQN-O at work: a judge ranks the actions of the list, and they are tried in that order."""

from collections.abc import Sequence

import numpy as np

from models.agents.contract import Floats, OfflineAgent, Plan, Puzzle, Trial, one_by_one
from models.agents.scorers.scorer import Judge, scores
from models.agents.scorers.training import OnlineLearner, OnlineSettings


class RankingAgent(OfflineAgent):
    """Offline: the order of the actions [N, D] depends on the puzzle alone. `batch`: judged at a time."""

    def __init__(self, judge: Judge, actions: Floats, batch: int) -> None:
        self._judge, self._actions, self._batch = judge, actions, batch

    def play(self, puzzle: Puzzle) -> Plan:
        actions = self._actions[puzzle.valid(self._actions)]
        logits = scores(self._judge, puzzle, actions, self._batch)
        return one_by_one(actions[np.argsort(-logits, kind="stable")])


class OnlineRankingAgent(RankingAgent):
    """Goes on learning from its attempts, task by task."""

    plays_on = True

    def __init__(self, judge: Judge, actions: Floats, batch: int, online: OnlineSettings) -> None:
        super().__init__(judge, actions, batch)
        self._learner = OnlineLearner(judge, online)

    def learn(self, puzzle: Puzzle, trials: Sequence[Trial]) -> None:
        self._learner.learn(puzzle, trials)
