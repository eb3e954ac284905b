"""Markdown tables of measured figures, against numbers worked out by hand."""

from comphy.toolkit.reproduction.journal import StepRecord
from comphy.toolkit.reproduction.reports import CONCEPTS, SeedReport
from comphy.toolkit.reproduction.tables import answer_table, concept_table, duration, percent, prose, step_table


def report(factual: float, options: float, questions: float | None) -> SeedReport:
    answers = {"factual": factual, "predictive_per_option": 0.5, "predictive_per_question": None}
    answers |= {"counterfactual_per_option": options, "counterfactual_per_question": questions}
    return SeedReport(answers, dict.fromkeys(CONCEPTS, factual) | {"charge": None}, 0.25)


REPORTS = {0: report(0.90, 0.80, 0.60), 4: report(0.94, 0.80, 0.61), 2: report(0.95, 0.83, 0.65)}


def test_percentages_have_a_deviation_if_there_are_several() -> None:
    """90, 94 and 95: mean 93, squares 9 + 1 + 4 = 14 over two, whose root is 2.65."""
    assert percent([0.90, 0.94, 0.95]) == "93.0 ± 2.6"
    assert percent([0.5]) == "50.0" and percent([None, None]) == percent([]) == "–"


def test_answers_are_shown_as_a_mean_and_per_seed() -> None:
    """Options: 80, 80, 83: mean 81, squares 1 + 1 + 4 over two, root 1.73. Questions: 60, 61, 65: 62, root of 7."""
    lines = answer_table("test, 500 sets", REPORTS, chosen=4, published=True).splitlines()
    assert lines[0] == (
        "| test, 500 sets | factual | predictive, per option / question | counterfactual, per option / question |"
    )
    assert lines[1] == "| --- | ---: | ---: | ---: |"
    mean = "mean ± standard deviation of 3 seeds"
    assert lines[2] == f"| {mean} | 93.0 ± 2.6 | 50.0 ± 0.0 / – | 81.0 ± 1.7 / 62.0 ± 2.6 |"
    assert lines[3] == "| seed 0 | 90.0 | 50.0 / – | 80.0 / 60.0 |"
    assert lines[4] == "| seed 4, the packed one | 94.0 | 50.0 / – | 80.0 / 61.0 |"
    assert lines[6] == "| paper's PCR, on its videos | 76.0 | 80.0 / 62.0 | 70.0 / 29.0 |"
    assert lines[7].startswith("| people") and len(lines) == 8
    assert len(answer_table("val", REPORTS, chosen=4).splitlines()) == 6


def test_one_seed_has_no_deviation() -> None:
    table = answer_table("test", {3: REPORTS[0]}, chosen=3)
    assert "±" not in table and "| seed 3, the packed one | 90.0 |" in table


def test_concepts_are_rows() -> None:
    lines = concept_table("test, %", REPORTS, chosen=2).splitlines()
    assert lines[0].endswith("| mean ± standard deviation of 3 seeds | seed 0 | seed 4 | seed 2, the packed one |")
    assert lines[2] == "| colour | 93.0 ± 2.6 | 90.0 | 94.0 | 95.0 |"
    assert lines[6] == "| charge, mean recall of the three relations of two objects | – | – | – | – |"
    assert lines[-1] == "| references aligned by learned attributes | 25.0 ± 0.0 | 25.0 | 25.0 | 25.0 |"


def test_times_are_told_in_words() -> None:
    assert [duration(seconds) for seconds in (4.6, 65, 3600 + 59 * 60 + 59)] == ["5 s", "1 min 5 s", "1 h 59 min"]
    assert step_table({"generate": StepRecord("comphy generate", True, 125.0, 1)}).endswith(
        "| generate | 2 min 5 s |\n"
    )


def test_prose_is_wrapped() -> None:
    assert all(len(line) <= 100 for line in prose("word " * 60).splitlines())
