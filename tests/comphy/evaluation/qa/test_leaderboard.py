"""Leaderboards of made-up systems whose differences are known."""

import pytest

from comphy.choices import Against
from comphy.dataset.submission import Answer, QuestionKey
from comphy.errors import ConfigError
from comphy.evaluation.paired import mcnemar
from comphy.evaluation.qa.accuracy import score
from comphy.evaluation.qa.leaderboard import rank
from comphy.evaluation.qa.leaderboard_plots import leaderboard_plot
from comphy.evaluation.qa.leaderboard_tables import family_rows, leaderboard_markdown, leaderboard_tables
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions

SETS = 40
TRUTH = [
    SceneQuestions(
        index,
        f"sim_{index:05d}.mp4",
        (
            Question(0, QuestionKind.FACTUAL, "?", ("objects", "exist"), "object_exist", "yes"),
            Question(1, QuestionKind.FACTUAL, "?", ("objects", "count"), "counting", "2"),
            Question(
                2,
                QuestionKind.PREDICTIVE,
                "?",
                ("belong_to",),
                choices=(Choice(0, "…", (), True), Choice(1, "…", (), False)),
            ),
        ),
    )
    for index in range(SETS)
]


def system(factual_wrong: int, options_wrong: int) -> dict[QuestionKey, Answer]:
    """Has the first answers to a yes-no question wrong, and of the first questions with choices one of two."""
    answers: dict[QuestionKey, Answer] = {}
    for index in range(SETS):
        answers[index, 0] = "no" if index < factual_wrong else "yes"
        answers[index, 1] = "2"
        answers[index, 2] = {0: True, 1: index < options_wrong}
    return answers


SYSTEMS = {"weak": system(30, 20), "strong": system(4, 1), "middle": system(5, 10)}


def test_the_best_comes_first_with_its_scores() -> None:
    board = rank(TRUTH, SYSTEMS)
    assert list(board.reports) == ["strong", "middle", "weak"]
    assert board.reports["weak"] == score(TRUTH, SYSTEMS["weak"])
    assert board.columns() == ["factual", "predictive_per_option", "predictive_per_question"]


def test_differences_to_the_best_of_a_column() -> None:
    factual = rank(TRUTH, SYSTEMS).comparisons["factual"]
    assert set(factual) == {"middle", "weak"} and {one.against for one in factual.values()} == {"strong"}
    assert factual["weak"].difference.value == pytest.approx(-26 / 80)
    assert factual["middle"].difference.value == pytest.approx(-1 / 80)
    assert factual["weak"].significant and not factual["middle"].significant
    assert factual["weak"].mcnemar_p == mcnemar(0, 26) and factual["middle"].mcnemar_p == 1.0


def test_options_count_in_part_and_have_no_mcnemar_test() -> None:
    board = rank(TRUTH, SYSTEMS)
    per_option = board.comparisons["predictive_per_option"]["weak"]
    per_question = board.comparisons["predictive_per_question"]["weak"]
    assert per_option.difference.value == pytest.approx(-19 / 80) and per_option.mcnemar_p is None
    assert per_question.difference.value == pytest.approx(-19 / 40) and per_question.mcnemar_p == mcnemar(0, 19)


def test_the_first_may_be_what_others_are_compared_with() -> None:
    board = rank(TRUTH, SYSTEMS, Against.FIRST)
    for compared in board.comparisons.values():
        assert set(compared) == {"strong", "middle"} and {one.against for one in compared.values()} == {"weak"}
    assert board.comparisons["factual"]["strong"].difference.low > 0
    assert "from weak" in leaderboard_markdown(board, "Board")


def test_families_stand_in_one_table() -> None:
    rows = {row[0]: row[1:] for row in family_rows(rank(TRUTH, SYSTEMS))}
    assert rows["factual, object exist"] == ["40", "90.0", "87.5", "25.0"]
    assert rows["factual, counting"] == ["40", "100.0", "100.0", "100.0"]
    assert rows["predictive, will happen"] == ["40", "97.5", "75.0", "50.0"]


def test_markdown_has_every_figure_in_a_cell_of_its_own() -> None:
    page = leaderboard_markdown(rank(TRUTH, {**SYSTEMS, "a|b": system(4, 1)}), "Board")
    assert page.startswith("# Board\n") and "a\\|b" in page
    [weak] = [line for line in page.splitlines() if line.startswith("| weak | 62.5* (")]
    assert weak.count("|") == 5
    assert "-32.5 (" in page and "p < 0.001" in page and "\n\\* differs from" in page


def test_a_single_system_is_compared_with_nobody() -> None:
    board = rank(TRUTH, {"alone": SYSTEMS["middle"]})
    assert not any(board.comparisons.values())
    assert len(leaderboard_tables(board)) == 2 and "Difference" not in leaderboard_markdown(board, "Board")


def test_the_plot_has_a_panel_for_each_column_and_a_row_for_each_system() -> None:
    figure = leaderboard_plot(rank(TRUTH, SYSTEMS))
    assert len(figure.axes) == 3
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["strong", "middle", "weak"]


def test_nothing_to_rank() -> None:
    with pytest.raises(ConfigError, match="got 0 systems"):
        rank(TRUTH, {})
