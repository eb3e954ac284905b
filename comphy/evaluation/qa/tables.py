"""The scores of a submission as tables for a terminal, beside those of other systems and the published ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from comphy.evaluation.qa.accuracy import GroupScore, QAReport
from comphy.questions.model import QuestionKind

NOTHING: Final = "–"
_WIDEST: Final = 1000


@dataclass(frozen=True)
class PublishedRow:
    """Percentages of the ComPhy paper on the released test split; (per option, per question)."""

    system: str
    factual: float
    predictive: tuple[float, float]
    counterfactual: tuple[float, float]

    def cells(self) -> list[str]:
        return [f"{value:.1f}" for value in (self.factual, *self.predictive, *self.counterfactual)]


PUBLISHED: Final = (
    PublishedRow("Random", 29.7, (51.9, 22.6), (49.7, 9.1)),
    PublishedRow("Frequent", 30.9, (56.2, 25.7), (50.3, 8.7)),
    PublishedRow("Blind-LSTM", 39.0, (57.9, 28.7), (55.7, 12.5)),
    PublishedRow("CPL", 80.5, (75.3, 56.4), (68.3, 29.1)),
    PublishedRow("PCR", 76.0, (80.0, 62.0), (70.0, 29.0)),
    PublishedRow("Humans", 90.6, (88.0, 75.9), (80.0, 52.9)),
)


def tables(
    report: QAReport, name: str = "this submission", beside: Mapping[str, QAReport] | None = None
) -> list[Table]:
    """The paper's columns, then all groups. CLEVRER's questions are others than the paper's: only their groups."""
    explanatory = any(score.kind is QuestionKind.EXPLANATORY for score in report.kinds)
    return [group_table(report)] if explanatory else [column_table(report, name, beside or {}), group_table(report)]


def column_table(report: QAReport, name: str, beside: Mapping[str, QAReport]) -> Table:
    """The five columns of the paper's Table 3 with intervals, those of other systems on the same questions, and the
    paper's rows."""
    columns = report.columns()
    table = new_table("Accuracy in % beside the paper's results", "", *(heading(column) for column in columns))
    measured = list(columns.values())
    table.add_row(escape(name), *(f"[bold]{percent(one)}[/bold]" for one in measured))
    table.add_row("  95 % interval", *(interval(one) for one in measured))
    table.add_row("  out of", *(str(one.count) if one else NOTHING for one in measured), end_section=True)
    for other, answered in beside.items():
        last = other == list(beside)[-1]
        table.add_row(escape(other), *(percent(one) for one in answered.columns().values()), end_section=last)
    for row in PUBLISHED:
        table.add_row(f"{row.system}, paper", *row.cells(), style="dim")
    table.caption = "Paper: ComPhy, Tables 3 and 5, on its own test split (counterfactual: mostly 4 choices)."
    return in_full(table)


def heading(column: str) -> str:
    kind, _, measure = column.partition("_")
    return f"{kind}\n{measure.replace('_', ' ')}"


def group_table(report: QAReport) -> Table:
    """Every kind of question, below it the same per number of choices and per template."""
    headings = ("", "questions", "unanswered", "per option", "per question")
    table = new_table("Accuracy in % (95 % interval) per group of questions", *headings)
    for total in report.kinds:
        parts = [score for score in (*report.choice_counts, *report.templates) if score.kind is total.kind]
        table.add_row(str(total.kind), *_cells(total), style="bold")
        for part in parts:
            table.add_row(f"  {escape(part.group)}", *_cells(part), end_section=part is parts[-1])
    table.caption = "Per question accuracies compare only between questions with as many choices."
    return in_full(table)


def _cells(score: GroupScore) -> list[str]:
    return [
        str(score.questions),
        str(score.unanswered) if score.unanswered else NOTHING,
        percent_and_interval(score.per_option),
        percent_and_interval(score.per_question),
    ]


def remarks(report: QAReport) -> list[str]:
    """What a reader must know to read the tables right."""
    lines = []
    if report.unanswered:
        lines.append(
            f"{report.unanswered} of {report.questions} questions lack their answer or a part of it: counted as wrong."
        )
    if report.without_choices:
        lines.append(f"{report.without_choices} questions have no choices: left out of all accuracies.")
    return lines


class Share(Protocol):
    """Something measured, with its interval."""

    @property
    def value(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...


def percent(one: Share | None) -> str:
    return f"{100 * one.value:.1f}" if one else NOTHING


def interval(one: Share | None) -> str:
    return f"{100 * one.low:.1f}–{100 * one.high:.1f}" if one else NOTHING


def percent_and_interval(one: Share | None) -> str:
    return f"{percent(one)} ({interval(one)})" if one else NOTHING


def new_table(title: str, *headings: str) -> Table:
    """Words to the left, numbers to the right."""
    table = Table(*headings, title=title, title_justify="left", caption_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def in_full(table: Table) -> Table:
    """As wide as its content, however narrow the terminal: half a number misleads."""
    table.width = Console(width=_WIDEST).measure(table).maximum
    return table
