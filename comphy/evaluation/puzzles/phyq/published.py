"""The published agents of Phy-Q and their pass rates, in the published game, on the published test tasks.

Broad rates are of scenarios 1 to 15. Local means of learning agents are read off a figure, to two digits.
"""

from dataclasses import dataclass
from typing import Final

from comphy.evaluation.puzzles.phyq.score import RANDOM_RATES


@dataclass(frozen=True)
class PublishedAgent:
    """`local`: the mean over all templates; None where it was not published."""

    name: str
    plays: int
    broad: tuple[float, ...]
    local: float | None


PUBLISHED: Final = (
    PublishedAgent(
        "Bambirds", 5,
        (0.58, 0.755, 0.04, 0.27, 0.035, 0.0966667, 0.005, 0.05, 0.03, 0.08375, 0.065, 0.2333333, 0.29, 0.03, 0.1),
        0.1536,
    ),
    PublishedAgent(
        "Eagle's Wing", 5,
        (0.615, 0.9, 0.33, 0.045, 0.09, 0.0633333, 0.01, 0.255, 0.01, 0.265, 0.035, 0.2433333, 0.035, 0.07, 0.0325),
        0.1367,
    ),
    PublishedAgent(
        "Datalab", 5, (0.89, 0.95, 0.37, 0.0, 0.07, 0.0, 0.025, 0.12, 0.005, 0.0, 0.07, 0.22, 0.1, 0.0, 0.0), 0.1481
    ),
    PublishedAgent(
        "Pig Shooter", 5,
        (
            0.8729167, 0.8883333, 0.0083333, 0.0, 0.0105263, 0.0, 0.0, 0.0, 0.0, 0.0145833, 0.02, 0.0738889, 0.03125,
            0.0, 0.003125,
        ),
        0.1051,
    ),
    PublishedAgent(
        "D-DDQN, symbolic", 1,
        (0.3, 0.35, 0.18, 0.025, 0.15, 0.233, 0.0, 0.075, 0.0, 0.275, 0.0, 0.075, 0.075, 0.0, 0.075),
        0.33,
    ),
    PublishedAgent(
        "D-DDQN, image", 1,
        (0.225, 0.15, 0.067, 0.025, 0.05, 0.0833, 0.0, 0.25, 0.0, 0.3, 0.0, 0.1833, 0.025, 0.0, 0.1375),
        0.24,
    ),
    PublishedAgent(
        "Relational, symbolic", 1,
        (0.375, 0.275, 0.3167, 0.0, 0.1, 0.15, 0.0, 0.35, 0.0, 0.225, 0.0, 0.1, 0.025, 0.0, 0.2),
        0.33,
    ),
    PublishedAgent(
        "Relational, image", 1,
        (0.05, 0.15, 0.1667, 0.025, 0.075, 0.1667, 0.0, 0.25, 0.05, 0.1, 0.0, 0.1, 0.0, 0.0, 0.2125),
        0.24,
    ),
    PublishedAgent("random", 50, RANDOM_RATES, None),
)  # fmt: skip
