"""Results of agents are read, brought together by folds, and compared; what cannot be compared is refused."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from rich.console import Console

from comphy.errors import DatasetError
from comphy.evaluation.plot_style import write_pictures
from comphy.evaluation.puzzles.phyre.plots import curve_plot
from comphy.evaluation.puzzles.phyre.results import AgentResult, brought_together, read_result
from comphy.evaluation.puzzles.phyre.tables import comparison_tables

SETUP = "ball_within_template"


def result(agent: str, fold: int, *solved_at: int | None, setup: str = SETUP) -> AgentResult:
    return AgentResult(agent, setup, fold, {f"00000:{k:03}": one for k, one in enumerate(solved_at)}, f"{agent}_{fold}")


def written(folder: Path, **changes: object) -> Path:
    record = {"agent": "mem", "setup": SETUP, "fold": 2, "dev": False, "tasks": {"00000:001": {"solved_at": 10}}}
    path = folder / "found.json"
    path.write_text(json.dumps(record | changes))
    return path


def test_a_result_is_read(tmp_path: Path) -> None:
    found = read_result(written(tmp_path))
    assert (found.agent, found.setup, found.fold) == ("mem", SETUP, 2)
    assert found.scores.get_auccess() == pytest.approx(1 - np.log(10) / np.log(101))
    assert (found.scores.success_at(9), found.scores.success_at(10)) == (0.0, 100.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dev": True}, "expected results on test tasks"),
        ({"tasks": {"00000:001": {}}}, "found.json: 00000:001: expected the key 'solved_at'"),
        ({"fold": "2"}, "expected 'fold' to be int"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        read_result(written(tmp_path, **changes))


def test_agents_are_compared_on_the_folds_that_all_have_played() -> None:
    results = [result("mem", fold, 1, None) for fold in (2, 0, 1)] + [result("rand", fold, 5, None) for fold in (1, 2)]
    found = brought_together(results)
    assert {agent: [one.fold for one in own] for agent, own in found[SETUP].items()} == {"mem": [1, 2], "rand": [1, 2]}


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([result("mem", 0, 1), result("mem", 0, 2)], "has results of ball_within_template, fold 0, in mem_0 already"),
        ([result("mem", 0, 1), result("rand", 1, 2)], r"expected a fold that all agents have played \(got mem: 0; ran"),
        ([result("mem", 0, 1), result("rand", 0, 2, 3)], "rand_0: expected the same tasks as in mem_0"),
    ],
)
def test_what_cannot_be_compared_is_explained(results: list[AgentResult], message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        brought_together(results)


def test_tables_say_who_is_better() -> None:
    better = [result("mem", fold, 1, fold + 1) for fold in range(7)]
    found = brought_together([*better, *(result("rand", fold, 50, None) for fold in range(7))])
    console = Console(width=200, file=io.StringIO())
    for table in comparison_tables(found):
        console.print(table)
    text = console.file.getvalue()
    best = f"{100 * np.mean([one.scores.get_auccess() for one in better]):.1f} ±"
    [row] = [line for line in text.splitlines() if best in line]
    assert "mem" in row and "*" in row
    assert "0.0078" in text and "7 folds" in text


def test_curves_are_drawn(tmp_path: Path) -> None:
    found = brought_together([result("mem", 0, 1, 20), result("rand", 0, 30, None)])
    figure = curve_plot(found)
    [axes] = figure.axes
    np.testing.assert_allclose(axes.get_lines()[0].get_ydata()[[0, 18, 19]], [50, 50, 100])
    [path] = write_pictures(tmp_path / "plots", {"curves.png": figure})
    assert path.read_bytes().startswith(b"\x89PNG")


def test_an_agent_has_the_same_colour_in_every_picture() -> None:
    def colors(*agents: str) -> dict[str, str]:
        [axes] = curve_plot(brought_together([result(agent, 0, 1) for agent in agents])).axes
        return {line.get_label(): line.get_color() for line in axes.get_lines()}

    few, many = colors("mem", "rand"), colors("dqn", "mem", "optimal", "rand", *(f"agent_{k}" for k in range(9)))
    assert {agent: many[agent] for agent in few} == few
    assert len({many[agent] for agent in ("dqn", "mem", "optimal", "rand", "agent_0", "agent_1")}) == 6


def test_one_that_goes_on_learning_has_its_familys_colour_dashed() -> None:
    [axes] = curve_plot(brought_together([result(agent, 0, 1) for agent in ("dqn", "dqn_o", "mem")])).axes
    dqn, online, mem = axes.get_lines()
    assert dqn.get_color() == online.get_color() != mem.get_color()
    assert (dqn.get_linestyle(), online.get_linestyle()) == ("-", "--")


def test_the_legend_fits_over_one_panel() -> None:
    agents = ("rand", "mem", "mem_o", "dqn", "dqn_o", "object_search", "object_search_o", "optimal")
    figure = curve_plot(brought_together([result(agent, 0, 1) for agent in agents]))
    FigureCanvasAgg(figure).draw()
    [legend] = figure.legends
    box = legend.get_window_extent()
    assert box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1
    assert box.y0 > figure.axes[0].get_window_extent().y1, "above the panel"
