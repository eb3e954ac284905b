"""What strategies propose, and the choice among it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from comphy.puzzles.phyq.benchmark.contract import Choice, Simulate
from comphy.puzzles.phyq.benchmark.observing.symbolic import SymbolicState
from comphy.puzzles.phyq.benchmark.plain_shots import FAR_DEGREES
from comphy.puzzles.phyq.world.launch import Shot
from models.agents.phyq.reconstruction import arranged, level_seen
from models.agents.phyq.rules.relations import Relations

DOUBT: Final = 0.08  # standard deviation of what a confidence is off by, so that plays differ


@dataclass(frozen=True)
class Proposal:
    """A shot that a strategy is so confident of, from 0 to 1."""

    shot: Shot
    strategy: str
    reason: str
    confidence: float


Rule = Callable[[Relations], Iterator[Proposal]]


def shoot_by_rules(rules: Iterable[Rule], state: SymbolicState, rng: np.random.Generator, simulate: Simulate) -> Choice:
    """The proposal of the highest confidence, which is a little uncertain; a far shot, if there is none."""
    level = arranged(level_seen(state))
    if not any(level.pigs):
        return Choice(Shot.at(FAR_DEGREES), "far", "no pig is seen")
    scene = Relations(level)
    found = [proposal for rule in rules for proposal in rule(scene)]
    if not found:
        return Choice(Shot.at(FAR_DEGREES), "far", "no strategy applies")
    doubts = rng.normal(0.0, DOUBT, len(found))
    _, best = max(
        zip([one.confidence + by for one, by in zip(found, doubts, strict=True)], range(len(found)), strict=True)
    )
    chosen = found[best]
    return Choice(chosen.shot, chosen.strategy, f"{chosen.reason}; confidence {chosen.confidence:.2f}")


def where(scene: Relations, k: int) -> str:
    """A thing in words."""
    thing, (x, y) = scene.things[k], scene.place(k)
    name = " ".join(filter(None, (getattr(thing, "material", ""), getattr(thing, "kind", "platform"))))
    return f"{name} at {x:.1f}, {y:.1f}"
