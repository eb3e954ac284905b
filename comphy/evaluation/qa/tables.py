"""The scores of a submission as tables for a terminal, beside those of other systems and the published ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from rich.console import Console
from rich.table import Table
from rich.text import Text

from comphy.evaluation.qa.accuracy import GroupScore, QAReport
from comphy.evaluation.qa.stability import (
    NO_CEILING,
    STABLE_SHARE,
    Ceiling,
    Group,
    Part,
    StabilityReport,
    ceiling_of,
    stable_share,
)
from comphy.questions.model import QuestionKind, Stability

NOTHING: Final = "–"
CEILING_CAPTION: Final = (
    "Ceiling: an exact simulator that starts from states measured once with half a pixel and 0.03 units/s of noise."
)
_WIDEST: Final = 1000


@dataclass(frozen=True)
class PublishedRow:
    """Percentages of the ComPhy paper on the released test split; (per option, per question)."""

    system: str
    factual: float
    predictive: tuple[float, float]
    counterfactual: tuple[float, float]

    def cells(self) -> list[str]:
        return [f"{value:.1f}" for value in self.columns().values()]

    def columns(self) -> dict[str, float]:
        """By the names of `QAReport.columns`."""
        found = {str(QuestionKind.FACTUAL): self.factual}
        for kind, pair in (
            (QuestionKind.PREDICTIVE, self.predictive),
            (QuestionKind.COUNTERFACTUAL, self.counterfactual),
        ):
            found |= {f"{kind}_per_option": pair[0], f"{kind}_per_question": pair[1]}
        return found


PUBLISHED: Final = (
    PublishedRow("Random", 29.7, (51.9, 22.6), (49.7, 9.1)),
    PublishedRow("Frequent", 30.9, (56.2, 25.7), (50.3, 8.7)),
    PublishedRow("Blind-LSTM", 39.0, (57.9, 28.7), (55.7, 12.5)),
    PublishedRow("CPL", 80.5, (75.3, 56.4), (68.3, 29.1)),
    PublishedRow("PCR", 76.0, (80.0, 62.0), (70.0, 29.0)),
    PublishedRow("Humans", 90.6, (88.0, 75.9), (80.0, 52.9)),
)


def tables(
    report: QAReport,
    name: str = "this submission",
    beside: Mapping[str, QAReport] | None = None,
    stability: StabilityReport | None = None,
) -> list[Table]:
    """The paper's columns, then all groups, then answers by stability where it was measured. CLEVRER's questions are
    others than the paper's: only their groups."""
    groups = [
        group_table(report, stability),
        *([stability_table(stability)] if stability and stability.measured else []),
    ]
    if any(score.kind is QuestionKind.EXPLANATORY for score in report.kinds):
        return groups
    return [column_table(report, name, beside or {}, stability), *groups]


def column_table(
    report: QAReport, name: str, beside: Mapping[str, QAReport], stability: StabilityReport | None = None
) -> Table:
    """The five columns of the paper's Table 3 with intervals and, where the stability of all questions was measured, their
    ceilings; those of other systems on the same questions, and the paper's rows."""
    columns = report.columns()
    table = new_table("Accuracy in % beside the paper's results", "", *(heading(column) for column in columns))
    measured = list(columns.values())
    table.add_row(Text(name), *(Text(percent(one), "bold") for one in measured))
    table.add_row("  95 % interval", *(interval(one) for one in measured))
    table.add_row("  out of", *(str(one.count) if one else NOTHING for one in measured))
    if stability is not None and stability.complete:
        for majority, label in ((False, "  ceiling, one run"), (True, "  ceiling, majority")):
            ceilings = stability.columns(majority)
            table.add_row(label, *(share_in_percent(ceilings.get(column)) for column in columns))
    table.add_section()
    for other, answered in beside.items():
        last = other == list(beside)[-1]
        table.add_row(Text(other), *(percent(one) for one in answered.columns().values()), end_section=last)
    for row in PUBLISHED:
        table.add_row(f"{row.system}, paper", *row.cells(), style="dim")
    table.caption = "Paper: ComPhy, Tables 3 and 5, on its own test split (counterfactual: mostly 4 choices)."
    return in_full(table)


def heading(column: str) -> str:
    kind, _, measure = column.partition("_")
    return f"{kind}\n{measure.replace('_', ' ')}"


def group_table(report: QAReport, stability: StabilityReport | None = None) -> Table:
    """Every kind of question, below it the same per number of choices and per template; with ceilings, where the stability
    of all questions was measured."""
    ceilings = stability.groups if stability is not None and stability.complete else None
    beside = ["ceiling"] if ceilings is not None else []
    headings = ["", "questions", "unanswered", "per option", *beside, "per question", *beside]
    table = new_table("Accuracy in % (95 % interval) per group of questions", *headings)
    for total in report.kinds:
        parts = [score for score in (*report.choice_counts, *report.templates) if score.kind is total.kind]
        table.add_row(str(total.kind), *_cells(total, ceilings), style="bold")
        for part in parts:
            table.add_row(Text(f"  {part.group}"), *_cells(part, ceilings), end_section=part is parts[-1])
    table.caption = "Per question accuracies compare only between questions with as many choices."
    return in_full(table)


def stability_table(report: StabilityReport) -> Table:
    """Accuracies on stable and chaotic options and questions, each beside its ceiling."""
    headings = ("", "options", "per option", "ceiling", "questions", "per question", "ceiling")
    table = new_table("Accuracy in % (95 % interval) by stability", *headings)
    for score in report.scores:
        whole = score.part is Part.ALL
        table.add_row(
            str(score.kind) if whole else f"  {score.part}",
            str(score.options),
            percent_and_interval(score.per_option),
            share_in_percent(score.ceiling.per_option),
            str(score.questions),
            percent_and_interval(score.per_question),
            share_in_percent(score.ceiling.per_question),
            style="bold" if whole else "",
            end_section=score.part is Part.CHAOTIC,
        )
    stable = f"Stable: {100 * STABLE_SHARE:.0f} % or more of the noisy re-simulations give the same answer."
    table.caption = f"{stable}\n{CEILING_CAPTION}"
    return in_full(table)


def measured_table(title: str, measured: Mapping[QuestionKind, Sequence[Stability]]) -> Table:
    """How much of each kind of question is stable, and the ceilings, without anybody's answers."""
    table = new_table(
        title,
        *("", "options", "stable", "ceiling\nper option", "majority\nper option"),
        *("questions", "stable", "ceiling\nper question", "majority\nper question"),
    )
    for kind, stabilities in measured.items():
        options = [share for one in stabilities for share in one.options]
        ceiling = ceiling_of(options, stabilities)
        table.add_row(
            str(kind),
            str(len(options)),
            share_in_percent(stable_share(options)),
            share_in_percent(ceiling.per_option),
            share_in_percent(ceiling.majority_per_option),
            str(len(stabilities)),
            share_in_percent(stable_share([one.question for one in stabilities])),
            share_in_percent(ceiling.per_question),
            share_in_percent(ceiling.majority_per_question),
        )
    table.caption = f"{CEILING_CAPTION}\nMajority: it starts many times and answers as most of its runs do."
    return in_full(table)


def _cells(score: GroupScore, ceilings: Mapping[Group, Ceiling] | None) -> list[str]:
    cells = [
        str(score.questions),
        str(score.unanswered) if score.unanswered else NOTHING,
        percent_and_interval(score.per_option),
        percent_and_interval(score.per_question),
    ]
    if ceilings is None:
        return cells
    one = ceilings.get((score.kind, score.group), NO_CEILING)
    return [*cells[:-1], share_in_percent(one.per_option), cells[-1], share_in_percent(one.per_question)]


def remarks(report: QAReport, stability: StabilityReport | None = None) -> list[str]:
    """What a reader must know to read the tables right."""
    lines = []
    if report.unanswered:
        lines.append(
            f"{report.unanswered} of {report.questions} questions lack their answer or a part of it: counted as wrong."
        )
    if report.without_choices:
        lines.append(f"{report.without_choices} questions have no choices: left out of all accuracies.")
    if stability is not None and stability.measured and not stability.complete:
        lines.append(
            f"Stability was measured for {stability.measured} of {stability.asked} predictive and counterfactual questions: "
            "the table by stability is about those."
        )
    return lines


class Share(Protocol):
    """Something measured, with its interval."""

    @property
    def value(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...


def share_in_percent(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f}"


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
    table.width = Console(width=_WIDEST, markup=False, emoji=False).measure(table).maximum
    return table
