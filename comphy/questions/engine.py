"""Asks: from annotated sets to the questions of a whole dataset."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from comphy.questions.askable import AskableSet
from comphy.questions.balance import SplitBalance
from comphy.questions.choices import ChoiceCandidate, counterfactual_candidates, predictive_candidate
from comphy.questions.factual import FactualCandidate, factual_candidates
from comphy.questions.model import Note, Question, QuestionKind, SceneQuestions

# Purposes of random draws; each has a stream of its own.
_FILLING: Final = 1
_CHOOSING: Final = 2


@dataclass(frozen=True)
class SetCandidates:
    """All that could be asked about a set. Made independently for each set; `choose` makes the selection."""

    scene: AskableSet
    factual: list[FactualCandidate]
    predictive: ChoiceCandidate | None
    counterfactual: list[ChoiceCandidate]


@dataclass(frozen=True)
class AskedSet:
    questions: SceneQuestions
    notes: tuple[Note, ...]


def candidates_of(scene: AskableSet, seed: int) -> SetCandidates:
    rng = scene.rng(seed, _FILLING)
    factual = factual_candidates(scene, rng)
    return SetCandidates(scene, factual, predictive_candidate(scene), list(counterfactual_candidates(scene, rng)))


def choose(sets: Iterable[SetCandidates], seed: int, many_choices: bool) -> Iterator[AskedSet]:
    """The questions of one split, balanced; `sets` come in order of their numbers. The test split has many choices."""
    balance = SplitBalance(many_choices)
    for candidates in sets:
        yield _ask(candidates, balance, seed)


def _ask(candidates: SetCandidates, balance: SplitBalance, seed: int) -> AskedSet:
    scene = candidates.scene
    rng = scene.rng(seed, _CHOOSING)
    questions: list[Question] = []
    notes: list[Note] = []
    for picked in balance.pick_factual(candidates.factual, rng):
        number, family = len(questions), picked.template.family
        questions.append(
            Question(number, QuestionKind.FACTUAL, picked.phrased(rng), picked.program, family, picked.answer)
        )
        notes.append(Note(number, family, picked.evidence))
    with_choices = balance.pick_counterfactual(candidates.counterfactual, rng)
    if candidates.predictive is not None:
        with_choices = [*with_choices, candidates.predictive]
    for chosen in with_choices:
        number = len(questions)
        text = chosen.text[int(rng.integers(len(chosen.text)))]
        choices = balance.with_choices(chosen, scene, rng)
        questions.append(Question(number, chosen.kind, text, chosen.program, chosen.family, choices=choices))
        notes.append(Note(number, chosen.family, chosen.evidence, chosen.run))
    return AskedSet(SceneQuestions(scene.index, f"sim_{scene.index:05d}.mp4", tuple(questions)), tuple(notes))
