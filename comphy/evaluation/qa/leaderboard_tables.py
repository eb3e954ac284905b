"""A leaderboard as tables: for a terminal, and in Markdown for documents."""

from collections.abc import Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from comphy.choices import Against
from comphy.evaluation.paired import RESAMPLES
from comphy.evaluation.qa.leaderboard import LEVEL, Comparison, Leaderboard
from comphy.evaluation.qa.tables import NOTHING, heading, in_full, interval, new_table, percent
from comphy.questions.model import QuestionKind

BEHIND: Final = "*"  # marks a significant difference
_COLUMNS: Final = "Accuracy in %"
_DIFFERENCES: Final = "Difference in points (95 % interval), p-value"
_FAMILIES: Final = "Accuracy in % per family of questions, all choices right"


def leaderboard_tables(board: Leaderboard) -> list[Table]:
    """Accuracies with intervals, differences with p-values, and accuracies per family."""
    columns = [heading(column) for column in board.columns()]
    scores = new_table(_COLUMNS, "", *columns)
    for name in board.reports:
        scores.add_row(Text(name), *(_styled(board, name, column) for column in board.columns()))
        reach = (interval(board.accuracy(name, column)) for column in board.columns())
        scores.add_row("  95 % interval", *reach, style="dim", end_section=True)
    scores.add_row(
        "out of", *(str(board.accuracy(next(iter(board.reports)), column).count) for column in board.columns())
    )
    scores.caption = remark(board)
    shown = [scores]
    if len(board.reports) > 1:
        differences = new_table(f"{_DIFFERENCES}, {_against(board)}", "", *columns)
        for name, *cells in difference_rows(board):
            differences.add_row(Text(name), *(cell.replace("), ", ")\n") for cell in cells), end_section=True)
        shown.append(differences)
    families = new_table(_FAMILIES, "", "questions", *board.reports)
    for name, *cells in family_rows(board):
        families.add_row(Text(name), *cells)
    return [in_full(table) for table in (*shown, families)]


def leaderboard_markdown(board: Leaderboard, title: str) -> str:
    """The same tables as a page of Markdown."""
    columns = [heading(column).replace("\n", " ").strip() for column in board.columns()]
    rows = [
        [name, *(f"{_marked(board, name, c)} ({interval(board.accuracy(name, c))})" for c in board.columns())]
        for name in board.reports
    ]
    said = remark(board).replace(BEHIND, f"\\{BEHIND}")  # at the start of a line it would begin a list
    parts = [f"# {title}", said, f"## {_COLUMNS} (95 % interval)", markdown_table(["", *columns], rows)]
    if len(board.reports) > 1:
        parts += [
            f"## {_DIFFERENCES}",
            f"All {_against(board)}.",
            markdown_table(["", *columns], difference_rows(board)),
        ]
    parts += [f"## {_FAMILIES}", markdown_table(["", "questions", *board.reports], family_rows(board))]
    return "\n\n".join(parts) + "\n"


def remark(board: Leaderboard) -> str:
    """What a reader must know to read the tables right."""
    if len(board.reports) == 1:
        return f"{board.sets} sets."
    test = f"paired bootstrap over {board.sets} sets, {RESAMPLES:,} resamples, two-sided"
    return f"{BEHIND} differs {_against(board)} with p < {LEVEL}:\n{test},\nnot corrected for many comparisons."


def difference_rows(board: Leaderboard) -> list[list[str]]:
    """Of every system: how far it is from the one it is compared with, in each column."""
    return [
        [name, *(_difference(board.comparisons[column].get(name)) for column in board.columns())]
        for name in board.reports
    ]


def family_rows(board: Leaderboard) -> list[list[str]]:
    """Every family of questions, ordered by kind: how many there are, and the accuracy of each system."""
    found = [{(one.kind, one.group): one for one in report.templates} for report in board.reports.values()]
    return [
        [family_name(kind, group), str(one.questions), *(percent(scores[kind, group].per_question) for scores in found)]
        for (kind, group), one in found[0].items()
        if one.per_question
    ]


def family_name(kind: QuestionKind, group: str) -> str:
    """As tables have it."""
    return f"{kind}, {group.replace('_', ' ')}"


def _difference(one: Comparison | None) -> str:
    if one is None:
        return NOTHING
    found = one.difference
    p_value = "p < 0.001" if found.p_value < 0.001 else f"p = {found.p_value:.3f}"
    return f"{100 * found.value:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f}), {p_value}"


def _marked(board: Leaderboard, name: str, column: str) -> str:
    compared = board.comparisons[column].get(name)
    return f"{percent(board.accuracy(name, column))}{BEHIND if compared and compared.significant else ''}"


def _styled(board: Leaderboard, name: str, column: str) -> Text:
    best = max(board.accuracy(other, column).value for other in board.reports)
    return Text(_marked(board, name, column), "bold" if board.accuracy(name, column).value == best else "")


def _against(board: Leaderboard) -> str:
    if board.against is Against.BEST:
        return "from the best of its column"
    others = next((compared for compared in board.comparisons.values() if compared), {})
    return f"from {next(iter(others.values())).against}" if others else "from the first"


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Words to the left, numbers to the right. Names may hold what Markdown takes for the end of a cell."""
    rule = ["---", *("---:" for _ in headings[1:])]
    lines = ([*headings], rule, *([cell.replace("|", "\\|") for cell in row] for row in rows))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
