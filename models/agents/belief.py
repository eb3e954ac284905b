"""What an agent thinks of the actions it could still try, in the light of those that failed.

Shapes: N candidates, A failed attempts, K balls.
"""

from dataclasses import dataclass

import numpy as np

from comphy.puzzles.phyre.world.actions import Tier
from models.agents.contract import Floats


@dataclass(frozen=True)
class BeliefSettings:
    """`reach`: pixels within which actions mostly share their fate. `agreement`: how sure it is that one so near to a
    failed one that they are the same fails too; 0: failures teach nothing about others. `closeness`: weight of how close
    attempts nearby came to the goal; 0: none. `wide`: how many times further that is believed to hold. `trust`: weight of
    the judges' logits; below 1 where they are surer of themselves than they are right, so that failures count for more."""

    reach: float = 12.0
    agreement: float = 0.9
    closeness: float = 2.0
    wide: float = 4.0
    trust: float = 1.0

    def __post_init__(self) -> None:
        if min(self.reach, self.wide, self.trust) <= 0 or not 0 <= self.agreement < 1 or self.closeness < 0:
            raise ValueError(
                "expected reach, wide and trust above 0, agreement from 0 to below 1, closeness not below 0 "
                f"(got {self.reach}, {self.wide}, {self.trust}, {self.agreement} and {self.closeness})"
            )


class Belief:
    """The log-odds of a candidate a, with a judge's logit f(a) and the kernel k(a, b), which falls from 1 with the
    distance of two actions in pixels:

        trust f(a) + sum over failed b of log(1 - agreement k(a, b)) + closeness (c(a) - mean c)

    The sum: with probability k an action shares the fate of b, which failed. The last term: c(a) is the closeness of
    failed attempts, averaged with a wider kernel around a; where none is near, it is their mean.
    """

    def __init__(self, tier: Tier, settings: BeliefSettings) -> None:
        self._tier, self._settings = tier, settings
        self._candidates: Floats = np.empty((0, tier.dimensions))
        self._logits: Floats = np.empty(0)
        self._evidence: Floats = np.empty((0, 3))  # sums over failed attempts, see `_of`
        self._failed: Floats = np.empty((0, tier.dimensions))
        self._closeness: Floats = np.empty(0)

    def add(self, actions: Floats, logits: Floats) -> None:
        """More candidates [N, D] with a judge's logits [N]."""
        self._candidates = np.concatenate([self._candidates, actions])
        self._logits = np.concatenate([self._logits, logits])
        self._evidence = np.concatenate([self._evidence, self._of(self._failed, self._closeness, actions)])

    def failed(self, action: Floats, closeness: float) -> None:
        self._evidence = self._evidence + self._of(action[None], np.array([closeness]), self._candidates)
        self._failed = np.concatenate([self._failed, action[None]])
        self._closeness = np.append(self._closeness, closeness)

    def take(self) -> Floats | None:
        """The best candidate [D], which then is one no more; none if there is none."""
        if not len(self._candidates):
            return None
        best = int(self.log_odds().argmax())
        action = self._candidates[best]
        self._candidates, self._logits, self._evidence = (
            np.delete(rows, best, axis=0) for rows in (self._candidates, self._logits, self._evidence)
        )
        return action

    def closest(self) -> Floats:
        """The failed attempt [D] that came closest to the goal."""
        return np.asarray(self._failed[self._closeness.argmax()])

    def log_odds(self) -> Floats:
        """[N]"""
        against, near, closeness_near = self._evidence.T
        mean = self._closeness.mean() if len(self._closeness) else 0.0
        above = (closeness_near - mean * near) / (1.0 + near)
        return np.asarray(self._settings.trust * self._logits + against + self._settings.closeness * above)

    def _of(self, failed: Floats, closeness: Floats, actions: Floats) -> Floats:
        """What failed attempts [A, D] say about actions [N, D]: sums [N, 3] of the logarithms that count against them, of
        the wider kernel, and of that kernel times closeness [A]."""
        settings = self._settings
        ours, theirs = (self._tier.exact_balls(some).reshape(-1, self._tier.dimensions) for some in (actions, failed))
        squared = ((ours[:, None] - theirs) ** 2).sum(axis=-1) / settings.reach**2
        wide = np.exp(-0.5 * squared / settings.wide**2)
        against = np.log1p(-settings.agreement * np.exp(-0.5 * squared))
        return np.stack([against.sum(axis=1), wide.sum(axis=1), wide @ closeness], axis=-1)
