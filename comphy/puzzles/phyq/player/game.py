"""The one engine of a server: its requests come in many threads and take turns."""

from collections.abc import Sequence
from threading import Lock

from comphy.errors import Busy
from comphy.puzzles.phyq.benchmark.contract import Agent
from comphy.puzzles.phyq.benchmark.evaluator import Play, evaluate
from comphy.puzzles.phyq.player.recording import Recording, record
from comphy.puzzles.phyq.player.shots import check_played
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyq.world.launch import Shot
from comphy.sim.simulated_world import EngineUser


class PlayedGames(EngineUser):
    """Plays shots on tasks, one game at a time; it keeps the last level, on which the next shot is likely to be."""

    def __init__(self) -> None:
        super().__init__()
        self._lock, self._thinking = Lock(), Lock()
        self._game: Game | None = None

    def close(self) -> None:
        with self._lock:
            super().close()

    def play(self, task: Task, shots: Sequence[Shot]) -> Recording:
        """Raises `ConfigError` for shots, taps and times that a person could not do in the game."""
        found = self.replay(task, shots)
        check_played(shots, found)
        return found

    def replay(self, task: Task, shots: Sequence[Shot]) -> Recording:
        """Whatever the shots; those after the end are left out."""
        with self._lock:
            if self._game is None or self._game.level != task.level:
                self._game = Game(task.level, self._engine)
            return record(self._game, shots)

    def watch(self, agent: Agent, task: Task, seed: int) -> tuple[Play, Recording]:
        """An agent's play of a task. Raises `Busy` while another one thinks."""
        if not self._thinking.acquire(blocking=False):
            raise Busy("An agent is thinking already. Wait until it has played.")
        try:
            [result] = evaluate(agent, [task], 1, seed)
        finally:
            self._thinking.release()
        [play] = result.plays
        return play, self.replay(task, [choice.shot for choice in play.choices])
