"""What `comphy evaluate` has measured of each seed, and the seed that is chosen by it."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from comphy.errors import DatasetError
from comphy.evaluation.perception.tables import AlignedBy
from comphy.files import read_json, require

FACTUAL: Final = "factual"
PREDICTIVE: Final = ("predictive_per_option", "predictive_per_question")
COUNTERFACTUAL: Final = ("counterfactual_per_option", "counterfactual_per_question")
CHOSEN_BY: Final = (FACTUAL, PREDICTIVE[1], COUNTERFACTUAL[1])
CHOSEN_BY_NAME: Final = "the mean of the accuracies per question (factual, predictive, counterfactual) on val"
CONCEPTS: Final = ("color", "shape", "material", "mass", "charge", "mass_of_sets", "charge_of_sets")

Figures = Mapping[str, float | None]  # shares of one, None where there was nothing to measure


@dataclass(frozen=True)
class SeedReport:
    """The figures of one seed on one split."""

    answers: Figures
    concepts: Figures
    alignment: float | None

    @staticmethod
    def read(path: Path) -> "SeedReport":
        """From the file that `comphy evaluate … --json` has written. Concepts and alignment are null in one that was written
        where annotations were missing; answers do without."""
        found, where = read_json(path), str(path)
        columns = require(found, "columns", dict, where)
        concepts, alignment = (_unless_null(found, key, where) for key in ("concepts", "alignment"))
        aligned = alignment.get(AlignedBy.ATTRIBUTES)
        return SeedReport(
            {name: _accuracy(columns.get(name)) for name in (FACTUAL, *PREDICTIVE, *COUNTERFACTUAL)},
            {name: _accuracy(concepts.get(name)) for name in CONCEPTS},
            aligned["right"] / aligned["count"] if aligned else None,
        )

    @property
    def score(self) -> float:
        """What seeds are chosen by; kinds of questions that are not asked are left out."""
        asked = [value for name in CHOSEN_BY if (value := self.answers[name]) is not None]
        if not asked:
            raise DatasetError("expected questions in the val split to choose a seed by (found none). Use more sets.")
        return statistics.fmean(asked)


def _unless_null(found: Any, key: str, where: str) -> dict[str, Any]:
    null = isinstance(found, dict) and key in found and found[key] is None
    return {} if null else require(found, key, dict, where)


def _accuracy(record: Any) -> float | None:
    return None if record is None else float(record["accuracy"])


def best_seed(scores: Mapping[int, float]) -> int:
    """The seed with the highest score, the smallest of them if several have it."""
    return min(scores, key=lambda seed: (-scores[seed], seed))


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean, and the sample standard deviation (n - 1), which a single value does not have."""
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else None
