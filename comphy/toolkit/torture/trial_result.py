"""What a trial ends in, and what every kind of trial offers."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np


@dataclass(frozen=True)
class TrialResult:
    """How a trial ended. It is survived if nothing was lost, nothing is different, and no traceback was shown.

    Attributes:
        how: the way in which it ended, in a word or two that are counted.
        tried: what was done, for people.
        lost: something that was there, or should be, is missing.
        different: a wrong result that nobody was told of.
        traceback: an error that is not ours, such as a `TypeError`.
        skipped: the trial needs what this machine lacks.
        told: the error or the difference."""

    how: str
    tried: str
    lost: bool = False
    different: bool = False
    traceback: bool = False
    skipped: bool = False
    told: str = ""

    @property
    def survived(self) -> bool:
        return not (self.lost or self.different or self.traceback or self.skipped)


class Kind(Protocol):
    """One way to torture the toolkit."""

    name: str

    def trial(self, rng: np.random.Generator) -> TrialResult:
        """Try once. All that is random is drawn from `rng`, so that the trial can be repeated."""
        ...
