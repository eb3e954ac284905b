"""What was measured, read from the files of `comphy evaluate`, and the seed that is chosen by it."""

import json
import math
from pathlib import Path

import pytest

from comphy.errors import DatasetError
from comphy.toolkit.reproduction.reports import SeedReport, best_seed, mean_and_deviation


def seed_report(factual: float, predictive: float | None, counterfactual: float | None) -> SeedReport:
    """Accuracies per question; what is counted per option is 0.99 everywhere."""
    answers = {"factual": factual, "predictive_per_option": 0.99, "predictive_per_question": predictive}
    answers |= {"counterfactual_per_option": 0.99, "counterfactual_per_question": counterfactual}
    return SeedReport(answers, {}, None)


def test_the_files_of_evaluate_are_read(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    record = {
        "columns": {"factual": {"accuracy": 0.75, "low": 0.1, "high": 0.9}, "predictive_per_option": None},
        "concepts": {"color": {"accuracy": 1.0}, "charge": None},
        "alignment": {"features alone": None, "learned attributes": {"right": 3, "count": 4, "low": 0.1, "high": 1}},
    }
    file.write_text(json.dumps(record))
    report = SeedReport.read(file)
    assert report.answers["factual"] == 0.75 and report.answers["predictive_per_option"] is None
    assert report.concepts["color"] == 1.0 and report.concepts["charge"] is None and report.alignment == 0.75
    file.write_text(json.dumps({**record, "alignment": {"learned attributes": None}}))
    assert SeedReport.read(file).alignment is None
    file.write_text(json.dumps({**record, "concepts": None, "alignment": None}))  # annotations were not there
    without = SeedReport.read(file)
    assert without.answers == report.answers and without.concepts["color"] is None and without.alignment is None
    del record["concepts"]
    file.write_text(json.dumps(record))
    with pytest.raises(DatasetError, match="expected the key 'concepts'"):
        SeedReport.read(file)


def test_a_score_is_the_mean_of_what_is_asked_per_question() -> None:
    assert seed_report(0.9, 0.6, 0.3).score == pytest.approx(0.6)
    assert seed_report(0.9, None, 0.3).score == pytest.approx(0.6)
    with pytest.raises(DatasetError, match="Use more sets"):
        _ = SeedReport(dict.fromkeys(seed_report(1, 1, 1).answers), {}, None).score


def test_the_best_seed_is_chosen_and_the_smallest_of_equals() -> None:
    assert best_seed({0: 0.5, 7: 0.75, 3: 0.6}) == 7
    assert best_seed({5: 0.75, 2: 0.75, 9: 0.1}) == 2


def test_the_deviation_is_that_of_a_sample() -> None:
    """2, 4 and 9: mean 5, squares 9 + 1 + 16 = 26 over two."""
    assert mean_and_deviation([2.0, 4.0, 9.0]) == (5.0, pytest.approx(math.sqrt(13)))
    assert mean_and_deviation([3.0]) == (3.0, None)
