"""Plots of accuracies: they are written, and show what was measured."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from comphy.evaluation.qa.accuracy import QAReport, score
from comphy.evaluation.qa.plots import comparison_plot, group_plot, write_plots
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions


def report(right: int) -> QAReport:
    """Of four factual questions and one predictive one, so many factual ones right."""
    factual = [Question(i, QuestionKind.FACTUAL, "?", ("objects", "exist"), "object_exist", "yes") for i in range(4)]
    other = Question(
        4, QuestionKind.PREDICTIVE, "?", ("unseen_events", "belong_to"), choices=(Choice(0, "", (), True),)
    )
    truth = [SceneQuestions(0, "", (*factual, other))]
    return score(truth, {(0, i): "yes" if i < right else "no" for i in range(4)} | {(0, 4): {0: True}})


@pytest.mark.slow
def test_both_pictures_are_written(tmp_path: Path):
    paths = write_plots(tmp_path / "plots", report(3), "this run", {"random": report(1)})
    assert len(paths) == 2
    for path in paths:
        pixels = np.asarray(Image.open(path).convert("RGB"))
        assert pixels.shape[1] > 1000 and len(np.unique(pixels.reshape(-1, 3), axis=0)) > 10


def test_bars_are_as_long_as_accuracies_and_groups_are_named():
    axes = group_plot(report(3)).axes[0]
    assert {"75.0", "100.0"} <= {text.get_text() for text in axes.texts}
    assert [label.get_text() for label in axes.get_yticklabels()] == ["object exist  (4)", "will happen  (1)"]


def test_the_comparison_has_the_papers_rows():
    figure = comparison_plot(report(3), "this run", {"random": report(1)})
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["this run", "random", "CPL (paper)", "PCR (paper)", "Humans (paper)"]
    heights = [bar.get_height() for bar in figure.axes[0].containers[0]]
    assert heights == [75.0, 100.0, 100.0, 0.0, 0.0]
