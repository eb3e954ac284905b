"""`comphy phyre` as a user runs it, on a tiny list of tasks."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from comphy.puzzles.phyre.benchmark.tasks import Task, load_tasks, read_tasks, write_tasks
from comphy.puzzles.phyre.templates.template import candidates, find_template
from comphy.puzzles.phyre.world.actions import BALL
from tests.support.commands import comphy

pytestmark = pytest.mark.bullet


@pytest.fixture
def options(tmp_path: Path) -> list[object]:
    found = islice(enumerate(candidates(find_template("00000"))), 5)
    tasks = [Task(f"00000:{number:03}", candidate.parameters, (100, 200, 4)) for number, candidate in found]
    write_tasks(tmp_path / "tasks.json.gz", BALL, tasks)
    return ["--list", tmp_path / "tasks.json.gz", "--cache", tmp_path / "cache", "--out", tmp_path / "out"]


@pytest.mark.slow
def test_an_agent_learns_stops_goes_on_and_plays(options: list[object], tmp_path: Path) -> None:
    small = ["network.hidden=8", "network.heads=2", "learning.updates=2", "rank.actions=20"]
    command = ["evaluate", "--agent", "object_search", "--actions", 20, "--json", tmp_path / "found.json", *options]
    command += [f"object_search.{one}" for one in small] + ["device=cpu"]
    command += [f"dqn.{one}" for one in ("network.width=4", "learning.updates=2", "learning.batch_size=16")]
    stopped = comphy("phyre", *command, "--max-minutes", 0)
    assert stopped.returncode == 0, stopped.stderr
    assert "Out of time" in stopped.stdout and not (tmp_path / "found.json").exists()
    begun = {path.parent.name for path in (tmp_path / "out").rglob("checkpoint.safetensors")}
    assert begun == {"object_search"}, "no other network is begun when the run must stop"
    finished = comphy("phyre", *command)
    assert finished.returncode == 0, finished.stderr
    assert "AUCCESS" in finished.stdout and "00000" in finished.stdout
    found = json.loads((tmp_path / "found.json").read_text())
    assert (found["agent"], found["fold"], found["training_tasks"]) == ("object_search", 0, 4)
    [result] = found["tasks"].values()
    assert result["solved_at"] is None or result["solved_at"] == result["attempts"]
    assert found["config"]["actions"] == 20
    compared = comphy("phyre", "compare", tmp_path / "found.json", "--plots", tmp_path / "plots")
    assert compared.returncode == 0, compared.stderr
    assert "object_search" in compared.stdout and "1 fold" in compared.stdout
    assert (tmp_path / "plots" / "phyre_curves.png").is_file()


def test_simulated_results_are_kept_and_mistakes_are_explained(options: list[object], tmp_path: Path) -> None:
    simulated = comphy("phyre", "simulate", "--actions", 5, *options[:4])
    assert simulated.returncode == 0, simulated.stderr
    assert "5 actions on 5 tasks" in simulated.stdout
    assert len(list((tmp_path / "cache").glob("*/*.statuses"))) == 5
    wrong = comphy("phyre", "evaluate", "--agent", "dnq", *options)
    assert wrong.returncode == 2
    assert "--agent" in wrong.stderr and "object_search_o" in wrong.stderr, "all agents are listed"


def test_what_cannot_be_built_or_proved_is_refused_before_anything_is_touched(tmp_path: Path) -> None:
    mixed = comphy("phyre", "build", "--template", "00000", "--template", "00100", "--out", tmp_path / "records")
    assert mixed.returncode == 1 and "Expected templates of one tier" in mixed.stderr
    assert not (tmp_path / "records").exists(), "records of another effort would be begun anew"
    empty = comphy("phyre", "check", "--found", tmp_path)
    assert empty.returncode == 1 and "expected what a build of tier ball has found" in empty.stderr
    assert "Traceback" not in mixed.stderr + empty.stderr


@pytest.mark.slow
def test_tasks_that_do_not_hold_are_found_and_repaired_and_the_others_kept(tmp_path: Path) -> None:
    file, tasks = tmp_path / "tasks.json.gz", list(load_tasks(BALL).values())[:3]
    write_tasks(file, BALL, [tasks[0], replace(tasks[1], solution=(128, 250, 4)), tasks[2]])
    check = ["check", "--tier", "ball", "--list", file, "--workers", 2]
    broken = comphy("phyre", *check)
    assert broken.returncode == 1, broken.stderr
    assert "3 tasks of tier ball, 1 problem." in broken.stdout and f"problem {tasks[1].id}" in broken.stdout
    repaired = comphy("phyre", *check, "--repair")
    assert repaired.returncode == 0, repaired.stderr
    assert "3 tasks of tier ball, 1 did not hold, 1 are repaired" in repaired.stdout
    assert f"{tasks[1].id}: (128, 250, 4) became" in repaired.stdout
    found = read_tasks(file, BALL)
    assert [found[one.id] for one in (tasks[0], tasks[2])] == [tasks[0], tasks[2]]
    assert found[tasks[1].id].parameters == tasks[1].parameters
    assert "3 tasks of tier ball, 0 problems" in comphy("phyre", *check).stdout
    before = file.read_bytes()
    assert "0 did not hold" in comphy("phyre", *check, "--repair").stdout and file.read_bytes() == before
