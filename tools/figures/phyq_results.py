"""Results of Phy-Q agents as the two Markdown tables of docs/phyq.md: means and scores, and pass rates by scenario.

python -m tools.figures.phyq_results out/pig_shooter.json out/bambirds.json out/imaginer.json
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from comphy.errors import ComphyError
from comphy.evaluation.puzzles.phyq.rates import Rate, mean_over_scenarios, scenario_rates, score
from comphy.evaluation.puzzles.phyq.results import AgentResult, read_result
from comphy.evaluation.puzzles.phyq.score import PEOPLE
from comphy.puzzles.phyq.templates.published import SCENARIOS
from comphy.toolkit.reproduction.tables import markdown


def agent_table(results: Sequence[AgentResult]) -> str:
    """A row for each agent."""
    columns = ["agent", "tasks", "plays a task", "mean", "95 %", "score", "95 %", "thinking, s", "imagined games"]
    return markdown(columns, [_agent_row(one) for one in results])


def scenario_table(results: Sequence[AgentResult]) -> str:
    """A row for each scenario."""
    rates = [scenario_rates(one) for one in results]
    rows = [
        [f"{number} {SCENARIOS[number - 1]}", f"{PEOPLE[number].rate:.2f}", *(_cell(one.get(number)) for one in rates)]
        for number in sorted(set().union(*rates))
    ]
    return markdown(["scenario", "people", *(f"`{one.agent}`" for one in results)], rows)


def _agent_row(result: AgentResult) -> list[str]:
    mean, scored = mean_over_scenarios(result), score(result)
    points = ["", ""] if scored is None else [f"{scored.value:.1f}", f"{scored.low:.1f} to {scored.high:.1f}"]
    games = f"{result.imagined:.0f}" if result.imagined else ""
    means = [f"{mean.value:.3f}", f"{mean.low:.3f} to {mean.high:.3f}"]
    return [f"`{result.agent}`", str(len(result.tasks)), result.plays, *means, *points, f"{result.seconds:.2f}", games]


def _cell(rate: Rate | None) -> str:
    return "" if rate is None else f"{rate.value:.2f}"


if __name__ == "__main__":
    try:
        found = [read_result(Path(name)) for name in sys.argv[1:]]
        print(agent_table(found), scenario_table(found), sep="\n", end="")
    except ComphyError as error:
        sys.exit(f"error: {error}")
