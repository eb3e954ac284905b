"""The measured figures as Markdown tables: mean ± standard deviation over seeds, then each seed."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from comphy.evaluation.qa.tables import NOTHING, PUBLISHED, PublishedRow
from comphy.toolkit.reproduction.journal import StepRecord
from comphy.toolkit.reproduction.reports import (
    COUNTERFACTUAL,
    FACTUAL,
    PREDICTIVE,
    SeedReport,
    mean_and_deviation,
)

ANSWERS: Final = ("factual", "predictive, per option / question", "counterfactual, per option / question")
_WIDTH: Final = 100
_CELLS: Final = ((FACTUAL,), PREDICTIVE, COUNTERFACTUAL)
_CONCEPTS: Final = {
    "color": "colour",
    "shape": "shape",
    "material": "material",
    "mass": "mass",
    "charge": "charge, mean recall of the three relations of two objects",
    "mass_of_sets": "sets in which every mass is right",
    "charge_of_sets": "sets in which every charge is right",
}
_BESIDE: Final = {"PCR": "paper's PCR, on its videos", "Humans": "people, on the paper's videos"}

Reports = Mapping[int, SeedReport]


def answer_table(title: str, reports: Reports, chosen: int, published: bool = False) -> str:
    """Accuracies in %, in the paper's columns; with `published` beside the paper's own."""
    rows = [[mean_row(reports), *answer_cells(list(reports.values()))]]
    rows += [[seed_row(seed, chosen), *answer_cells([report])] for seed, report in reports.items()]
    if published:
        rows += [[_BESIDE[row.system], *_published(row)] for row in PUBLISHED if row.system in _BESIDE]
    return markdown([title, *ANSWERS], rows)


def concept_table(title: str, reports: Reports, chosen: int) -> str:
    """A concept a row, the mean and each seed a column; then the alignment of references."""
    each = list(reports.values())
    figures = {said: [report.concepts[name] for report in each] for name, said in _CONCEPTS.items()}
    figures["references aligned by learned attributes"] = [report.alignment for report in each]
    headings = [title, mean_row(reports), *(seed_row(seed, chosen) for seed in reports)]
    rows = [[said, percent(found), *(percent([one]) for one in found)] for said, found in figures.items()]
    return markdown(headings, rows)


def step_table(steps: Mapping[str, StepRecord]) -> str:
    return markdown(["step", "time"], [[name, duration(record.seconds)] for name, record in steps.items()])


def mean_row(reports: Reports) -> str:
    return f"mean ± standard deviation of {len(reports)} seeds" if len(reports) > 1 else "one seed"


def seed_row(seed: int, chosen: int) -> str:
    return f"seed {seed}, the packed one" if seed == chosen else f"seed {seed}"


def percent(values: Iterable[float | None]) -> str:
    """`96.2 ± 0.4` of shares of one; a single value has no deviation."""
    known = [100 * value for value in values if value is not None]
    if not known:
        return NOTHING
    mean, deviation = mean_and_deviation(known)
    return f"{mean:.1f}" if deviation is None else f"{mean:.1f} ± {deviation:.1f}"


def duration(seconds: float) -> str:
    """`1 h 2 min`, `3 min 4 s` or `5 s`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def markdown(headings: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """A table whose first columns are `words`, to the left, and whose others are numbers, to the right."""
    line = ["---" if column < words else "---:" for column in range(len(headings))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, line, *rows)) + "\n"


def prose(text: str) -> str:
    """A paragraph, wrapped as in the docs."""
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def answer_cells(reports: Sequence[SeedReport]) -> list[str]:
    """The cells of a row, in the order of `ANSWERS`."""
    return [" / ".join(percent(one.answers[name] for one in reports) for name in names) for names in _CELLS]


def _published(row: PublishedRow) -> list[str]:
    factual, *others = row.cells()
    return [factual, " / ".join(others[:2]), " / ".join(others[2:])]
