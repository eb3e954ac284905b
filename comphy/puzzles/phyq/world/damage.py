"""Damage of collisions to blocks and pigs."""

import math

from comphy.puzzles.phyq.world.catalog import (
    BIRDS,
    BLOCKS,
    MATERIALS,
    PIG_DEFENSE,
    PIGS,
    POINTS_PER_DAMAGE,
    POINTS_PER_PIG_SPEED,
    TNT_LIFE,
    Bird,
)
from comphy.puzzles.phyq.world.constants import BLUNT, DAMAGE_PER_MOMENTUM, RUNS_ON, Point
from comphy.puzzles.phyq.world.level import TNT, Block, Pig, Thing


def life_of(thing: Thing) -> float:
    """The initial hit points; infinite for platforms."""
    match thing:
        case Block(kind, material):
            return BLOCKS[kind].life[material]
        case Pig(kind):
            return PIGS[kind].life
        case TNT():
            return TNT_LIFE
        case _:
            return math.inf


def blow_of_bird(bird: Bird, speed: float, block: Block) -> float:
    """The damage of a bird that hits a block at a relative speed."""
    momentum = speed * BIRDS[bird].mass * BIRDS[bird].sharpness[block.material]
    return max(0.0, DAMAGE_PER_MOMENTUM * momentum - _defense(block))


def blunt_blow(speed: float, attacker_mass: float, thing: Thing) -> float:
    """The damage of any other hit: anything on a pig, and objects on each other or on the ground."""
    return max(0.0, DAMAGE_PER_MOMENTUM * BLUNT * speed * attacker_mass - _defense(thing))


def runs_on(before: Point, after: Point) -> bool:
    """Whether a relative velocity clearly outlasts a blow: most of it is left, in the same direction.

    The published game takes as the attacker whoever is faster along the relative velocity, but asks when the blow is
    over. So a body that was pushed away is its own attacker, and the other one only where it runs on past it.
    """
    kept = before[0] * after[0] + before[1] * after[1]
    return kept > RUNS_ON * (before[0] ** 2 + before[1] ** 2)


def points_of_hit(thing: Thing, speed: float, damage: float) -> int:
    """The points of a bird's hit that does not destroy what it hits."""
    match thing:
        case Pig():
            return 10 * round(POINTS_PER_PIG_SPEED / 10 * speed)
        case Block(_, material):
            return POINTS_PER_DAMAGE[material] * round(damage)
        case _:
            return 0


def _defense(thing: Thing) -> float:
    match thing:
        case Block(_, material):
            return MATERIALS[material].defense
        case Pig():
            return PIG_DEFENSE
        case _:
            return 0.0
