"""Bayesian update of action scores: the log-odds of candidates, given the attempts that failed.

Shapes: N candidates, A failed attempts, K balls.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from comphy.puzzles.phyre.world.actions import Tier
from models.agents.contract import Floats


@dataclass(frozen=True)
class BeliefSettings:
    """`length_scale`: in pixels, of the RBF kernel, within which actions mostly share their result. `correlation`: the
    probability that an action has the same result as a failed one next to it; 0: failures say nothing about other actions.
    `proximity_weight`: of how close nearby attempts came to the goal; 0: none. `proximity_length_ratio`: the kernel of
    that closeness is so many times wider. `temperature`: divides the scorers' logits (temperature scaling); above 1 where
    they are overconfident, so that failures count for more."""

    RENAMED: ClassVar[Mapping[str, str]] = {
        "trust": "temperature = 1 / trust",
        "reach": "length_scale",
        "agreement": "correlation",
        "closeness": "proximity_weight",
        "wide": "proximity_length_ratio",
    }

    length_scale: float = 12.0
    correlation: float = 0.9
    proximity_weight: float = 2.0
    proximity_length_ratio: float = 4.0
    temperature: float = 1.0

    def __post_init__(self) -> None:
        if min(self.length_scale, self.proximity_length_ratio, self.temperature) <= 0:
            raise ValueError(
                "expected length_scale, proximity_length_ratio and temperature above 0 "
                f"(got {self.length_scale}, {self.proximity_length_ratio} and {self.temperature})"
            )
        if not 0 <= self.correlation < 1 or self.proximity_weight < 0:
            raise ValueError(
                "expected correlation from 0 to below 1 and proximity_weight not below 0 "
                f"(got {self.correlation} and {self.proximity_weight})"
            )


class Belief:
    """The log-odds that a candidate a solves the task, with the scorers' logit f(a) and the RBF kernel k(a, b) of two
    actions, which falls from 1 with their distance in pixels:

        f(a) / temperature + sum over failed b of log(1 - correlation k(a, b)) + proximity_weight (c(a) - mean c)

    The sum is a Bayes update: with probability correlation k(a, b) candidate a has the same result as b, which failed. In
    the last term c(a) is the closeness of failed attempts, a kernel average around a (Nadaraya-Watson); where none is near,
    it is their mean.
    """

    def __init__(self, tier: Tier, settings: BeliefSettings) -> None:
        self._tier, self._settings = tier, settings
        self._candidates: Floats = np.empty((0, tier.dimensions))
        self._logits: Floats = np.empty(0)
        self._evidence: Floats = np.empty((0, 3))  # sums over failed attempts, see `_of`
        self._failed: Floats = np.empty((0, tier.dimensions))
        self._closeness: Floats = np.empty(0)

    def add(self, actions: Floats, logits: Floats) -> None:
        """More candidates [N, D] with a scorer's logits [N]."""
        self._candidates = np.concatenate([self._candidates, actions])
        self._logits = np.concatenate([self._logits, logits])
        self._evidence = np.concatenate([self._evidence, self._of(self._failed, self._closeness, actions)])

    def failed(self, action: Floats, closeness: float) -> None:
        self._evidence = self._evidence + self._of(action[None], np.array([closeness]), self._candidates)
        self._failed = np.concatenate([self._failed, action[None]])
        self._closeness = np.append(self._closeness, closeness)

    def take(self) -> Floats | None:
        """Remove and return the best candidate [D]; None if there is none."""
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
        return np.asarray(self._logits / self._settings.temperature + against + self._settings.proximity_weight * above)

    def _of(self, failed: Floats, closeness: Floats, actions: Floats) -> Floats:
        """Evidence [N, 3] about actions [N, D] from failed attempts [A, D]: sums of the logarithms that count against them,
        of the wider kernel, and of that kernel times closeness [A]."""
        settings = self._settings
        ours, theirs = (self._tier.exact_balls(some).reshape(-1, self._tier.dimensions) for some in (actions, failed))
        squared = ((ours[:, None] - theirs) ** 2).sum(axis=-1) / settings.length_scale**2
        wide = np.exp(-0.5 * squared / settings.proximity_length_ratio**2)
        against = np.log1p(-settings.correlation * np.exp(-0.5 * squared))
        return np.stack([against.sum(axis=1), wide.sum(axis=1), wide @ closeness], axis=-1)
