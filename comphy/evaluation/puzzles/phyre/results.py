"""What agents made of their test tasks, as `comphy phyre evaluate --json` writes it, and brought together by folds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from comphy.errors import DatasetError
from comphy.files import read_json, require
from comphy.puzzles.phyre.benchmark.evaluator import Evaluator

Tries = Sequence[Sequence[Sequence[int]]]  # attempts of balls


@dataclass(frozen=True)
class AgentResult:
    """One agent on one fold of one set-up; `solved_at` by the id of the task, None: never. `tried`: the balls of each
    attempt, x, y and radius in pixels; older files have none."""

    agent: str
    setup: str
    fold: int
    solved_at: Mapping[str, int | None]
    source: str
    tried: Mapping[str, Tries] = field(default_factory=dict)

    @property
    def scores(self) -> Evaluator:
        """AUCCESS and success rates of these tasks."""
        return Evaluator.of_results(self.solved_at)


Comparison = Mapping[str, Mapping[str, tuple[AgentResult, ...]]]  # of each set-up, of each agent, by the same folds


def read_result(path: Path) -> AgentResult:
    record, where = read_json(path, f"make it with: comphy phyre evaluate --agent NAME --json {path}"), str(path)
    if require(record, "dev", bool, where):
        raise DatasetError(f"{where}: expected results on test tasks (got dev tasks). Evaluate again without --dev.")
    tasks = require(record, "tasks", dict, where)
    solved_at = {task: require(tasks[task], "solved_at", (int, type(None)), f"{where}: {task}") for task in tasks}
    return AgentResult(
        agent=require(record, "agent", str, where),
        setup=require(record, "setup", str, where),
        fold=require(record, "fold", int, where),
        solved_at=solved_at,
        source=where,
        tried={
            task: _read_tries(found["tried"], f"{where}: {task}") for task, found in tasks.items() if "tried" in found
        },
    )


def written_tries(tries: Tries) -> str:
    """Attempts with commas between them, the numbers of their balls with blanks: one line of a file for a task."""
    return ", ".join(" ".join(str(number) for ball in balls for number in ball) for balls in tries)


def _read_tries(text: str, where: str) -> Tries:
    """Inverse of `written_tries`."""
    try:
        rows = [[int(number) for number in one.split()] for one in text.split(",")] if text else []
    except (ValueError, AttributeError):
        rows = [[]]
    if any(not row or len(row) % 3 for row in rows):
        raise DatasetError(f"{where}: expected attempts as 'x y radius, …' in pixels (got {text!r:.60}).")
    return [[row[k : k + 3] for k in range(0, len(row), 3)] for row in rows]


def brought_together(results: Iterable[AgentResult]) -> Comparison:
    """Agents of one set-up are compared on the folds that all of them have played, on the same tasks."""
    found: dict[str, dict[str, dict[int, AgentResult]]] = {}
    for one in results:
        folds = found.setdefault(one.setup, {}).setdefault(one.agent, {})
        if one.fold in folds:
            raise DatasetError(
                f"{one.source}: {one.agent} has results of {one.setup}, fold {one.fold}, in {folds[one.fold].source} "
                "already. Give only one of the two."
            )
        folds[one.fold] = one
    return {setup: _by_same_folds(setup, agents) for setup, agents in found.items()}


def _by_same_folds(setup: str, agents: Mapping[str, Mapping[int, AgentResult]]) -> dict[str, tuple[AgentResult, ...]]:
    common = sorted(set.intersection(*(set(folds) for folds in agents.values())))
    if not common:
        played = "; ".join(f"{agent}: {', '.join(map(str, sorted(folds)))}" for agent, folds in agents.items())
        raise DatasetError(f"{setup}: expected a fold that all agents have played (got {played}).")
    first = next(iter(agents.values()))
    for folds in agents.values():
        for fold in common:
            if folds[fold].solved_at.keys() != first[fold].solved_at.keys():
                raise DatasetError(
                    f"{folds[fold].source}: expected the same tasks as in {first[fold].source}; they were evaluated on "
                    "other lists of tasks."
                )
    return {agent: tuple(folds[fold] for fold in common) for agent, folds in agents.items()}
