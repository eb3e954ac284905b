"""MEM and MEM-O: rank the actions of the list by how often they have solved other tasks.

Shapes: N actions of the list.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.agents.contract import AttemptResult, Floats, OfflineAgent, Plan, Puzzle, one_by_one
from models.agents.experience import Experience


@dataclass(frozen=True)
class MemorySettings:
    """`by_template`: one ranking for each template, which helps where test tasks are of known templates. `test_weight`:
    weight of a result on a test task, where one on a training task counts 1; only MEM-O uses it."""

    by_template: bool = False
    test_weight: float = 1.0

    def __post_init__(self) -> None:
        if self.test_weight < 0:
            raise ValueError(f"expected a test_weight of at least 0 (got {self.test_weight})")


class MemoryAgent(OfflineAgent):
    """MEM: ranks actions by solved / (solved + failed + 1), counted over training tasks. Ties keep the list's order."""

    def __init__(self, experience: Experience, settings: MemorySettings) -> None:
        self._actions, self._settings = experience.actions, settings
        self._memories: dict[str, Floats] = {}  # counts [2, N] of solved and failed
        for puzzle, statuses in zip(experience.puzzles, experience.statuses, strict=True):
            self._memory(puzzle)[:] += np.stack([statuses > 0, statuses < 0])

    def play(self, puzzle: Puzzle) -> Plan:
        return one_by_one(self._actions[np.argsort(-self.scores(puzzle), kind="stable")])

    def scores(self, puzzle: Puzzle) -> Floats:
        """[N]"""
        solved, failed = self._memory(puzzle)
        return np.asarray(solved / (solved + failed + 1.0))

    def _memory(self, puzzle: Puzzle) -> Floats:
        name = puzzle.template_id if self._settings.by_template else ""
        return self._memories.setdefault(name, np.zeros((2, len(self._actions))))


class OnlineMemoryAgent(MemoryAgent):
    """MEM-O: results on test tasks are counted, too, for the next ones."""

    continues_after_solving = True

    def __init__(self, experience: Experience, settings: MemorySettings) -> None:
        super().__init__(experience, settings)
        self._numbers = {action.tobytes(): k for k, action in enumerate(experience.actions)}

    def learn(self, puzzle: Puzzle, results: Sequence[AttemptResult]) -> None:
        memory = self._memory(puzzle)
        for result in results:
            memory[int(not result.status.is_solved()), self._numbers[result.action.tobytes()]] += (
                self._settings.test_weight
            )
