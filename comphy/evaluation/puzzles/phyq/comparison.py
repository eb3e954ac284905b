"""Phy-Q agents beside each other, people and the published agents: who wins what, and whose lead is no chance."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

from rich.table import Table
from rich.text import Text

from comphy.choices import Generalisation
from comphy.errors import DatasetError
from comphy.evaluation.paired import p_value_of_better
from comphy.evaluation.puzzles.phyq.published import PUBLISHED
from comphy.evaluation.puzzles.phyq.rates import (
    Rate,
    mean_over_scenarios,
    mean_over_templates,
    scenario_rates,
    score,
    scored,
)
from comphy.evaluation.puzzles.phyq.results import ATTEMPTS, PERSON, AgentResult
from comphy.evaluation.puzzles.phyq.score import PEOPLE, SCORED, by_scenario, partial_score
from comphy.evaluation.qa.tables import NOTHING, in_full, new_table
from comphy.puzzles.phyq.templates.published import SCENARIOS

LEAST_P: Final = 0.0001  # that is told
Results = Mapping[str, AgentResult]  # by the name that a table gives them


def brought_together(results: Sequence[AgentResult]) -> Results:
    """Raises `DatasetError` if they are not of the same set-up and the same levels."""
    first, found = results[0], dict[str, AgentResult]()
    for one in results:
        if one.setup != first.setup:
            raise DatasetError(
                f"{one.source}: expected results of {first.setup}, as in {first.source} (got {one.setup})."
            )
        if (one.levels, set(one.tasks)) != (first.levels, set(first.tasks)):
            raise DatasetError(
                f"{one.source}: expected the same tasks as in {first.source} (got {len(one.tasks)} and "
                f"{len(first.tasks)} of different lists). Evaluate one of them again, with the same list."
            )
        name = one.agent if len({other.seed for other in results}) == 1 else f"{one.agent}, seed {one.seed}"
        if name in found:
            raise DatasetError(
                f"{one.source}: {name} has results in {found[name].source} already. Give only one of them."
            )
        found[name] = one
    return found


def comparison_tables(found: Results) -> Iterator[Table]:
    yield score_table(found)
    yield scenario_table(found)
    agents = {name: one for name, one in found.items() if one.kind != PERSON}
    if len(agents) > 1:
        yield p_value_table(agents)


def score_table(found: Results) -> Table:
    first = next(iter(found.values()))
    local, counted = first.setup == Generalisation.LOCAL, scored(first)
    table = new_table(
        f"{first.setup}, {len(first.tasks)} tasks", "", "plays a task", "mean", "95 %", "score", "95 %", "s"
    )
    for name, one in found.items():
        mean = mean_over_templates(one) if local else mean_over_scenarios(one)
        points = None if local else score(one)
        table.add_row(Text(name), one.plays, *_cells(mean, 3), *_cells(points, 1), f"{one.seconds:.2f}")
    table.add_section()
    scenarios = list(scenario_rates(first))
    for known in PUBLISHED:
        rates = by_scenario(known.broad)
        average = known.local if local else fmean(rates[number] for number in scenarios)
        points_there = f"{partial_score(rates, counted):.1f}" if counted and not local else NOTHING
        shown = NOTHING if average is None else f"{average:.3f}"
        table.add_row(Text(f"{known.name}, published"), str(known.plays), shown, "", points_there, "", "")
    if not local:
        people = fmean(PEOPLE[number].rate for number in scenarios)
        table.add_row("people", "up to 5", f"{people:.3f}", "", "100.0" if counted else NOTHING, "", "")
    people_too = any(one.kind == PERSON for one in found.values())
    table.caption = _caption(first, scenarios, counted, local, people_too)
    return in_full(table)


def scenario_table(found: Results) -> Table:
    """A column for people, each agent, and each published one; those only beside results of `broad`."""
    first = next(iter(found.values()))
    known = PUBLISHED if first.setup == Generalisation.BROAD else ()
    names = (*found, *(f"{one.name}, published" for one in known))
    table = new_table("Pass rates by scenario", "", "people", *(name.replace(", ", "\n") for name in names))
    rates = {name: scenario_rates(one) for name, one in found.items()}
    for number in scenario_rates(first):
        own = [f"{rates[name][number].value:.3f}" for name in found]
        theirs = [f"{by_scenario(one.broad)[number]:.3f}" for one in known]
        table.add_row(f"{number} {SCENARIOS[number - 1]}", f"{PEOPLE[number].rate:.3f}", *own, *theirs)
    return in_full(table)


def p_value_table(found: Results) -> Table:
    """How likely a row's lead over a column is by chance."""
    tasks = sorted(next(iter(found.values())).tasks)
    rates = {name: [one.tasks[task].rate for task in tasks] for name, one in found.items()}
    table = new_table("p that the row's lead is chance", "", *found)
    for name, own in rates.items():
        cells = [NOTHING if other is own else _p_value(p_value_of_better(own, other)) for other in rates.values()]
        table.add_row(Text(name), *cells)
    table.caption = f"Wilcoxon's signed-rank test over {len(tasks)} tasks, one-sided."
    return in_full(table)


def _p_value(value: float) -> str:
    return f"{value:.4f}" if value >= LEAST_P else f"< {LEAST_P}"


def _cells(rate: Rate | None, digits: int) -> tuple[str, str]:
    if rate is None:
        return NOTHING, NOTHING
    return f"{rate.value:.{digits}f}", f"{rate.low:.{digits}f} to {rate.high:.{digits}f}"


def _caption(
    first: AgentResult, scenarios: Sequence[int], counted: Sequence[int], local: bool, people_too: bool
) -> str:
    lines = [f"Mean of {len(first.by_template())} templates." if local else f"Mean of {len(scenarios)} scenarios."]
    if counted and counted != list(SCORED) and not local:
        lines.append(f"Scores over scenarios {', '.join(map(str, counted))} alone, those of published agents, too.")
    if first.setup not in tuple(Generalisation):
        lines.append("Published agents played the testing templates alone.")
    if people_too:
        lines.append(
            f"A person's rate is (6 - k) / 5 for success with attempt k of {ATTEMPTS}, agents' of their plays."
        )
        lines.append("A person's s: of thinking at a task, by the clock.")
    return "\n".join([*lines, "s: CPU seconds of thinking in a play.", *first.remarks])
