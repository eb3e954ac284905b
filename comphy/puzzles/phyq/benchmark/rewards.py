"""What a shot is rewarded with, by name. The names are the published ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from comphy.errors import ConfigError, did_you_mean


@dataclass(frozen=True)
class ShotResult:
    """What a shot has done: `killed` pigs of `pigs`, with one of `birds`; `points` it brought; `won` the task."""

    killed: int
    pigs: int
    birds: int
    points: int
    won: bool


Reward = Callable[[ShotResult], float]


def passing(shot: ShotResult) -> float:
    """1 for the shot that wins."""
    return float(shot.won)


def num_pigs(shot: ShotResult) -> float:
    return float(shot.killed)


def num_pigs_normalised(shot: ShotResult) -> float:
    """The share of pigs that were killed, less the share of birds that were used; 1 for the shot that wins."""
    return 1.0 if shot.won else shot.killed / shot.pigs - 1.0 / shot.birds


def score(shot: ShotResult) -> float:
    """Points of the game; a win also brings those of unused birds."""
    return float(shot.points)


REWARDS: Final[Mapping[str, Reward]] = {
    "passing": passing,
    "num_pigs": num_pigs,
    "num_pigs_normalised": num_pigs_normalised,
    "score": score,
}


def find_reward(name: str) -> Reward:
    """Raises `ConfigError` if there is none of this name."""
    if name not in REWARDS:
        raise ConfigError(f"Expected a reward (got '{name}'); {did_you_mean(name, REWARDS)}")
    return REWARDS[name]
