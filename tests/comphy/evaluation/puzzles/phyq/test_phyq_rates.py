"""Pass rates, means and scores with their intervals, by hand."""

from pathlib import Path

import pytest

from comphy.errors import DatasetError
from comphy.evaluation.puzzles.phyq.rates import (
    mean_over_scenarios,
    mean_over_templates,
    scenario_rates,
    score,
    scored,
    template_rates,
)
from comphy.evaluation.puzzles.phyq.results import AgentResult, TaskScore, read_result
from comphy.evaluation.puzzles.phyq.score import PEOPLE, RANDOM_RATES, by_scenario, partial_score, phyq_score
from comphy.evaluation.puzzles.phyq.tables import score_sentence
from comphy.files import write_json


def result(wins: dict[str, list[int]], plays: int = 5, seconds: float = 0.5) -> AgentResult:
    """Wins of each task of some templates."""
    tasks = {
        f"{template_id}:{number:03d}": TaskScore(won, plays, seconds)
        for template_id, own in wins.items()
        for number, won in enumerate(own, 81)
    }
    return AgentResult("agent", "heuristic", "broad", 0, "levels", (), tasks)


def test_templates_weigh_the_same_in_a_scenario_whatever_their_tasks() -> None:
    found = result({"1.4": [5, 0], "3.4": [5, 5, 5, 5], "3.5": [0]})
    assert {name: rate.value for name, rate in template_rates(found).items()} == {"1.4": 0.5, "3.4": 1.0, "3.5": 0.0}
    scenarios = scenario_rates(found)
    assert {number: rate.value for number, rate in scenarios.items()} == {1: 0.5, 3: 0.5}
    assert scenarios[3].low < 0.2 and scenarios[3].high > 0.8, "five tasks tell little, however many plays"
    assert mean_over_scenarios(found).value == pytest.approx(0.5)
    assert mean_over_templates(found).value == pytest.approx((0.5 + 1.0 + 0.0) / 3)


def test_the_interval_of_a_mean_is_that_of_its_tasks() -> None:
    """Of 100 tasks, half of them won: the deviation of a mean of coin flips is 0.05."""
    rate = mean_over_scenarios(result({"3.4": [1, 0] * 50}, plays=1))
    assert rate.value == 0.5
    assert rate.high - rate.low == pytest.approx(2 * 1.96 * 0.05, abs=0.025)
    sure = mean_over_scenarios(result({"3.4": [1] * 20}, plays=1))
    assert (sure.low, sure.high) == (1.0, 1.0)


def test_the_score_says_over_which_scenarios_it_is() -> None:
    part = result({"3.4": [5, 5], "4.4": [0, 0]})
    found = score(part)
    assert found is not None and scored(part) == [3, 4]
    assert found.value == pytest.approx(partial_score({3: 1.0, 4: 0.0}, [3, 4]))
    assert "also needs scenarios 5, 6" in score_sentence(part) and "Over the 2 that were played" in score_sentence(part)
    assert score(result({"1.4": [5]})) is None
    whole = result({f"{number}.1": [5, 0] for number in range(1, 16)})
    assert score_sentence(whole).startswith(f"Phy-Q score: {phyq_score(dict.fromkeys(range(1, 16), 0.5)):.1f} (")


def test_a_partial_score_has_people_at_100_and_random_at_0() -> None:
    people = {number: one.rate for number, one in PEOPLE.items()}
    for scenarios in ([3, 4], [12], list(range(3, 16))):
        assert partial_score(people, scenarios) == pytest.approx(100.0)
        assert partial_score(by_scenario(RANDOM_RATES), scenarios) == pytest.approx(0.0, abs=1e-9)
    assert partial_score(people, range(1, 16)) == phyq_score(people)


def test_damaged_results_are_explained(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_json(path, {"format": 9})
    with pytest.raises(DatasetError, match=r"expected format 1 \(got 9\)"):
        read_result(path)
    write_json(path, {"format": 1, "setup": "everywhere", "tasks": {"1.4:001": {}}})
    with pytest.raises(DatasetError, match="expected results of local, broad, a round or all tasks"):
        read_result(path)
    facts = {"format": 1, "setup": "broad", "agent": "a", "kind": "heuristic", "seed": 0, "levels": "", "remarks": []}
    write_json(path, {**facts, "tasks": {"1.4:001": {"won": 6, "plays": 5, "seconds": 0.1, "imagined": 0}}})
    with pytest.raises(DatasetError, match=r"1.4:001: expected wins in at least one play \(got 6 of 5\)"):
        read_result(path)
