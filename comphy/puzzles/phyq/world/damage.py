"""Damage of collisions to blocks and pigs."""

import math

from comphy.puzzles.phyq.world.catalog import (
    BIRDS,
    BLOCKS,
    MATERIALS,
    PIG_DEFENSE,
    PIGS,
    TNT_LIFE,
    Bird,
)
from comphy.puzzles.phyq.world.constants import BLUNT, DAMAGE_PER_MOMENTUM
from comphy.puzzles.phyq.world.level import TNT, Block, Pig, Thing
from comphy.sim.shapes import Vector


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


def attacks(own: Vector, others: Vector) -> bool:
    """Whether the other body is the attacker: the faster of the two along their relative velocity."""
    x, y = own[0] - others[0], own[1] - others[1]
    return abs(others[0] * x + others[1] * y) > abs(own[0] * x + own[1] * y)


def _defense(thing: Thing) -> float:
    match thing:
        case Block(_, material):
            return MATERIALS[material].defense
        case Pig():
            return PIG_DEFENSE
        case _:
            return 0.0
