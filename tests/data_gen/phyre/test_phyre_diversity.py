"""Histograms of how many tasks of a template the same action solves."""

import numpy as np

from data_gen.phyre.diversity import diversity_plot, tasks_solved


def test_actions_are_counted_by_the_tasks_that_they_solve() -> None:
    statuses = np.array([[1, -1, 0, 1], [1, -1, -1, -1], [3, 0, 0, -1]], dtype=np.int8)
    assert tasks_solved(statuses).tolist() == [3, 0, 0, 1]


def test_each_template_has_a_panel_without_the_actions_that_solve_nothing() -> None:
    figure = diversity_plot({"00000": np.array([3, 0, 0, 1]), "00001": np.array([0, 90])})
    first, second = [axes for axes in figure.axes if axes.get_visible()]
    assert [sum(bar.get_height() for bar in axes.patches) for axes in (first, second)] == [2, 1]
    [right] = [bar for bar in second.patches if bar.get_height()]
    assert right.get_x() <= 90 <= right.get_x() + right.get_width()


def test_a_template_that_no_action_solves_says_so() -> None:
    [axes] = [axes for axes in diversity_plot({"00115": np.zeros(4, dtype=int)}).axes if axes.get_visible()]
    assert [text.get_text() for text in axes.texts] == ["no action solves any"]
    assert axes.get_ylim() == (0, 1)
