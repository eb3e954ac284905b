"""The Phy-Q score against the published ones."""

import pytest

from comphy.errors import ConfigError
from comphy.evaluation.puzzles.phyq.published import PUBLISHED, PublishedAgent
from comphy.evaluation.puzzles.phyq.score import PEOPLE, RANDOM_RATES, by_scenario, mean_deviation, phyq_score

SCORES = {
    "Bambirds": 13.59,
    "Eagle's Wing": 12.11,
    "Datalab": 6.71,
    "Pig Shooter": -1.60,
    "D-DDQN, symbolic": 6.42,
    "D-DDQN, image": 8.76,
    "Relational, symbolic": 8.40,
    "Relational, image": 6.05,
    "random": 0.0,
}


@pytest.mark.parametrize("agent", PUBLISHED, ids=lambda agent: agent.name)
def test_the_published_scores_come_out(agent: PublishedAgent) -> None:
    assert phyq_score(by_scenario(agent.broad)) == pytest.approx(SCORES[agent.name], abs=0.005)


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
