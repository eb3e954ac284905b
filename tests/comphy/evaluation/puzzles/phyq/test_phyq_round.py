"""A round as people had it: its tasks, what an attempt is worth, the score, and its file, which compares with agents'."""

from pathlib import Path
from statistics import fmean

import pytest

from comphy.errors import ConfigError, DatasetError
from comphy.evaluation.puzzles.phyq.comparison import brought_together, comparison_tables
from comphy.evaluation.puzzles.phyq.rates import scenario_rates, score
from comphy.evaluation.puzzles.phyq.results import PERSON, ROUND, AgentResult, TaskScore, read_result
from comphy.evaluation.puzzles.phyq.round import (
    PEOPLES_TEMPLATES,
    Attempted,
    round_score,
    round_tasks,
    scenario_worths,
    tasks_of_scenario,
    worth,
)
from comphy.evaluation.puzzles.phyq.round_file import RoundFile, read_round
from comphy.evaluation.puzzles.phyq.score import PEOPLE
from comphy.files import read_json, write_json
from comphy.puzzles.phyq.tasks.task import load_tasks
from tests.support.commands import comphy


def test_a_round_has_the_tasks_that_people_had() -> None:
    tasks = round_tasks(1, load_tasks().values())
    scenarios = [task.template.scenario for task in tasks]
    assert len(tasks) == len({task.id for task in tasks}) == 32
    assert {one: scenarios.count(one) for one in range(1, 16)} == {**dict.fromkeys(range(1, 15), 2), 15: 4}
    have = {task.template_id for task in load_tasks().values()}
    assert {task.template_id for task in tasks} >= have.intersection(PEOPLES_TEMPLATES)
    assert tasks == round_tasks(1, load_tasks().values()) != round_tasks(2, load_tasks().values())
    assert sum(map(tasks_of_scenario, range(1, 16))) == 32


def test_where_peoples_templates_are_missing_others_stand_in() -> None:
    few = [task for task in load_tasks().values() if task.template_id in ("3.1", "3.3")]
    chosen = round_tasks(1, few)
    assert [task.template_id for task in chosen] == ["3.3", "3.1"]
    alone = round_tasks(1, [task for task in few if task.template_id == "3.1"])
    assert [task.template_id for task in alone] == ["3.1", "3.1"] and alone[0] != alone[1]


def test_an_attempt_is_worth_what_it_was_for_people() -> None:
    assert [worth(k, True) for k in range(1, 6)] == [1.0, 0.8, 0.6, 0.4, 0.2]
    assert worth(5, False) == 0.0
    task = Attempted()
    with pytest.raises(ConfigError, match="an attempt that has begun"):
        task.end(["20"], True, 1.0)
    task.begin()
    task.begin()
    task.end(["20.000,1.000"], True, 4.0)
    assert (task.attempts, task.decided, task.worth) == (2, True, 0.8)
    with pytest.raises(ConfigError, match="solved with attempt 2"):
        task.begin()


def test_people_have_100_by_their_own_rates() -> None:
    worths = {f"{number}.1:001": people.rate for number, people in PEOPLE.items()}
    assert round_score(worths) == pytest.approx(100.0)
    assert round_score({"1.1:001": 1.0}) is None
    assert scenario_worths({"3.1:001": 1.0, "3.2:004": 0.2, "4.1:001": 0.4}) == {3: pytest.approx(0.6), 4: 0.4}


def finished(folder: Path, player: str = "ann") -> RoundFile:
    """Every task is solved: with attempts 1, 2, 3, 4, 5, 1 and so on."""
    found = RoundFile(folder, player, 1, load_tasks())
    for k, task in enumerate(found.tasks):
        for _ in range(k % 5 + 1):
            found.of(task.id).begin()
        found.of(task.id).end(["20.000,1.000"], True, 2.0)
    found.write()
    return found


def test_a_round_goes_on_from_its_file(tmp_path: Path) -> None:
    found = RoundFile(tmp_path, "ann", 1, load_tasks())
    first, second = found.tasks[:2]
    found.of(first.id).begin()
    found.of(first.id).end(["20.000,1.000"], True, 2.0)
    found.of(second.id).begin()
    found.write()
    again = RoundFile(tmp_path, "ann", 1, load_tasks())
    assert again.attempted == found.attempted and again.tasks == found.tasks
    assert (again.worths, again.finished) == ({first.id: 1.0}, False)
    assert read_json(found.path)["remarks"] == ["31 of 32 tasks of the round are not played yet."]
    assert read_round(found.path, load_tasks()) == found.tasks


def test_a_file_is_a_result_that_compares_with_agents(tmp_path: Path) -> None:
    found = finished(tmp_path)
    result = read_result(found.path)
    assert (result.agent, result.kind, result.setup, result.plays) == ("ann", PERSON, ROUND, "up to 5")
    rates = scenario_rates(result)
    assert {number: rate.value for number, rate in rates.items()} == pytest.approx(scenario_worths(found.worths))
    points = score(result)
    assert points is not None and points.value == pytest.approx(round_score(found.worths))
    assert points.low < points.value < points.high
    agent = AgentResult(
        "agent", "heuristic", ROUND, 1, result.levels, (), {one: TaskScore(3, 5, 0.1) for one in result.tasks}
    )
    tables = list(comparison_tables(brought_together([result, agent])))
    assert len(tables) == 2, "attempts and single plays are no pair"
    mean = fmean(rate.value for rate in rates.values())
    assert f"{mean:.3f}" in list(tables[0].columns[2].cells)
    assert "attempt k" in str(tables[0].caption)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 7}, "expected format 1"),
        ({"round": ["1.1:999"]}, "expected tasks of the list"),
        ({"levels": "others"}, "expected the levels that were played"),
        ({"open": []}, "expected 'open' to be dict"),
    ],
)
def test_a_damaged_file_is_explained(tmp_path: Path, change: dict[str, object], message: str) -> None:
    path = finished(tmp_path).path
    write_json(path, {**read_json(path), **change})
    with pytest.raises(DatasetError, match=message):
        RoundFile(tmp_path, "ann", 1, load_tasks())


def test_attempts_of_a_result_are_checked(tmp_path: Path) -> None:
    path = finished(tmp_path).path
    record = read_json(path)
    record["tasks"][record["round"][0]]["plays"] = 6
    write_json(path, record)
    with pytest.raises(DatasetError, match=r"one of up to 5 attempts to win \(got 1 of 6\)"):
        read_result(path)


@pytest.mark.slow
@pytest.mark.bullet
def test_an_agent_plays_the_same_round_and_is_compared(tmp_path: Path) -> None:
    path, other = finished(tmp_path).path, tmp_path / "agent.json"
    done = comphy("phyq", "evaluate", "--agent", "pig_shooter", "--round", path, "--plays", 1, "--json", other)
    assert done.returncode == 0, done.stderr
    compared = comphy("phyq", "compare", path, other)
    assert compared.returncode == 0, compared.stderr
    assert "round, 32 tasks" in compared.stdout and "up to 5" in compared.stdout
    wrong = comphy("phyq", "evaluate", "--agent", "random", "--round", path, "--setup", "broad")
    assert wrong.returncode == 1 and "Expected --round alone" in wrong.stderr
    missing = comphy("phyq", "evaluate", "--agent", "random", "--round", tmp_path / "none.json")
    assert missing.returncode == 1 and "Play a round first: comphy phyq play" in missing.stderr
