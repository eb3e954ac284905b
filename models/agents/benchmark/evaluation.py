"""One evaluation: an agent learns from some tasks of a fold and plays the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from comphy.errors import ConfigError
from comphy.puzzles.phyre.benchmark.cache import SimulationCache
from comphy.puzzles.phyre.benchmark.folds import eval_setup_to_action_tier, fold_of
from comphy.puzzles.phyre.benchmark.tasks import Task, load_tasks, read_tasks, template_of
from comphy.puzzles.phyre.world.actions import Tier, tier_named
from models.agents.benchmark.attempt_runner import AttemptRunner
from models.agents.benchmark.config import AgentsConfig
from models.agents.benchmark.playing import TaskResult, evaluate, scores_by_template, scores_of
from models.agents.benchmark.preparing import AgentKind, Preparation
from models.agents.contract import Agent, Puzzle
from models.agents.experience import gather
from models.train.run import Report, Run


@dataclass(frozen=True)
class Benchmark:
    config: AgentsConfig
    cache: SimulationCache
    learned: tuple[Task, ...]  # whose statuses and solutions the agent may learn from
    played: tuple[Task, ...]  # the test

    def prepare(self, kind: AgentKind, run: Run, workers: int, simulated: Report) -> Agent | None:
        """The agent, ready to play; none if the time was up before it was trained, or on Ctrl-C."""
        count = self.config.actions
        experience = gather(self.cache, self.learned if kind.learns else (), count, workers, simulated)
        if kind.looks_up:
            gather(self.cache, self.played, count, workers, simulated)
        known = {task.id: task for task in self.played}
        given = Preparation(
            self.config,
            experience,
            self.cache.actions,
            lambda puzzle: self.cache.statuses(known[puzzle.id], count),
            run,
        )
        return kind.prepare(given)

    def play(self, agent: Agent, kind: AgentKind, report: Report) -> list[TaskResult]:
        with AttemptRunner(self.cache, self.played, kind.ranks(self.config)) as runner:
            return evaluate(agent, [Puzzle.of(task) for task in self.played], runner, report)


def open_benchmark(
    config: AgentsConfig, cache: Path, tasks: Mapping[str, Task], fold: int, *, dev: bool = False, every: int = 1
) -> Benchmark:
    """Of the tasks of a fold: learn from train and dev and play test, or for tuning learn from train and play dev.

    `every`: of so many to play, only the first is played.
    """
    split = fold_of(tasks, config.setup, fold)
    learned, played = (split.train, split.dev) if dev else (split.train + split.dev, split.test)
    if not learned or not played:
        raise ConfigError(
            f"{config.setup}, fold {fold}: expected tasks to learn from and tasks to play (got {len(learned)} and "
            f"{len(played)} of {len(tasks)}). Take more of each template, or more templates."
        )
    learned_tasks, played_tasks = (tuple(tasks[one] for one in ids) for ids in (learned, played[::every]))
    return Benchmark(config, SimulationCache(cache, tier_of(config.setup)), learned_tasks, played_tasks)


def tier_of(setup: str) -> Tier:
    return tier_named(eval_setup_to_action_tier(setup))


def tasks_for(setup: str, file: Path | None = None, per_template: int | None = None) -> dict[str, Task]:
    """The package's tasks, or those of another list; the first few of each template, if so many are enough."""
    tier = tier_of(setup)
    known = load_tasks(tier) if file is None else read_tasks(file, tier)
    templates: dict[str, list[str]] = {}
    for task_id in sorted(known):
        templates.setdefault(template_of(task_id), []).append(task_id)
    return {one: known[one] for ids in templates.values() for one in ids[:per_template]}


def result_table(title: str, results: Sequence[TaskResult]) -> Table:
    """All tasks first, then each template; percentages."""
    rows = {"all": scores_of(results)} | scores_by_template(results)
    attempts = list(rows["all"].success)
    table = Table("template", "tasks", "AUCCESS", *(f"solved at {k}" for k in attempts), title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    for name, scores in rows.items():
        shares = [f"{scores.success[k]:.1f}" for k in attempts]
        table.add_row(name, str(scores.tasks), f"{100 * scores.auccess:.1f}", *shares)
    return table
