"""Accuracies of concepts as a table for a terminal, beside the published ones."""

from typing import Final

from rich.table import Table
from rich.text import Text

from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.qa.concepts import BalancedAccuracy, ConceptScores
from comphy.evaluation.qa.tables import NOTHING, in_full, interval, new_table, percent

# Table 7 of the ComPhy paper, row PCR, on its validation split.
PUBLISHED_CONCEPTS: Final = {"color": 96.3, "shape": 96.8, "material": 97.1, "mass": 86.8, "charge": 68.1}


def concept_table(scores: ConceptScores) -> Table:
    table = new_table("Accuracy of concepts in %", "", "measured", "95 % interval", "out of", "PCR, paper")
    for name, accuracy in scores.attributes.items():
        _add(table, name, accuracy)
    _add(table, "charge", scores.charge)
    for name, recall in (scores.charge.recalls if scores.charge else {}).items():
        _add(table, f"  pairs: {name}", recall)
    _add(table, "sets: every mass right", scores.mass_of_sets)
    _add(table, "sets: every charge right", scores.charge_of_sets)
    table.caption = (
        "Per object of the target video; an object without a track is wrong. Charge: mean recall of the three relations\n"
        "that two objects can have, in sets with charges. Paper: its Table 7, on its validation split."
    )
    return in_full(table)


def _add(table: Table, name: str, one: Accuracy | BalancedAccuracy | None) -> None:
    published = f"{PUBLISHED_CONCEPTS[name]:.1f}" if name in PUBLISHED_CONCEPTS else NOTHING
    count = str(one.count) if isinstance(one, Accuracy) else NOTHING
    table.add_row(name, Text(percent(one), "bold"), interval(one), count, Text(published, "dim"))
