"""Agents of PHYRE to watch. Those that need no training play at once: RAND, and, from what was simulated before, MEM and
OPTIMAL. All others have played already: `comphy phyre evaluate --json` writes what they tried."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from comphy.errors import ConfigError
from comphy.evaluation.puzzles.phyre.results import AgentResult, read_result
from comphy.puzzles.phyre.benchmark.cache import DEFAULT_FOLDER, SimulationCache
from comphy.puzzles.phyre.benchmark.tasks import Task, find_task, load_tasks
from comphy.puzzles.phyre.player.watching import Tries, Watched

if TYPE_CHECKING:
    from models.agents.contract import Agent

LISTED: Final = 1000  # actions of the list that RAND tries at most; 100 attempts are valid ones
SIMULATE: Final = "comphy phyre simulate --setup {}_within_template --actions {}"


def phyre_agents(results: Sequence[Path] = ()) -> Mapping[str, Watched]:
    """By their names.

    Args:
        results: files of `comphy phyre evaluate --json`.

    Raises:
        DatasetError: a file is none of these, or two are of one agent, set-up and fold.
        ConfigError: a file says nothing of single attempts."""
    recorded = {f"{one.agent}, {one.setup}, fold {one.fold}": partial(_recorded, one) for one in map(_read, results)}
    playing = {"rand": _random, "mem": _memory, "optimal": _optimal}
    return {**{name: partial(_played, make) for name, make in playing.items()}, **recorded}


def _read(path: Path) -> AgentResult:
    found = read_result(path)
    if not found.tried:
        raise ConfigError(
            f"{path}: expected what the agent tried (found only how often, as earlier versions wrote). Evaluate again."
        )
    return found


def _recorded(found: AgentResult, task_id: str) -> Tries:
    if task_id not in found.tried:
        raise ConfigError(
            f"{found.agent} did not play task {task_id} in {found.source}: it is no test task there. It played "
            f"{len(found.tried)}, such as {min(found.tried)}."
        )
    return found.tried[task_id][: found.solved_at[task_id]]


def _played(make: "Callable[[SimulationCache, Task], Agent]", task_id: str) -> Tries:
    from models.agents.benchmark.attempt_runner import AttemptRunner
    from models.agents.benchmark.playing import balls_tried, play
    from models.agents.contract import Puzzle

    task = find_task(task_id)
    cache, puzzle = SimulationCache(DEFAULT_FOLDER / task.tier.name, task.tier), Puzzle.of(task)
    agent = make(cache, task)
    with AttemptRunner(cache, [task], LISTED) as run:
        return [balls_tried(puzzle, attempt) for attempt in play(agent, puzzle, run)]


def _random(cache: SimulationCache, task: Task) -> "Agent":
    from models.agents.strategies.fixed_list_agents import RandomAgent

    return RandomAgent(cache.actions(LISTED))


def _optimal(cache: SimulationCache, task: Task) -> "Agent":
    from models.agents.strategies.fixed_list_agents import OptimalAgent

    known = cache.known(task)
    if not len(known):
        raise ConfigError(f"OPTIMAL looks up what was simulated before (found nothing of {task.id}). {_hint(task)}")
    return OptimalAgent(cache.actions(len(known)), lambda puzzle: known)


def _memory(cache: SimulationCache, task: Task) -> "Agent":
    from models.agents.contract import Puzzle
    from models.agents.experience import Experience
    from models.agents.strategies.memory import MemoryAgent, MemorySettings

    others = [one for one in load_tasks(task.tier).values() if one.template_id == task.template_id and one != task]
    known = [(Puzzle.of(one), statuses) for one in others if len(statuses := cache.known(one))]
    if not known:
        raise ConfigError(
            f"MEM learns from what was simulated before (found nothing of other tasks of {task.template_id}). "
            f"{_hint(task)}"
        )
    puzzles, found = zip(*known, strict=True)
    count = min(map(len, found))
    statuses = np.stack([one[:count] for one in found])
    return MemoryAgent(Experience(puzzles, cache.actions(count), statuses), MemorySettings(by_template=True))


def _hint(task: Task) -> str:
    return f"Simulate some: {SIMULATE.format(task.tier.name, LISTED)}"
