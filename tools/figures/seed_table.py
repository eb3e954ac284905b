"""Accuracies of runs that differ in their seed alone, as a Markdown table: a row for each name of `NAME_SEED.json`.

    python -m tools.figures.seed_table out/reports

The files are what `comphy evaluate … --json out/reports/NAME_SEED.json` writes.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from comphy.errors import ComphyError
from comphy.toolkit.reproduction.reports import SeedReport
from comphy.toolkit.reproduction.tables import ANSWERS, answer_cells, markdown


def reports_by_name(folder: Path) -> dict[str, dict[int, SeedReport]]:
    """The reports of each name, by seed.

    Raises:
        ComphyError: the folder has no report, or a damaged one.
    """
    found: dict[str, dict[int, SeedReport]] = defaultdict(dict)
    for path in sorted(folder.glob("*.json")):
        if named := re.fullmatch(r"(.+)_(\d+)", path.stem):
            found[named[1]][int(named[2])] = SeedReport.read(path)
    if not found:
        raise ComphyError(f"{folder}: expected reports named NAME_SEED.json, such as paper_0.json (found none).")
    return dict(found)


def seed_table(folder: Path) -> str:
    """Mean ± standard deviation over the seeds of each name."""
    rows = [
        [name, ", ".join(map(str, seeds)), *answer_cells(list(seeds.values()))]
        for name, seeds in reports_by_name(folder).items()
    ]
    return markdown(["", "seeds", *ANSWERS], rows)


if __name__ == "__main__":
    try:
        print(seed_table(Path(sys.argv[1] if len(sys.argv) > 1 else "out/reports")), end="")
    except ComphyError as error:
        sys.exit(f"error: {error}")
