"""Whether a model that is shown a single cue gets further than the paper's Blind-LSTM: it has then found a bias of the data.

The paper's figures are by column. Of families of questions it gives none, so these are compared with the best model of the
same leaderboard that reads the question alone.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.qa.leaderboard import Leaderboard
from comphy.evaluation.qa.leaderboard_tables import family_name, markdown_table
from comphy.evaluation.qa.tables import NOTHING, PUBLISHED, heading, in_full, new_table, percent

LIMIT: Final = 0.10  # by how much none may pass
_ROUNDING: Final = 1e-9
_BLIND: Final = "Blind-LSTM"
_COLUMNS: Final = "Bias audit: accuracy in % (points above the paper's Blind-LSTM)"
_FAMILIES: Final = "Bias audit, families of questions: accuracy in %, all choices right"
_LEGEND: Final = (
    f"! more than {100 * LIMIT:.0f} points above, !! so is the lower end of the 95 % interval:\n"
    "a bias of the data, or a cue that is enough."
)


class SingleCue(StrEnum):
    """All that a model is shown beside the question.

    Attributes:
        QUESTION: nothing.
        SINGLE_FRAME: one frame.
        SHUFFLED_FRAMES: frames out of order.
        REFERENCES: the reference videos.
        TARGET: the target video."""

    QUESTION = "nothing"
    SINGLE_FRAME = "one frame"
    SHUFFLED_FRAMES = "frames out of order"
    REFERENCES = "the references"
    TARGET = "the target"


@dataclass(frozen=True)
class Excess:
    """An accuracy beside what a model without eyes has; shares of one.

    Attributes:
        accuracy: of the model that is shown a cue.
        blind: of the model without eyes.
        blind_high: upper end of its 95 % interval; equal to `blind` where that is a published figure."""

    accuracy: Accuracy
    blind: float
    blind_high: float

    @property
    def value(self) -> float:
        """How much the accuracy is above that of the blind model."""
        return self.accuracy.value - self.blind

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval, by Newcombe's method for the difference of two shares."""
        return self.value - math.hypot(self.accuracy.value - self.accuracy.low, self.blind_high - self.blind)

    @property
    def mark(self) -> str:
        """Nothing, `!` above the limit of 10 points, `!!` with the whole interval."""
        return "!" * sum(end > LIMIT + _ROUNDING for end in (self.value, self.low))

    def record(self) -> dict[str, Any]:
        """The excess as plain JSON."""
        return {
            **self.accuracy.record(),
            "blind": self.blind,
            "excess": self.value,
            "excess_low": self.low,
            "mark": self.mark,
        }


@dataclass(frozen=True)
class BiasAudit:
    """How far systems get that are shown a single cue.

    Attributes:
        cues: what each system is shown, best first.
        columns: excess over Blind-LSTM by column, then by system.
        families: excess over `reader` by family of questions, then by system; empty without a reader.
        reader: the best system that reads the question alone; None if there is none."""

    cues: Mapping[str, SingleCue]
    columns: Mapping[str, Mapping[str, Excess]]
    families: Mapping[str, Mapping[str, Excess]]
    reader: str | None

    def record(self) -> dict[str, Any]:
        """The audit as plain JSON."""
        return {
            "limit": LIMIT,
            "cues": {name: str(cue) for name, cue in self.cues.items()},
            "reader": self.reader,
            "columns": _records(self.columns),
            "families": _records(self.families),
        }


def audit(board: Leaderboard, cues: Mapping[str, SingleCue]) -> BiasAudit:
    """Hold the systems that are shown a single cue against Blind-LSTM.

    Args:
        board: the scores of all systems.
        cues: what those are shown that are shown one cue only.

    Returns:
        How far each of them is above Blind-LSTM."""
    systems = {name: cues[name] for name in board.reports if name in cues}
    reader = next((name for name, cue in systems.items() if cue is SingleCue.QUESTION), None)
    row = next(row for row in PUBLISHED if row.system == _BLIND)
    published = {column: value / 100 for column, value in row.columns().items()}
    columns = {
        column: {name: Excess(board.accuracy(name, column), blind, blind) for name in systems}
        for column in board.columns()
        if (blind := published.get(column)) is not None
    }
    return BiasAudit(systems, columns, _families(board, list(systems), reader) if reader else {}, reader)


def _families(board: Leaderboard, systems: Sequence[str], reader: str) -> dict[str, dict[str, Excess]]:
    found: dict[str, dict[str, Excess]] = {}
    for number, one in enumerate(board.reports[reader].templates):
        if blind := one.per_question:
            others = {name: board.reports[name].templates[number].per_question for name in systems}
            found[family_name(one.kind, one.group)] = {
                name: Excess(other, blind.value, blind.high) for name, other in others.items() if other
            }
    return found


def audit_tables(found: BiasAudit) -> list[Table]:
    """Show an audit in a terminal.

    Args:
        found: what `audit` gives.

    Returns:
        A table by column, and one by family where somebody reads the question alone."""
    columns = new_table(_COLUMNS, "", "is shown", *(heading(column) for column in found.columns))
    for name, *cells in _column_rows(found):
        columns.add_row(Text(name), *cells)
    columns.caption = _LEGEND
    shown = [columns]
    if found.reader:
        families = new_table(_family_title(found.reader), "", "questions", *found.cues)
        for name, *cells in _family_rows(found):
            families.add_row(Text(name), *cells)
        shown.append(families)
    return [in_full(table) for table in shown]


def audit_markdown(found: BiasAudit) -> str:
    """Show an audit on a page of Markdown.

    Args:
        found: what `audit` gives.

    Returns:
        The tables of `audit_tables` as text."""
    columns = [heading(column).replace("\n", " ").strip() for column in found.columns]
    parts = [f"## {_COLUMNS}", _LEGEND, markdown_table(["", "is shown", *columns], _column_rows(found))]
    if found.reader:
        headings = ["", "questions", *found.cues]
        parts += [f"## {_family_title(found.reader)}", markdown_table(headings, _family_rows(found))]
    return "\n\n".join(parts) + "\n"


def _column_rows(found: BiasAudit) -> list[list[str]]:
    blind = [f"{100 * next(iter(one.values())).blind:.1f}" for one in found.columns.values()]
    return [
        [f"paper's {_BLIND}", str(SingleCue.QUESTION), *blind],
        *(
            [name, str(cue), *(_cell(column[name]) for column in found.columns.values())]
            for name, cue in found.cues.items()
        ),
    ]


def _family_rows(found: BiasAudit) -> list[list[str]]:
    return [
        [family, _count(measured.values()), *(_cell(measured.get(name), name == found.reader) for name in found.cues)]
        for family, measured in found.families.items()
    ]


def _family_title(reader: str) -> str:
    return f"{_FAMILIES} (points above {reader})"


def _count(measured: Iterable[Excess]) -> str:
    return str(max(one.accuracy.count for one in measured))


def _cell(one: Excess | None, alone: bool = False) -> str:
    if one is None:
        return NOTHING
    value = percent(one.accuracy)
    return value if alone else f"{value} ({100 * one.value:+.1f}){one.mark}"


def _records(measured: Mapping[str, Mapping[str, Excess]]) -> dict[str, Any]:
    return {place: {name: one.record() for name, one in found.items()} for place, found in measured.items()}
