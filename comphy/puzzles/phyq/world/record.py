"""The record of a game: who touched whom, when, where and how fast, and who killed whom."""

from dataclasses import dataclass, field

from comphy.puzzles.phyq.world.constants import Point


@dataclass(frozen=True)
class Contact:
    """Two bodies that have begun to touch. Bodies are numbered as in `Game.world`; 0 is the ground."""

    step: int
    pair: tuple[int, int]
    speed: float  # relative, m/s
    places: tuple[Point, Point]  # of their centres


@dataclass(frozen=True)
class Death:
    """`by`: the body whose touch was the last blow; None if an explosion was, or if it has left the world."""

    step: int
    body: int
    by: int | None


@dataclass
class Record:
    contacts: list[Contact] = field(default_factory=list)
    deaths: list[Death] = field(default_factory=list)
    launches: list[int] = field(default_factory=list)  # the step of each shot
    taps: list[int] = field(default_factory=list)  # the step of each power that was used
