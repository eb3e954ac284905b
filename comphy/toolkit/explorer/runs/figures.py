"""Figures that lie in the folder of a run: what training logged, and what evaluation has written."""

import json
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeGuard

from comphy.files import read_json, require

Json = dict[str, Any]
METRICS: Final = "metrics.jsonl"  # what training logs
EVALUATION: Final = "evaluation_{}.json"  # of a split: what comphy evaluate --json has written
STRESS: Final = "stress/stress.json"  # what comphy evaluate --stress --out RUN/stress has written
_MOST_POINTS: Final = 500  # of a curve


def curves(log: Path) -> list[Json]:
    """The steps and values of each figure in a log of training, of a long one some. Lines that a killed run left
    half-written, and figures that are no numbers, are left out."""
    if not log.is_file():
        return []
    found: dict[str, list[tuple[float, float]]] = {}
    for line in log.read_text(errors="replace").splitlines():
        with suppress(ValueError, RecursionError):
            figures = json.loads(line)
            step = figures.pop("step", None) if isinstance(figures, dict) else None
            if _is_figure(step):
                for name, value in figures.items():
                    if _is_figure(value):
                        found.setdefault(name, []).append((step, value))
    return [
        {"name": name, "points": points[:: 1 + len(points) // _MOST_POINTS]} for name, points in sorted(found.items())
    ]


def reliability(file: Path) -> dict[str, Json]:
    """By kind of question, how often answers of some confidence were right. Confidences are recalibrated where the run
    has learned to, as a reader of its answers is told them.

    Raises:
        DatasetError: the file is no evaluation of a reasoner."""
    found = {}
    for kind, told in require(read_json(file), "calibration", dict, str(file)).items():
        shown = require(told, "recalibrated", (dict, type(None)), str(file)) or require(
            told, "computed", dict, str(file)
        )
        bins = [one for one in require(shown, "bins", list, str(file)) if require(one, "count", int, str(file))]
        found[kind] = {
            "error": require(shown, "expected_calibration_error", (int, float), str(file)),
            "points": [
                [require(one, axis, (int, float), str(file)) for axis in ("confidence", "accuracy")] for one in bins
            ],
        }
    return found


def robustness(file: Path) -> Json:
    """The rows of a robustness table: accuracies by what happened to the frames, with their 95 % intervals.

    Raises:
        DatasetError: the file is no such table."""
    told, where = read_json(file), str(file)
    return {
        "split": require(told, "split", str, where),
        "rows": [
            {
                "name": require(row, "name", str, where),
                "about": require(row, "about", str, where),
                "sets": require(row, "sets", int, where),
                "columns": {
                    column: [require(one, part, (int, float), where) for part in ("accuracy", "low", "high")]
                    for column, one in require(row, "columns", dict, where).items()
                    if one is not None
                },
            }
            for row in require(told, "rows", list, where)
        ],
    }


def _is_figure(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
