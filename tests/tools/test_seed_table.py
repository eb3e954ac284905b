"""The table of runs that differ in their seed alone."""

import json
from pathlib import Path

import pytest

from comphy.errors import ComphyError
from tools.figures.seed_table import seed_table

COLUMNS = ("factual", "predictive_per_option", "predictive_per_question", "counterfactual_per_option")


def report(folder: Path, name: str, accuracy: float) -> None:
    columns = {column: {"accuracy": accuracy} for column in COLUMNS}
    (folder / f"{name}.json").write_text(json.dumps({"columns": columns, "concepts": None, "alignment": None}))


def test_seeds_of_a_name_are_a_row(tmp_path: Path) -> None:
    for seed, accuracy in enumerate((0.90, 0.92, 0.94)):
        report(tmp_path, f"paper_{seed}", accuracy)
    report(tmp_path, "without_references_0", 0.5)
    _, _, paper, alone = seed_table(tmp_path).splitlines()
    assert paper == "| paper | 0, 1, 2 | 92.0 ± 2.0 | 92.0 ± 2.0 / 92.0 ± 2.0 | 92.0 ± 2.0 / – |"
    assert alone == "| without_references | 0 | 50.0 | 50.0 / 50.0 | 50.0 / – |"


def test_a_folder_without_reports_is_refused(tmp_path: Path) -> None:
    report(tmp_path, "paper", 0.5)
    with pytest.raises(ComphyError, match=r"NAME_SEED\.json, such as paper_0\.json \(found none\)"):
        seed_table(tmp_path)
