"""Everything that the question engine looks at of one set; `comphy.dataset.annotations.askable` reads it from files."""

from dataclasses import dataclass

import numpy as np

from comphy.programs.facts import SceneFacts
from comphy.questions.model import Interaction


@dataclass(frozen=True)
class AskableSet:
    """`imprecise` are the facts as less precise observers see them; `shown` the interactions that reveal hidden
    properties."""

    index: int
    facts: SceneFacts
    imprecise: tuple[SceneFacts, ...]
    shown: tuple[Interaction, ...]

    def rng(self, seed: int, purpose: int) -> np.random.Generator:
        """Draws that depend on the dataset's seed and the set alone."""
        return np.random.default_rng([seed, self.index, purpose])
