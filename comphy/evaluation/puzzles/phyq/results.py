"""What an agent of Phy-Q made of its test tasks, as `comphy phyq evaluate --json` writes it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from comphy.choices import Generalisation
from comphy.errors import ConfigError, DatasetError
from comphy.files import read_json, require
from comphy.puzzles.phyq.benchmark.contract import Agent, Choice
from comphy.puzzles.phyq.benchmark.evaluator import Play, TaskResult
from comphy.puzzles.phyq.benchmark.setups import Selection, coverage, levels_digest
from comphy.puzzles.phyq.tasks.task import Task, plain_shot, template_of
from comphy.puzzles.phyq.world.launch import Shot

FORMAT: Final = 1
ATTEMPTS: Final = 5  # of a person at a task
ALL_TASKS: Final = "all tasks"  # in place of a set-up
ROUND: Final = "round"  # the tasks of a round that a person played
PERSON: Final = "person"  # in place of the kind of an agent
Record = dict[str, Any]


@dataclass(frozen=True)
class TaskScore:
    """Wins in so many plays, and seconds of thinking and imagined games in one of them.

    `attempts`: these are a person's attempts, of which the last may have won.
    """

    won: int
    plays: int
    seconds: float
    imagined: float = 0.0
    attempts: bool = False

    @property
    def counted(self) -> tuple[int, int]:
        """Wins and plays; of a person, fifths of a win: one less for each attempt that failed."""
        return ((ATTEMPTS + 1 - self.plays) * self.won, ATTEMPTS) if self.attempts else (self.won, self.plays)

    @property
    def rate(self) -> float:
        won, plays = self.counted
        return won / plays


@dataclass(frozen=True)
class AgentResult:
    """`levels`: the digest of the levels that were played. `remarks`: what differs from the set-up."""

    agent: str
    kind: str
    setup: str
    seed: int
    levels: str
    remarks: tuple[str, ...]
    tasks: Mapping[str, TaskScore]
    source: str = ""

    @property
    def plays(self) -> str:
        """Of each task, in words."""
        return f"up to {ATTEMPTS}" if self.kind == PERSON else str(next(iter(self.tasks.values())).plays)

    @property
    def seconds(self) -> float:
        """Of thinking in a play of a task, on average."""
        return fmean(one.seconds for one in self.tasks.values())

    @property
    def imagined(self) -> float:
        """Games imagined in a play of a task, on average."""
        return fmean(one.imagined for one in self.tasks.values())

    def by_template(self) -> dict[str, list[TaskScore]]:
        found: dict[str, list[TaskScore]] = {}
        for task_id in self.tasks:
            found.setdefault(template_of(task_id), []).append(self.tasks[task_id])
        return found


def header(agent: Agent, chosen: Selection, plays: int, seed: int, setup: str = ALL_TASKS) -> Record:
    """What all results of an evaluation have in common; `setup` where the selection has none."""
    return {
        "format": FORMAT,
        "agent": agent.name,
        "kind": agent.kind.value,
        "setup": setup if chosen.setup is None else chosen.setup.value,
        "plays": plays,
        "seed": seed,
        "levels": levels_digest(chosen.tasks),
        "remarks": [*coverage(chosen), *_unfair(agent)],
    }


def _unfair(agent: Agent) -> list[str]:
    return [] if agent.view.as_published else [f"an upper bound: the agent is shown more than others ({agent.view})"]


def task_record(result: TaskResult, task: Task) -> Record:
    """With a log of all plays: of each shot the strategy, the shot as `comphy phyq gif` takes it, and the reason; and how it
    ended."""
    return {
        "level": levels_digest([task]),
        "won": result.won,
        "plays": len(result.plays),
        "seconds": round(result.seconds, 4),
        "imagined": result.imagined,
        "log": [_log(play) for play in result.plays],
    }


def reusable_records(path: Path, facts: Record, tasks: Iterable[Task]) -> dict[str, Record]:
    """Records of a file of results that an evaluation with this header need not make again: those of tasks whose levels are
    the same.

    Raises `DatasetError` if the file is missing or damaged, `ConfigError` if it is of another agent, other plays or seed.
    """
    record, where = read_json(path, "name a file that comphy phyq evaluate --json has written"), str(path)
    result_of(record, where)  # whether it is damaged
    for key in ("agent", "kind", "plays", "seed"):
        if record.get(key) != facts[key]:
            raise ConfigError(
                f"{where}: expected results with the same {key}, {facts[key]} (got {record.get(key)}). Leave out --reuse."
            )
    known = record["tasks"]
    return {task.id: known[task.id] for task in tasks if known.get(task.id, {}).get("level") == levels_digest([task])}


def read_result(path: Path) -> AgentResult:
    """Raises `DatasetError` if the file is missing, damaged or of another version."""
    return result_of(read_json(path, f"make it with: comphy phyq evaluate --agent NAME --json {path}"), str(path))


def result_of(record: Any, where: str) -> AgentResult:
    """From a header and the records of `tasks`. Raises `DatasetError` if it is damaged or of another version."""
    found = require(record, "format", int, where)
    if found != FORMAT:
        raise DatasetError(f"{where}: expected format {FORMAT} (got {found}). Evaluate again.")
    setup, tasks = require(record, "setup", str, where), require(record, "tasks", dict, where)
    if setup not in (ALL_TASKS, ROUND, *Generalisation) or not tasks:
        raise DatasetError(
            f"{where}: expected results of local, broad, a round or all tasks (got '{setup}', {len(tasks)} tasks)."
        )
    kind = require(record, "kind", str, where)
    return AgentResult(
        agent=require(record, "agent", str, where),
        kind=kind,
        setup=setup,
        seed=require(record, "seed", int, where),
        levels=require(record, "levels", str, where),
        remarks=tuple(map(str, require(record, "remarks", list, where))),
        tasks={task_id: _task(row, kind == PERSON, f"{where}: {task_id}") for task_id, row in tasks.items()},
        source=where,
    )


def _task(row: Any, attempts: bool, where: str) -> TaskScore:
    won, plays = require(row, "won", int, where), require(row, "plays", int, where)
    if attempts and (won not in (0, 1) or not 1 <= plays <= ATTEMPTS):
        raise DatasetError(f"{where}: expected one of up to {ATTEMPTS} attempts to win (got {won} of {plays}).")
    if not 0 <= won <= plays or plays < 1:
        raise DatasetError(f"{where}: expected wins in at least one play (got {won} of {plays}).")
    seconds, imagined = (float(require(row, key, (int, float), where)) for key in ("seconds", "imagined"))
    return TaskScore(won, plays, seconds, imagined, attempts)


def _log(play: Play) -> list[str]:
    return [*map(_line, play.choices), "won" if play.won else "lost"]


def _line(choice: Choice) -> str:
    return f"{choice.strategy}: {shot_line(choice.shot)}" + (f" ({choice.reason})" if choice.reason else "")


def shot_line(shot: Shot) -> str:
    """As `comphy phyq gif` takes it."""
    return ",".join("" if number is None else f"{number:.3f}" for number in plain_shot(shot)).rstrip(",")
