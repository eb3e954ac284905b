"""What a page asks about rounds of Phy-Q. The file of a round is written after each attempt.

    round    player, number                               its tasks, what they are worth so far, the score
    begin    player, number, task                         an attempt begins
    end      player, number, task, shots, seconds         it ends; the server plays the shots again to see how

`player` is a name, `number` tells rounds of different tasks apart.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Final

from comphy.evaluation.puzzles.phyq.published import PUBLISHED
from comphy.evaluation.puzzles.phyq.results import ATTEMPTS, shot_line
from comphy.evaluation.puzzles.phyq.round import round_score, scenario_worths
from comphy.evaluation.puzzles.phyq.round_file import RoundFile
from comphy.evaluation.puzzles.phyq.score import PEOPLE, SCORED, by_scenario, phyq_score
from comphy.files import require
from comphy.puzzles.phyq.player.answers import number_of, shots_of, task_of, whole_number
from comphy.puzzles.phyq.player.game import PlayedGames
from comphy.puzzles.phyq.tasks.task import load_tasks
from comphy.puzzles.phyq.templates.published import SCENARIOS
from comphy.puzzles.phyq.world.game import Status
from comphy.puzzles.player.player import Json

MOST_ROUNDS: Final = 999
LONGEST_THOUGHT: Final = 1e6  # seconds at a task


class Rounds:
    """Rounds in a folder, one question at a time, so that two pages cannot write over each other."""

    def __init__(self, folder: Path, games: PlayedGames) -> None:
        self._folder, self._games = folder, games
        self._lock = Lock()

    @property
    def answers(self) -> Mapping[str, Callable[[Json], Json]]:
        return {"round": self._round, "begin": self._begin, "end": self._end}

    def _round(self, question: Json) -> Json:
        with self._lock:
            return _record(self._file(question))

    def _begin(self, question: Json) -> Json:
        with self._lock:
            found = self._file(question)
            found.of(task_of(question).id).begin()
            found.write()
            return _record(found)

    def _end(self, question: Json) -> Json:
        task, seconds = task_of(question), number_of(question, "seconds", 0.0, LONGEST_THOUGHT)
        shots = shots_of(question, task)
        with self._lock:
            found = self._file(question)
            played = self._games.play(task, shots)
            attempted = found.of(task.id)
            attempted.end(list(map(shot_line, shots)), played.status is Status.WON, seconds)
            found.write()
            return _record(found)

    def _file(self, question: Json) -> RoundFile:
        player = require(question, "player", str, "question")
        return RoundFile(self._folder, player, whole_number(question, "number", MOST_ROUNDS), load_tasks())


def _record(found: RoundFile) -> Json:
    worths, rates = found.worths, scenario_worths(found.worths)
    return {
        "player": found.player,
        "number": found.number,
        "file": str(found.path),
        "attempts": ATTEMPTS,
        "finished": found.finished,
        "tasks": [{**_state(found, task.id), "name": task.template.scenario_name} for task in found.tasks],
        "score": None if not worths else round_score(worths),
        "scenarios": [
            {
                "number": number,
                "name": SCENARIOS[number - 1],
                "yours": rates.get(number),
                "people": PEOPLE[number].rate,
                "counts": number in SCORED,
            }
            for number in PEOPLE
        ],
        "published": [{"name": one.name, "score": phyq_score(by_scenario(one.broad))} for one in PUBLISHED],
    }


def _state(found: RoundFile, task_id: str) -> Json:
    attempted = found.attempted.get(task_id)
    if attempted is None:
        return {"id": task_id, "used": 0, "solved": False, "worth": None}
    worth = attempted.worth if attempted.decided else None
    return {"id": task_id, "used": attempted.attempts, "solved": attempted.solved, "worth": worth}
