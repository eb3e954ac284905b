"""`comphy phyq evaluate`: how often an agent wins, scenario by scenario."""

from collections.abc import Mapping
from typing import Annotated

import typer
from rich.table import Table

from comphy.cli.options import SeedOption
from comphy.cli.phyq_tasks import ListOption, TemplatesOption, chosen_templates
from comphy.cli.phyre.rows import row
from comphy.command import NOTHING_KEPT, console, progress_bar, when_interrupted
from comphy.errors import ConfigError


@when_interrupted(NOTHING_KEPT)
def evaluate(
    agent: Annotated[str, typer.Option(help="random or pig_shooter.")],
    template: TemplatesOption = None,
    plays: Annotated[int | None, typer.Option(min=1, help="Of each task; without: as published.")] = None,
    seed: SeedOption = 0,
    file: ListOption = None,
) -> None:
    """Let an agent play all tasks; it sees the noisy symbolic state.

    Example: comphy phyq evaluate --agent pig_shooter --template 1.5
    """
    from comphy.evaluation.intervals import grouped_accuracy
    from comphy.puzzles.phyq.benchmark.evaluator import by_scenario
    from comphy.puzzles.phyq.benchmark.evaluator import evaluate as let_play
    from comphy.puzzles.phyq.tasks.task import TASKS_FILE, read_tasks
    from comphy.puzzles.phyq.templates.published import load_templates
    from models.agents.phyq.plain_agents import find_agent

    player, path = find_agent(agent), file or TASKS_FILE
    ids = {one.id for one in chosen_templates(template)}
    tasks = [task for task in read_tasks(path).values() if task.template_id in ids]
    if not tasks:
        raise ConfigError(f"{path}: expected tasks of {', '.join(sorted(ids))} (got none). Choose other templates.")
    plays = plays or player.plays
    with progress_bar() as bar:
        results = let_play(player.shoot, tasks, plays, seed, row(bar, agent))
    names = {one.scenario: one.scenario_name for one in load_templates().values()}
    table, rates = Table("scenario", "tasks", "plays", "won", "95 %", title=f"{agent}, seed {seed}"), {}
    for scenario, groups in by_scenario(results).items():
        if found := grouped_accuracy(groups):
            rates[scenario] = found.value
            cells = (str(len(groups)), str(found.count), f"{found.value:.3f}", f"{found.low:.3f}-{found.high:.3f}")
            table.add_row(f"{scenario} {names[scenario]}", *cells)
    console.print(table)
    console.print(f"Mean of {len(rates)} scenarios: {sum(rates.values()) / len(rates):.3f}. {score_sentence(rates)}")


def score_sentence(rates: Mapping[int, float]) -> str:
    from comphy.evaluation.puzzles.phyq_score import SCORED, phyq_score

    missing = [str(one) for one in SCORED if one not in rates]
    if missing:
        return f"The Phy-Q score also needs scenario{'s' * (len(missing) > 1)} {', '.join(missing)}."
    return f"Phy-Q score: {phyq_score(rates):.1f}."
