"""Paired comparisons: of agents fold by fold, with a table of means and a star for the best; and of two systems that
answered the same questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text
from scipy.stats import binomtest, wilcoxon

from comphy.evaluation.qa.tables import NOTHING, in_full, new_table

SIGNIFICANCE: Final = 0.01
RESAMPLES: Final = 10_000
_AT_ONCE: Final = 500  # resamples: bounds the memory

Scores = Mapping[str, Sequence[float]]  # of each agent, one number for each fold, in the same order of folds


@dataclass(frozen=True)
class AgentScore:
    """The scores of an agent over folds.

    Attributes:
        mean: over the folds.
        std: sample standard deviation; 0 for a single fold.
        starred: whether the agent beats each of the others."""

    mean: float
    std: float
    starred: bool

    def percent(self) -> str:
        """The score as text, such as `46.2 ± 1.3*`."""
        return f"{100 * self.mean:.1f} ± {100 * self.std:.1f}{'*' if self.starred else ''}"


def p_value_of_better(scores: Sequence[float], than: Sequence[float]) -> float:
    """Test whether an agent beats another, fold by fold, with the one-sided Wilcoxon signed-rank test.

    Args:
        scores: of the agent, one for each fold.
        than: of the other agent, in the same order of folds.

    Returns:
        How likely so clear a win is by chance. Ten folds won by one agent give 1/1024, the least possible.

    Raises:
        ValueError: if the agents have different folds, none, or a score that is not finite."""
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
    """Compare agents over folds.

    Args:
        scores: of each agent, one for each fold, in the same order of folds.
        significance: the p-value below which a win counts.

    Returns:
        The means by agent, with a star for one that is better than every other."""
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
    """Show agents beside each other.

    Args:
        title: of the table.
        settings: by name, the scores of each agent.
        significance: the p-value below which a win is starred.

    Returns:
        A row for each agent, a column for each setting: mean ± standard deviation over folds in percent."""
    table = new_table(title, "", *settings)
    columns = [compared(scores, significance) for scores in settings.values()]
    for agent in dict.fromkeys(agent for column in columns for agent in column):
        table.add_row(Text(agent), *(column[agent].percent() if agent in column else NOTHING for column in columns))
    table.caption = (
        f"Mean ± standard deviation over folds. * better than all others (Wilcoxon, one-sided, p < {significance})."
    )
    return in_full(table)


@dataclass(frozen=True)
class Difference:
    """The difference of two shares over the same groups.

    Attributes:
        value: the first share less the second.
        low: lower end of the 95 % interval.
        high: its upper end.
        p_value: two-sided."""

    value: float
    low: float
    high: float
    p_value: float


def group_bootstrap(
    gains: NDArray[np.int64], counts: NDArray[np.int64], seed: int = 0, resamples: int = RESAMPLES
) -> list[Difference]:
    """The paired bootstrap over groups, for answers that are correlated within a group: resamples whole groups.

    Args:
        gains: [comparisons, groups], how many more answers of a group the one has right than the other.
        counts: [comparisons, groups], how many answers a group has.
        seed: the same seed gives the same figures.
        resamples: how many; a p-value is never below 2 / (resamples + 1).

    Returns:
        Of each comparison the difference of shares, with its percentile interval.

    Raises:
        ValueError: for gains and counts of different groups, or a comparison without an answer."""
    if gains.shape != counts.shape or (counts.sum(axis=1) == 0).any():
        raise ValueError("Expected gains and counts of the same groups, and an answer at least in each comparison.")
    rng, groups = np.random.default_rng(seed), counts.shape[1]
    parts = []
    for start in range(0, resamples, _AT_ONCE):
        drawn = _times_drawn(rng, groups, min(_AT_ONCE, resamples - start)).T
        totals = counts.astype(np.float64) @ drawn
        # A resample without any answer says nothing: NaN, which `_difference` leaves out.
        parts.append(np.where(totals > 0, (gains.astype(np.float64) @ drawn) / np.maximum(totals, 1), np.nan))
    shares = np.concatenate(parts, axis=1)
    values, answered = gains.sum(axis=1) / counts.sum(axis=1), (counts > 0).sum(axis=1).tolist()
    return [_difference(value, one, number) for value, one, number in zip(values, shares, answered, strict=True)]


def _times_drawn(rng: np.random.Generator, groups: int, resamples: int) -> NDArray[np.float64]:
    """[resamples, groups]: how often each group is drawn; floating, so that BLAS adds up."""
    drawn = rng.integers(groups, size=(resamples, groups)) + groups * np.arange(resamples)[:, None]
    return np.bincount(drawn.ravel(), minlength=resamples * groups).reshape(resamples, groups).astype(np.float64)


def _difference(value: float, resampled: NDArray[np.float64], groups: int) -> Difference:
    """The p-value is twice the smaller share of resamples on either side of no difference, the measured one included. A few
    groups cannot tell more than that all lean to one side, which chance gives in one of 2 ** (groups - 1) cases; resamples
    of a single group are all the same and tell nothing."""
    drawn = resampled[~np.isnan(resampled)]
    low, high = np.quantile(drawn, [0.025, 0.975]) if groups > 1 else (-1.0, 1.0)
    tail = min((drawn <= 0).sum(), (drawn >= 0).sum())
    p_value = max(2 * (int(tail) + 1) / (len(drawn) + 1), 0.5 ** (groups - 1))
    return Difference(float(value), float(low), float(high), min(1.0, p_value))


def mcnemar(won: int, lost: int) -> float:
    """Test with McNemar's exact test, two-sided, whether two systems are equally good. It takes questions as
    independent.

    Args:
        won: questions that the first system alone has right.
        lost: those that the second alone has right.

    Returns:
        How likely so uneven a split is if both are equally good."""
    return float(binomtest(won, won + lost).pvalue) if won + lost else 1.0
