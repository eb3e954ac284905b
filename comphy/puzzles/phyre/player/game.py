"""The one engine of a server: its requests come in many threads and take turns."""

from collections.abc import Sequence
from threading import Lock

from comphy.errors import ConfigError
from comphy.puzzles.phyre.benchmark.puzzle import Puzzle
from comphy.puzzles.phyre.pictures.attempt import Attempt, attempt
from comphy.puzzles.phyre.world.placement import problems
from comphy.puzzles.phyre.world.task_world import Ball
from comphy.sim.simulated_world import EngineUser


class Game(EngineUser):
    """Tries placements of balls on puzzles, one at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()

    def close(self) -> None:
        with self._lock:
            super().close()

    def attempt(self, puzzle: Puzzle, balls: Sequence[Ball]) -> Attempt:
        """Without balls: what happens by itself."""
        tier = puzzle.template.tier
        if len(balls) not in (0, tier.balls):
            raise ConfigError(
                f"Expected as many balls as tier {tier.name} has, {tier.balls}, or none (got {len(balls)})."
            )
        wrong = problems(puzzle.scene, balls)
        if wrong:
            raise ConfigError(" ".join(dict.fromkeys(problem.reason for problem in wrong)))
        action = tier.actions_of([balls])[0] if balls else None
        with self._lock:
            return attempt(puzzle, action, self._engine)
