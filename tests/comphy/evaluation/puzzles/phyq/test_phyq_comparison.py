"""Agents of Phy-Q beside each other: only on the same levels, with the published ones."""

from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.text import Annotation
from rich.console import Console
from rich.table import Table

from comphy.errors import DatasetError
from comphy.evaluation.puzzles.phyq.comparison import brought_together, comparison_tables
from comphy.evaluation.puzzles.phyq.plots import thinking_plot
from comphy.evaluation.puzzles.phyq.results import AgentResult, TaskScore
from comphy.files import write_json
from tests.support.commands import comphy


def result(agent: str, won: int) -> AgentResult:
    tasks = {f"{number}.1:{task:03d}": TaskScore(won, 5, 0.5) for number in range(1, 16) for task in (81, 82)}
    return AgentResult(agent, "heuristic", "broad", 0, "levels", (), tasks, f"{agent}.json")


def text(table: Table) -> str:
    console = Console(width=300, record=True, file=None, quiet=False, force_terminal=False)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def test_tables_have_ours_people_and_the_published() -> None:
    scores, scenarios, leads = map(text, comparison_tables(brought_together([result("good", 5), result("bad", 1)])))
    rows = {line.split("│")[1].strip(): line for line in scores.splitlines() if line.startswith("│")}
    assert "1.000" in rows["good"] and "0.200" in rows["bad"]
    assert "0.178" in rows["Bambirds, published"] and "13.6" in rows["Bambirds, published"]
    assert "0.829" in rows["people"]
    assert "3 rolling" in scenarios and "0.853" in scenarios and "0.330" in scenarios
    row = next(line for line in leads.splitlines() if line.startswith("│ good"))
    assert row.split("│")[3].strip() == "< 0.0001", "30 tasks, all won by the one"


def test_results_of_other_tasks_are_refused() -> None:
    first, second = result("a", 1), result("b", 2)
    with pytest.raises(DatasetError, match=r"b.json: expected results of broad, as in a.json \(got local\)"):
        brought_together([first, replace(second, setup="local")])
    with pytest.raises(DatasetError, match=r"b\.json: expected the same tasks as in a\.json"):
        brought_together([first, replace(second, levels="others")])
    fewer = dict(list(second.tasks.items())[:3])
    with pytest.raises(DatasetError, match=r"got 3 and 30 of different lists"):
        brought_together([first, replace(second, tasks=fewer)])
    with pytest.raises(DatasetError, match=r"a has results in a.json already"):
        brought_together([first, first])
    assert list(brought_together([first, replace(first, seed=1)])) == ["a, seed 0", "a, seed 1"]


def test_thinking_is_drawn_for_agents_with_a_score_alone() -> None:
    one, quick = result("one", 3), result("quick", 2)
    quick = replace(quick, tasks={name: replace(task, seconds=0.0) for name, task in quick.tasks.items()})
    figure = thinking_plot({"one": one, "quick": quick})
    assert figure is not None
    (axes,) = figure.axes
    places = {text.get_text(): text.xy for text in axes.texts if isinstance(text, Annotation)}
    assert places["one"][0] == pytest.approx(0.5) and places["people"] == (23.7, 100.0)
    left, right = axes.get_xlim()
    assert left < places["quick"][0] < 0.01 and right > 23.7, "no thinking at all has a place on the axis"
    unscored = replace(one, tasks={name: task for name, task in one.tasks.items() if name.startswith("1.")})
    assert thinking_plot({"one": unscored}) is None


def test_the_command_compares_and_explains_mistakes(tmp_path: Path) -> None:
    facts = {"format": 1, "setup": "broad", "kind": "heuristic", "seed": 0, "levels": "x", "remarks": []}
    for agent, won in (("one", 3), ("other", 2)):
        tasks = {"3.4:081": {"won": won, "plays": 5, "seconds": 0.1, "imagined": 0, "log": []}}
        write_json(tmp_path / f"{agent}.json", {**facts, "agent": agent, "tasks": tasks})
    done = comphy("phyq", "compare", tmp_path / "one.json", tmp_path / "other.json", "--plots", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "phyq_agents.png").stat().st_size > 10_000
    assert (tmp_path / "phyq_thinking.png").stat().st_size > 10_000
    assert "Pass rates by scenario" in done.stdout and "Scores over scenarios 3 alone" in done.stdout
    missing = comphy("phyq", "compare", tmp_path / "none.json")
    assert missing.returncode == 1 and "none.json" in missing.stderr and "Traceback" not in missing.stderr
