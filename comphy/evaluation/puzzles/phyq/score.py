"""The Phy-Q score: an agent's pass rates against those of people, scaled so that they have 100 and a random agent 0.

Each scenario counts by how many standard deviations (of people, over players) the agent is from their mean. The first
two scenarios need no reasoning and do not count. People may try a task five times and get (6 - attempts) / 5 for it,
agents once: that is how the published scores were made (docs/format.md#sources).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from comphy.errors import ConfigError


@dataclass(frozen=True)
class People:
    """How 19 players did in a scenario.

    Attributes:
        rate: the mean of their pass rates, 0 to 1.
        deviation: standard deviation over all of them."""

    rate: float
    deviation: float


PEOPLE: Final[Mapping[int, People]] = {
    1: People(0.963157895, 0.113371891),
    2: People(0.989473684, 0.03068922),
    3: People(0.852631579, 0.160159201),
    4: People(0.978947368, 0.052102605),
    5: People(0.863157895, 0.152903569),
    6: People(0.805263158, 0.208941403),
    7: People(0.631578947, 0.238531983),
    8: People(0.847368421, 0.190203274),
    9: People(0.731578947, 0.183683456),
    10: People(0.926315789, 0.090856192),
    11: People(0.5, 0.217642875),
    12: People(0.984210526, 0.036464228),
    13: People(0.921052632, 0.139845582),
    14: People(0.568421053, 0.271550386),
    15: People(0.868421053, 0.122700455),
}
SCORED: Final = tuple(range(3, 16))

# Pass rates of the published random agent in scenarios 1 to 15, which define what 0 means.
RANDOM_RATES: Final = (
    0.085, 0.134183675, 0.084693879, 0.0193877555, 0.021428572, 0.017346939, 0.0045918365, 0.066836736, 0.0086734695,
    0.0571428585, 0.007, 0.0506666677, 0.0365000005, 0.014285714, 0.033163266,
)  # fmt: skip


def phyq_score(rates: Mapping[int, float]) -> float:
    """Compute the Phy-Q score.

    Args:
        rates: pass rates of an agent, 0 to 1, by scenario; scenarios 3 to 15 are needed.

    Returns:
        100 for an agent as good as people, 0 for one as good as the published random agent.

    Raises:
        ConfigError: if a rate is missing or out of range."""
    return 100.0 + 100.0 * mean_deviation(rates) / abs(_RANDOM_DEVIATION)


def partial_score(rates: Mapping[int, float], scenarios: Collection[int]) -> float:
    """Compute the score over some scenarios, which must not be compared with scores over others.

    Args:
        rates: pass rates of an agent, 0 to 1, by scenario.
        scenarios: those that count; of them, 1 and 2 are left out.

    Returns:
        100 for people and 0 for the published random agent on these scenarios.

    Raises:
        ConfigError: if none of the scenarios counts, or a rate is missing or out of range."""
    counted = [scenario for scenario in SCORED if scenario in scenarios]
    if not counted:
        raise ConfigError("Expected a scenario from 3 to 15 to score (got none).")
    return 100.0 + 100.0 * mean_deviation(rates, counted) / abs(mean_deviation(by_scenario(RANDOM_RATES), counted))


def mean_deviation(rates: Mapping[int, float], scenarios: Sequence[int] = SCORED) -> float:
    """Compare pass rates with those of people.

    Args:
        rates: 0 to 1, by scenario.
        scenarios: those that count.

    Returns:
        The mean distance from people, in their standard deviations; negative for a worse agent.

    Raises:
        ConfigError: if a rate is missing or out of range."""
    missing = [scenario for scenario in scenarios if scenario not in rates]
    if missing:
        raise ConfigError(f"Expected pass rates of scenarios 3 to 15 (got none of {', '.join(map(str, missing))}).")
    for scenario, rate in rates.items():
        if not 0.0 <= rate <= 1.0:
            raise ConfigError(f"Scenario {scenario}: expected a pass rate from 0 to 1 (got {rate}).")
    return sum((rates[m] - PEOPLE[m].rate) / PEOPLE[m].deviation for m in scenarios) / len(scenarios)


def by_scenario(rates: Sequence[float]) -> dict[int, float]:
    """Number pass rates by their scenarios.

    Args:
        rates: of scenarios 1 to 15 in their order.

    Returns:
        The rates by scenario."""
    return dict(enumerate(rates, 1))


_RANDOM_DEVIATION: Final = mean_deviation(by_scenario(RANDOM_RATES))
