"""Results of Phy-Q agents as tables for a terminal."""

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from comphy.choices import Generalisation
from comphy.evaluation.puzzles.phyq.rates import (
    Rate,
    mean_over_scenarios,
    mean_over_templates,
    scenario_rates,
    score,
    scored,
    template_rates,
)
from comphy.evaluation.puzzles.phyq.results import AgentResult
from comphy.evaluation.puzzles.phyq.score import PEOPLE, SCORED
from comphy.evaluation.qa.tables import in_full, new_table
from comphy.puzzles.phyq.templates.published import SCENARIOS


def rate_table(result: AgentResult) -> Table:
    """A row for each scenario, and under it one for each of its templates."""
    title = f"{result.agent}, {result.setup}, seed {result.seed}: {_plays(result.plays)} a task"
    table = new_table(title, "scenario, template", "tasks", "won", "95 %", "people", "thinking, s")
    templates, by_template = template_rates(result), result.by_template()
    for number, rate in scenario_rates(result).items():
        own = [one for one in templates if one.startswith(f"{number}.")]
        tasks = [task for one in own for task in by_template[one]]
        seconds = sum(task.seconds for task in tasks) / len(tasks)
        name = Text(f"{number} {SCENARIOS[number - 1]}", "bold")
        cells = (f"{rate.value:.3f}", _interval(rate), f"{PEOPLE[number].rate:.3f}", f"{seconds:.2f}")
        table.add_row(name, str(len(tasks)), *cells)
        for one in own:
            cells = (f"{templates[one].value:.3f}", _interval(templates[one]), "", "")
            table.add_row(f"  {one}", str(len(by_template[one])), *cells)
    return in_full(table)


def summary(result: AgentResult) -> Iterator[str]:
    """Means, score, thinking, and what differs from the set-up, in sentences."""
    templates, scenarios = result.by_template(), scenario_rates(result)
    if result.setup == Generalisation.LOCAL:
        yield f"Local mean, of {len(templates)} templates: {_with_interval(mean_over_templates(result))}."
    else:
        name = "Broad mean" if result.setup == Generalisation.BROAD else "Mean"
        yield f"{name}, of {len(scenarios)} scenarios: {_with_interval(mean_over_scenarios(result))}."
        yield score_sentence(result)
    games = f", {result.imagined:.0f} imagined games" if result.imagined else ""
    yield f"Thinking: {result.seconds:.2f} CPU seconds{games} a play."
    yield from result.remarks


def score_sentence(result: AgentResult) -> str:
    found, counted = score(result), scored(result)
    missing = [str(one) for one in SCORED if one not in counted]
    if found is None:
        return "The Phy-Q score needs scenarios 3 to 15."
    if not missing:
        return f"Phy-Q score: {_with_interval(found, 1)}."
    return (
        f"The Phy-Q score also needs scenario{'s' * (len(missing) > 1)} {', '.join(missing)}. Over the {len(counted)} that "
        f"were played it is {_with_interval(found, 1)}, which only compares with scores over the same ones."
    )


def _plays(count: str) -> str:
    return "1 play" if count == "1" else f"{count} plays"


def _interval(rate: Rate) -> str:
    return f"{rate.low:.3f}–{rate.high:.3f}"


def _with_interval(rate: Rate, digits: int = 3) -> str:
    return f"{rate.value:.{digits}f} ({rate.low:.{digits}f} to {rate.high:.{digits}f})"
