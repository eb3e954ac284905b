"""The Phy-Q score against the published ones."""

import pytest

from comphy.errors import ConfigError
from comphy.evaluation.puzzles.phyq_score import PEOPLE, RANDOM_RATES, by_scenario, mean_deviation, phyq_score

# Pass rates in scenarios 3 to 15, and the score that was published.
PUBLISHED = {
    "Bambirds": (
        (0.04, 0.27, 0.035, 0.0966667, 0.005, 0.05, 0.03, 0.08375, 0.065, 0.2333333, 0.29, 0.03, 0.1),
        14,
    ),
    "Eagle's Wing": (
        (0.33, 0.045, 0.09, 0.0633333, 0.01, 0.255, 0.01, 0.265, 0.035, 0.2433333, 0.035, 0.07, 0.0325),
        12,
    ),
    "Datalab": ((0.37, 0.0, 0.07, 0.0, 0.025, 0.12, 0.005, 0.0, 0.07, 0.22, 0.1, 0.0, 0.0), 7),
    "Pig Shooter": (
        (0.0083333, 0.0, 0.0105263, 0.0, 0.0, 0.0, 0.0, 0.0145833, 0.02, 0.0738889, 0.03125, 0.0, 0.003125),
        -2,
    ),
}


@pytest.mark.parametrize("agent", PUBLISHED)
def test_the_published_scores_come_out(agent: str) -> None:
    rates, score = PUBLISHED[agent]
    assert round(phyq_score(by_scenario((1.0, 1.0, *rates)))) == score


def test_people_have_100_and_the_random_agent_0() -> None:
    assert phyq_score({scenario: people.rate for scenario, people in PEOPLE.items()}) == pytest.approx(100.0)
    assert phyq_score(by_scenario(RANDOM_RATES)) == pytest.approx(0.0)
    assert 100 / abs(mean_deviation(by_scenario(RANDOM_RATES))) == pytest.approx(13.58, abs=0.005), "as in the paper"
    assert phyq_score(by_scenario([1.0] * 15)) > 100


def test_the_first_two_scenarios_do_not_count_and_the_others_must_be_there() -> None:
    assert phyq_score(by_scenario((0.0, 0.0, *RANDOM_RATES[2:]))) == pytest.approx(0.0)
    with pytest.raises(ConfigError, match=r"Expected pass rates of scenarios 3 to 15 \(got none of 14, 15\)"):
        phyq_score(by_scenario(RANDOM_RATES[:13]))
    with pytest.raises(ConfigError, match=r"Scenario 3: expected a pass rate from 0 to 1 \(got 37\)"):
        phyq_score(by_scenario((0.0, 0.0, 37, *RANDOM_RATES[3:])))
