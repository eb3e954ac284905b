"""What an imagining agent expected of its first shot in the tasks that it lost: a win in most of the scenes that it
imagined, in some, or in none; and the templates in which that was so most often.

    python -m tools.figures.phyq_losses out/imaginer.json
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from comphy.errors import ComphyError
from comphy.evaluation.puzzles.phyq.results import read_result
from comphy.toolkit.reproduction.tables import markdown

SHOWN: Final = 5  # templates
WINS: Final = re.compile(r"wins in (\d+) of (\d+) scenes")


def expectation(log: str) -> str:
    """In how many of its scenes a shot won."""
    found = WINS.search(log)
    wins, scenes = (int(found[1]), int(found[2])) if found else (0, 1)
    return "most" if 2 * wins > scenes else "some" if wins else "none"


def losses(path: Path) -> dict[str, Counter[str]]:
    """Lost tasks by what was expected of their first shot, and by template."""
    read_result(path)  # whether it is damaged
    lost: dict[str, Counter[str]] = {name: Counter() for name in ("most", "some", "none")}
    for task, one in json.loads(path.read_text())["tasks"].items():
        if not one["won"]:
            lost[expectation(one["log"][0][0])][task.split(":")[0]] += 1
    return lost


def table(lost: dict[str, Counter[str]]) -> str:
    rows = [
        [name, str(found.total()), ", ".join(f"{count} of {template}" for template, count in found.most_common(SHOWN))]
        for name, found in lost.items()
    ]
    return markdown(["scenes won by the first shot", "tasks lost", "most of them"], rows)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("error: expected a file that comphy phyq evaluate --json has written (got none or several).")
    try:
        print(table(losses(Path(sys.argv[1]))), end="")
    except ComphyError as error:
        sys.exit(f"error: {error}")
