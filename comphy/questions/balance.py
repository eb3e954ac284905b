"""Chooses which questions are asked, so that over a whole split no answer of a template is the safe guess.

Sets are visited in order of their number, each split by itself. What is asked about a set depends on the sets before it
in the split and on nothing else: not on workers or shards, and not on sets that are added later.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import comb
from typing import Final

import numpy as np

from comphy.questions.askable import AskableSet
from comphy.questions.choices import ChoiceCandidate, draw_choices
from comphy.questions.factual import FactualCandidate
from comphy.questions.model import Choice, QuestionKind

FACTUAL_PER_SET: Final = 3
COUNTERFACTUAL_PER_SET: Final = 2.0
MOST_COUNTERFACTUAL: Final = 4  # in one set; sets that admit none are made up for by others

# The released test split's numbers of choices (facts of the release: 5572, 375 and 600 of 6547 questions).
TEST_CHOICES: Final = ((4, 0.85), (3, 0.06), (2, 0.09))
FEW_CHOICES: Final = 2  # in train and val, and mostly in predictive questions
MANY_PREDICTIVE_SHARE: Final = 0.21  # of test questions, where more than one thing will happen

# Chance of a choice to be right that is aimed at. Over all, right and wrong are equally frequent; as in the release, whose
# blind reader judges 56 % of choices and 12 % of questions rightly, would and would not differ a little.
RIGHT_SHARE: Final = {"counterfactual": 0.45, "counterfactual_not": 0.55, "predictive": 0.45}
# Shares of predictive questions with none, one and both of two choices right; mostly a single pair will collide. They
# make the most frequent verdict as good a guess as in the release: 56 % of choices, 26 % of questions.
FEW_PREDICTIVE: Final = (0.26, 0.62, 0.12)


@dataclass
class Tally:
    """How often each answer was given, per family."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, family: str, answer: str) -> None:
        self.counts[family][answer] += 1

    def asked(self, family: str) -> int:
        return self.counts[family].total()

    def runs_ahead(self, family: str, answer: str) -> bool:
        """Whether the answer is given more often than any other answer of the family, and more than by chance."""
        others = max((n for other, n in self.counts[family].items() if other != answer), default=0)
        return self.counts[family][answer] > 1.1 * others + 1


@dataclass
class SplitBalance:
    """The state of balancing one split."""

    many_choices: bool
    factual: Tally = field(default_factory=Tally)
    premises: Counter[str] = field(default_factory=Counter)
    rights: dict[tuple[str, int], Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    sets: int = 0
    counterfactuals: int = 0

    def pick_factual(self, candidates: list[FactualCandidate], rng: np.random.Generator) -> list[FactualCandidate]:
        """Up to three questions of different families: those that lag behind, with the answers that lag behind."""
        left = [candidates[i] for i in rng.permutation(len(candidates))]
        picked: list[FactualCandidate] = []
        while left and len(picked) < FACTUAL_PER_SET:
            best = min(left, key=self._lag)
            picked.append(best)
            self.factual.add(best.template.family, best.answer)
            left = [candidate for candidate in left if candidate.template.family != best.template.family]
        return picked

    def _lag(self, candidate: FactualCandidate) -> tuple[bool, float, int]:
        family = candidate.template.family
        return (
            self.factual.runs_ahead(family, candidate.answer),
            self.factual.asked(family) / candidate.template.weight,
            self.factual.counts[family][candidate.answer],
        )

    def pick_counterfactual(self, candidates: list[ChoiceCandidate], rng: np.random.Generator) -> list[ChoiceCandidate]:
        """As many as keep the average, each of another run while there are any, and of the premise that lags behind."""
        self.sets += 1
        due = round(COUNTERFACTUAL_PER_SET * self.sets) - self.counterfactuals
        left = [candidates[i] for i in rng.permutation(len(candidates))]
        picked: list[ChoiceCandidate] = []
        while left and len(picked) < min(due, MOST_COUNTERFACTUAL):
            used = Counter(candidate.run for candidate in picked)
            best = min(left, key=lambda candidate: (used[candidate.run], self.premises[candidate.family]))
            picked.append(best)
            self.premises[best.family] += 1
            left.remove(best)
        self.counterfactuals += len(picked)
        return picked

    def with_choices(
        self, candidate: ChoiceCandidate, scene: AskableSet, rng: np.random.Generator
    ) -> tuple[Choice, ...]:
        count = min(self._choice_count(candidate, rng), len(candidate.right) + len(candidate.wrong))
        key = f"{candidate.kind}_not" if candidate.negated else str(candidate.kind)
        drawn, shares = self.rights[key, count], _right_shares(key, count)
        preferred = sorted(range(count + 1), key=lambda rights: drawn[rights] - shares[rights] * (drawn.total() + 1))
        choices = draw_choices(candidate, count, preferred, scene, rng)
        drawn[sum(choice.correct is True for choice in choices)] += 1
        return choices

    def _choice_count(self, candidate: ChoiceCandidate, rng: np.random.Generator) -> int:
        if not self.many_choices:
            return FEW_CHOICES
        if candidate.kind is QuestionKind.PREDICTIVE:
            several = len(candidate.right) > 1 and len(candidate.wrong) > 1
            return 4 if several and rng.random() < MANY_PREDICTIVE_SHARE else FEW_CHOICES
        counts, shares = zip(*TEST_CHOICES, strict=True)
        return int(rng.choice(counts, p=shares))


def _right_shares(key: str, count: int) -> tuple[float, ...]:
    """How often 0, 1, … of `count` choices are to be right."""
    if key == QuestionKind.PREDICTIVE and count == FEW_CHOICES:
        return FEW_PREDICTIVE
    p = RIGHT_SHARE[key]
    return tuple(comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1))
