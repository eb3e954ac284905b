"""Cheap shots: those that Pig Shooter would make, who knows no physics but the flight of birds."""

from collections.abc import Iterator
from typing import Final

from comphy.puzzles.phyq.benchmark.plain_shots import FAR_DEGREES, SHOOTER_TAPS, tapped_on_the_way
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Level, Pig

TAP_SHARES: Final = (0.0, 0.5, 1.0)  # from the earliest to the latest of Pig Shooter's taps


def cheap_shots(level: Level) -> Iterator[Shot]:
    """The first bird's: both arcs at each pig, as they are and with Pig Shooter's taps; its far pull, if a pig is out of
    reach."""
    out_of_reach = False
    for pig in level.pigs:
        arcs = aimed_at((pig.x, pig.y))
        out_of_reach |= not arcs
        for shot in arcs:
            yield shot
            yield from _tapped(shot, pig, level)
    if out_of_reach:
        yield Shot.at(FAR_DEGREES)


def _tapped(shot: Shot, pig: Pig, level: Level) -> Iterator[Shot]:
    if level.birds[0] in SHOOTER_TAPS:
        first, last = SHOOTER_TAPS[level.birds[0]]
        for share in TAP_SHARES:
            yield tapped_on_the_way(shot, (pig.x, pig.y), first + share * (last - first))
