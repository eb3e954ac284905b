"""Pass rates of Phy-Q agents, as published: a scenario's is the mean of its templates', a template's that of its tasks'.

Intervals of a template or scenario are Wilson's, with the plays of a task as one group. Those of means and scores come
from a bootstrap: the tasks of each scenario are drawn again, each with the weight that it has in the mean.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.evaluation.intervals import effective_sample_size, wilson
from comphy.evaluation.puzzles.phyq.results import AgentResult, TaskScore
from comphy.evaluation.puzzles.phyq.score import SCORED, partial_score

RESAMPLES: Final = 2000
_SEED: Final = 0

Rates = Mapping[int, float]  # by scenario


@dataclass(frozen=True)
class Rate:
    """`low` and `high` bound the 95 % interval."""

    value: float
    low: float
    high: float


def template_rates(result: AgentResult) -> dict[str, Rate]:
    return {template_id: _rate([tasks]) for template_id, tasks in result.by_template().items()}


def scenario_rates(result: AgentResult) -> dict[int, Rate]:
    return {number: _rate(templates) for number, templates in _by_scenario(result).items()}


def mean_over_scenarios(result: AgentResult) -> Rate:
    """Broad generalisation."""
    return _resampled(result, lambda rates: fmean(rates.values()))


def mean_over_templates(result: AgentResult) -> Rate:
    """Local generalisation."""
    templates = {number: float(len(found)) for number, found in _by_scenario(result).items()}
    return _resampled(result, lambda rates: fmean(rates.values(), [templates[number] for number in rates]))


def scored(result: AgentResult) -> list[int]:
    """The scenarios that were played and that count in the score."""
    return [number for number in SCORED if number in _by_scenario(result)]


def score(result: AgentResult) -> Rate | None:
    """Over the scenarios of `scored`; None if there are none."""
    scenarios = scored(result)
    return _resampled(result, lambda rates: partial_score(rates, scenarios)) if scenarios else None


def _by_scenario(result: AgentResult) -> dict[int, list[list[TaskScore]]]:
    """The tasks of each of its templates."""
    found: dict[int, list[list[TaskScore]]] = {}
    for template_id, tasks in result.by_template().items():
        found.setdefault(int(template_id.split(".")[0]), []).append(tasks)
    return dict(sorted(found.items()))


def _rate(templates: list[list[TaskScore]]) -> Rate:
    value = fmean(fmean(task.rate for task in tasks) for tasks in templates)
    groups = [task.counted for tasks in templates for task in tasks]
    return Rate(value, *wilson(value, effective_sample_size(groups)))


def _resampled(result: AgentResult, of: Callable[[Rates], float]) -> Rate:
    rng, scenarios = np.random.default_rng(_SEED), _by_scenario(result)
    drawn = {number: _drawn(templates, rng) for number, templates in scenarios.items()}
    values = [of({number: float(rates[k]) for number, rates in drawn.items()}) for k in range(RESAMPLES)]
    low, high = np.quantile(values, [0.025, 0.975]).tolist()
    return Rate(of({number: _rate(templates).value for number, templates in scenarios.items()}), low, high)


def _drawn(templates: list[list[TaskScore]], rng: np.random.Generator) -> NDArray[np.float64]:
    """[resamples], rates of a scenario."""
    rates = np.array([task.rate for tasks in templates for task in tasks])
    weights = np.array([1.0 / len(tasks) for tasks in templates for _ in tasks])
    chosen = rng.integers(len(rates), size=(RESAMPLES, len(rates)))
    found: NDArray[np.float64] = (weights * rates)[chosen].sum(axis=1) / weights[chosen].sum(axis=1)
    return found.clip(0.0, 1.0)
