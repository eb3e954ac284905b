"""Compares agents fold by fold: who is better than whom for sure, and a table of means with a star for the best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from rich.table import Table
from rich.text import Text
from scipy.stats import wilcoxon

from comphy.evaluation.qa.tables import NOTHING, in_full, new_table

SIGNIFICANCE: Final = 0.01

Scores = Mapping[str, Sequence[float]]  # of each agent, one number for each fold, in the same order of folds


@dataclass(frozen=True)
class AgentScore:
    """Mean and sample standard deviation over folds; starred if the agent beats each of the others."""

    mean: float
    std: float
    starred: bool

    def percent(self) -> str:
        return f"{100 * self.mean:.1f} ± {100 * self.std:.1f}{'*' if self.starred else ''}"


def p_value_of_better(scores: Sequence[float], than: Sequence[float]) -> float:
    """How likely it is by chance to beat the other so clearly, fold by fold: the one-sided Wilcoxon signed-rank test.

    Ten folds won by one agent give 1/1024, the least possible.
    """
    if len(scores) != len(than) or not len(scores):
        raise ValueError(f"Expected one score of both agents in each fold (got {len(scores)} and {len(than)}).")
    if not np.isfinite([*scores, *than]).all():
        raise ValueError(
            "Expected a finite score in each fold (got one that is none). Leave out the folds that failed."
        )
    if np.array_equal(scores, than):
        return 1.0
    return float(wilcoxon(scores, than, zero_method="wilcox", correction=False, alternative="greater").pvalue)


def compared(scores: Scores, significance: float = SIGNIFICANCE) -> dict[str, AgentScore]:
    """The agents with their means; a star for one that is better than every other at this significance."""
    return {
        agent: AgentScore(
            mean=float(np.mean(own)),
            std=float(np.std(own, ddof=1)) if len(own) > 1 else 0.0,
            starred=len(scores) > 1
            and all(p_value_of_better(own, other) < significance for name, other in scores.items() if name != agent),
        )
        for agent, own in scores.items()
    }


def score_table(title: str, settings: Mapping[str, Scores], significance: float = SIGNIFICANCE) -> Table:
    """A row for each agent, a column for each setting: mean ± standard deviation over folds in percent."""
    table = new_table(title, "", *settings)
    columns = [compared(scores, significance) for scores in settings.values()]
    for agent in dict.fromkeys(agent for column in columns for agent in column):
        table.add_row(Text(agent), *(column[agent].percent() if agent in column else NOTHING for column in columns))
    table.caption = (
        f"Mean ± standard deviation over folds. * better than all others (Wilcoxon, one-sided, p < {significance})."
    )
    return in_full(table)
