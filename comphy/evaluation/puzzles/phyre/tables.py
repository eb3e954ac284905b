"""Agents beside each other in a terminal: AUCCESS, early successes, and who beats whom for sure."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rich.table import Table
from rich.text import Text

from comphy.evaluation.paired import Scores, p_value_of_better, score_table
from comphy.evaluation.puzzles.phyre.results import AgentResult, Comparison
from comphy.evaluation.qa.tables import NOTHING, in_full, new_table

EARLY: Final = 10  # attempts


def comparison_tables(found: Comparison) -> Iterator[Table]:
    yield score_table("AUCCESS in %", _scores(found, lambda one: one.scores.get_auccess()))
    yield score_table(
        f"Solved within {EARLY} attempts in %", _scores(found, lambda one: one.scores.success_at(EARLY) / 100)
    )
    for setup, agents in found.items():
        if len(agents) > 1:
            yield p_value_table(
                setup, {agent: [one.scores.get_auccess() for one in own] for agent, own in agents.items()}
            )


def p_value_table(setup: str, scores: Scores) -> Table:
    """How likely a row's lead over a column is by chance."""
    folds = len(next(iter(scores.values())))
    table = new_table(f"{setup}: p that the row's lead in AUCCESS is chance", "", *scores)
    for agent, own in scores.items():
        values = [NOTHING if other is own else f"{p_value_of_better(own, other):.4f}" for other in scores.values()]
        table.add_row(Text(agent), *values)
    table.caption = (
        f"Wilcoxon's signed-rank test over {folds} folds, one-sided; {0.5**folds:.4f} is the least possible."
    )
    return in_full(table)


def _scores(found: Comparison, of: Callable[[AgentResult], float]) -> dict[str, Scores]:
    return {
        f"{setup} ({_folds(agents)})": {agent: [of(one) for one in own] for agent, own in agents.items()}
        for setup, agents in found.items()
    }


def _folds(agents: Mapping[str, tuple[AgentResult, ...]]) -> str:
    count = len(next(iter(agents.values())))
    return f"{count} fold{'s' if count > 1 else ''}"
