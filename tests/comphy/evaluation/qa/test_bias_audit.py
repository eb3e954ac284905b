"""Who passes the paper's Blind-LSTM with a single cue, on made-up systems whose accuracies are known."""

import pytest

from comphy.dataset.submission import Answer, QuestionKey
from comphy.evaluation.intervals import accuracy
from comphy.evaluation.qa.bias_audit import Excess, SingleCue, audit, audit_markdown, audit_tables
from comphy.evaluation.qa.leaderboard import Leaderboard, rank
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions

SETS = 100
ASKED = (
    Question(0, QuestionKind.FACTUAL, "?", ("objects", "exist"), "object_exist", "yes"),
    Question(1, QuestionKind.PREDICTIVE, "?", ("belong_to",), choices=(Choice(0, "…", (), True),)),
)
TRUTH = [SceneQuestions(index, f"sim_{index:05d}.mp4", ASKED) for index in range(SETS)]


def system(factual: int, predictive: int) -> dict[QuestionKey, Answer]:
    """Has so many of a hundred right."""
    answers: dict[QuestionKey, Answer] = {(index, 0): "yes" if index < factual else "no" for index in range(SETS)}
    return answers | {(index, 1): {0: index < predictive} for index in range(SETS)}


def board() -> Leaderboard:
    systems = {"reads": system(38, 58), "frame": system(50, 59), "whole": system(90, 68), "both": system(99, 99)}
    return rank(TRUTH, systems)


CUES = {"reads": SingleCue.QUESTION, "frame": SingleCue.SINGLE_FRAME, "whole": SingleCue.TARGET}


def test_columns_are_held_against_the_published_figures() -> None:
    found = audit(board(), CUES)
    factual, predictive = found.columns["factual"], found.columns["predictive_per_option"]
    assert list(found.cues) == ["whole", "frame", "reads"] and found.reader == "reads"
    assert factual["frame"].value == pytest.approx(0.50 - 0.390) and factual["frame"].mark == "!"
    assert factual["whole"].mark == "!!" and factual["reads"].mark == ""
    assert predictive["whole"].value == pytest.approx(0.68 - 0.579) and predictive["whole"].mark == "!"
    assert predictive["frame"].mark == ""


def test_families_are_held_against_who_reads_the_question_alone() -> None:
    families = audit(board(), CUES).families
    assert families["factual, object exist"]["frame"].value == pytest.approx(0.12)
    assert families["predictive, will happen"]["whole"].value == pytest.approx(0.10)
    assert families["predictive, will happen"]["whole"].mark == ""
    assert not audit(board(), {"frame": SingleCue.SINGLE_FRAME}).families


def test_chance_counts_on_both_sides() -> None:
    """Newcombe (1998), example (a) of its Table II: 56/70 less 48/80 has an interval from 0.0524 on."""
    one, other = accuracy(56, 70), accuracy(48, 80)
    assert one and other
    found = Excess(one, other.value, other.high)
    assert found.value == pytest.approx(0.2) and found.low == pytest.approx(0.0524, abs=5e-5)
    assert found.mark == "!"


def test_tables_tell_what_each_is_shown() -> None:
    found = audit(board(), CUES)
    page = audit_markdown(found)
    assert "| paper's Blind-LSTM | nothing | 39.0 | 57.9 | 28.7 |" in page
    assert "| frame | one frame | 50.0 (+11.0)! | 59.0 (+1.1) |" in page
    assert "| factual, object exist | 100 | 90.0 (+52.0)!! | 50.0 (+12.0)! | 38.0 |" in page and "both" not in page
    assert [table.row_count for table in audit_tables(found)] == [4, 2]
    assert found.record()["columns"]["factual"]["whole"]["mark"] == "!!"
