"""The robustness table for a terminal, as Markdown and as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from comphy.evaluation.intervals import Accuracy, Difference
from comphy.evaluation.qa.tables import NOTHING, heading, in_full, interval, new_table, percent
from comphy.toolkit.stress.conditions import BASELINE
from comphy.toolkit.stress.running import StressRow

CAPTION: Final = """In each cell: accuracy (95 % interval); below it the difference from the first row on the same sets,
in points, ± its 95 % interval."""


def stress_table(rows: Sequence[StressRow]) -> Table:
    """All columns of the paper's table for each condition."""
    columns = rows[0].report.columns()
    table = new_table("Accuracy in % by what happened to the frames", "", "frames", *map(heading, columns), "sets")
    table.columns[1].justify = "left"
    for row in rows:
        first = row.condition.name == BASELINE
        cells = [_cell(one, None if first else row.differences[name]) for name, one in row.report.columns().items()]
        table.add_row(escape(row.condition.name), row.condition.about, *cells, str(row.sets), end_section=first)
    table.caption = CAPTION
    return in_full(table)


def markdown(rows: Sequence[StressRow], left_out: Mapping[str, str]) -> str:
    """The same for a page: differences stand beside the accuracies."""
    columns = rows[0].report.columns()
    names = [heading(name).strip().replace("\n", ", ") for name in columns]
    lines = [
        "| row | frames | " + " | ".join(names) + " | sets |",
        "| --- | --- |" + " ---: |" * (len(names) + 1),
    ]
    for row in rows:
        cells = [
            percent(one)
            if one is None or row.condition.name == BASELINE
            else f"{percent(one)} ({difference(row.differences[name])})"
            for name, one in row.report.columns().items()
        ]
        lines.append(f"| `{row.condition.name}` | {row.condition.about} | {' | '.join(cells)} | {row.sets} |")
    lines += ["", "In brackets: the difference from the first row on the same sets, in points, ± its 95 % interval."]
    lines += [f"`{name}` is left out: {why}" for name, why in left_out.items()]
    return "\n".join(lines) + "\n"


def record(rows: Sequence[StressRow], left_out: Mapping[str, str], about: Mapping[str, Any]) -> dict[str, Any]:
    """As plain JSON; accuracies and differences are shares of one."""
    return {**about, "rows": [row.record() for row in rows], "left_out": dict(left_out)}


def difference(one: Difference | None) -> str:
    """In points, with a sign."""
    if one is None:
        return NOTHING
    points = f"{100 * one.value:+.1f}".replace("-", "−")
    return points if one.reach is None else f"{points} ± {100 * one.reach:.1f}"


def _cell(one: Accuracy | None, from_first: Difference | None) -> Text:
    if one is None:
        return Text(NOTHING)
    accuracy = Text.assemble((percent(one), "bold"), f" ({interval(one)})")
    return accuracy if from_first is None else accuracy.append(f"\n{difference(from_first)}")
