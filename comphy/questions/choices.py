"""Questions with choices: what will happen, and what would happen if one object were different."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from comphy.programs.handlers import Undefined, premised_change
from comphy.programs.program import Program, parse
from comphy.programs.types import Premise, ValueType
from comphy.questions.askable import AskableSet
from comphy.questions.evidence import evidence
from comphy.questions.looks import Look, minimal_looks, reference
from comphy.questions.model import Choice, Interaction, QuestionKind, Tokens
from comphy.scene.events import Event, EventKind

Pair = tuple[int, int]

PREMISE_WORDS: Final = {
    Premise.HEAVIER: "heavier",
    Premise.LIGHTER: "lighter",
    Premise.UNCHARGED: "uncharged",
    Premise.OPPOSITE: "oppositely charged",
}
PREDICTIVE_TEXT: Final = (
    "What will happen next?",
    "Which event will happen next?",
    "Which of the following will happen next?",
)
# By polarity: would, would not.
COUNTERFACTUAL_TEXT: Final = {
    False: (
        "If the {object} were {premise}, which of the following would happen?",
        "If the {object} were {premise}, what would happen?",
        "If the {object} were {premise}, which event would happen?",
        "Which of the following would happen if the {object} were {premise}?",
    ),
    True: (
        "If the {object} were {premise}, which of the following would not happen?",
        "If the {object} were {premise}, what would not happen?",
        "If the {object} were {premise}, which event would not happen?",
        "Which of the following would not happen if the {object} were {premise}?",
    ),
}
CHOICE_TEXT: Final = {
    QuestionKind.PREDICTIVE: ("The {a} collides with the {b}", "The {a} and the {b} collide"),
    QuestionKind.COUNTERFACTUAL: ("The {a} would collide with the {b}", "The {a} and the {b} would collide"),
}


@dataclass(frozen=True)
class ChoiceCandidate:
    """A question with every choice that could go with it.

    `right` and `wrong` are pairs whose collision is a right or a wrong choice. `decisive` are the pairs of which at
    least one has to be among the choices; in a counterfactual question those that the premise makes a difference to.
    `run` is the key of the counterfactual run.
    """

    kind: QuestionKind
    family: str
    program: Tokens
    text: tuple[str, ...]
    right: tuple[Pair, ...]
    wrong: tuple[Pair, ...]
    decisive: tuple[Pair, ...]
    evidence: tuple[Interaction, ...] = ()
    negated: bool = False
    run: str = ""


def predictive_candidate(scene: AskableSet) -> ChoiceCandidate | None:
    """What happens after the video ends; None if nothing collides there."""
    right = _collisions(scene.facts.unseen)
    if not right:
        return None
    pairs = _pairs(scene)
    program = ("unseen_events", "belong_to")
    return ChoiceCandidate(
        QuestionKind.PREDICTIVE,
        "predictive",
        program,
        PREDICTIVE_TEXT,
        tuple(sorted(right)),
        _rest(pairs, right),
        pairs,
    )


def counterfactual_candidates(scene: AskableSet, rng: np.random.Generator) -> Iterator[ChoiceCandidate]:
    """For every premise that changes which pairs collide: would, and would not."""
    actual = _collisions(scene.facts.visible)
    pairs = _pairs(scene)
    for index in range(len(scene.facts.objects)):
        for premise in Premise:
            try:
                change = premised_change(scene.facts, index, premise)
            except Undefined:
                continue
            happening = _collisions(scene.facts.counterfactual.get(change.key, ()))
            decisive = tuple(sorted(happening ^ actual))
            if not decisive:
                continue
            look = _any(minimal_looks(scene.facts.objects, index), rng)
            yield from _both_polarities(scene, look, premise, change.key, happening, pairs, decisive)


def _both_polarities(
    scene: AskableSet,
    look: Look,
    premise: Premise,
    run: str,
    happening: set[Pair],
    pairs: tuple[Pair, ...],
    decisive: tuple[Pair, ...],
) -> Iterator[ChoiceCandidate]:
    program = ("all_events", *reference(look), str(premise), "filter_counterfact", "belong_to")
    proof = evidence(_checked(program), scene.facts, scene.shown)
    if proof is None:
        return
    yes, no = tuple(sorted(happening)), _rest(pairs, happening)
    for negated in (False, True):
        text = tuple(
            t.format(object=look.phrase(), premise=PREMISE_WORDS[premise]) for t in COUNTERFACTUAL_TEXT[negated]
        )
        family = f"{premise}_not" if negated else str(premise)
        right, wrong = (no, yes) if negated else (yes, no)
        tokens = (*program, "not") if negated else program
        yield ChoiceCandidate(
            QuestionKind.COUNTERFACTUAL, family, tokens, text, right, wrong, decisive, proof, negated, run
        )


def _checked(program: Tokens) -> Program:
    """The program without its last operator, which waits for a choice's event."""
    return parse(program[:-1], wanted=ValueType.EVENTS)


def choice_program(a: Look, b: Look) -> Tokens:
    """The program of a choice: the collision of the two."""
    return ("all_events", *reference(a), "filter_collision", *reference(b), "filter_collision", "unique")


def draw_choices(
    candidate: ChoiceCandidate, count: int, preferred: Sequence[int], scene: AskableSet, rng: np.random.Generator
) -> tuple[Choice, ...]:
    """`count` choices in random order. `preferred` are numbers of right ones, of which the first that is possible is taken.

    Fewer choices if there are fewer pairs.
    """
    right = set(candidate.right)
    everything = (*candidate.right, *candidate.wrong)
    groups: dict[int, list[tuple[Pair, ...]]] = {}
    for chosen in combinations(everything, min(count, len(everything))):
        if any(pair in candidate.decisive for pair in chosen):
            groups.setdefault(sum(pair in right for pair in chosen), []).append(chosen)
    possible = next((groups[rights] for rights in preferred if rights in groups), None) or next(iter(groups.values()))
    chosen = possible[int(rng.integers(len(possible)))]
    order = rng.permutation(len(chosen))
    return tuple(_choice(k, chosen[i], chosen[i] in right, candidate.kind, scene, rng) for k, i in enumerate(order))


def _choice(
    choice_id: int, pair: Pair, correct: bool, kind: QuestionKind, scene: AskableSet, rng: np.random.Generator
) -> Choice:
    first, second = (pair[i] for i in rng.permutation(2))
    looks = [_any(minimal_looks(scene.facts.objects, index), rng) for index in (first, second)]
    pattern = CHOICE_TEXT[kind][int(rng.integers(len(CHOICE_TEXT[kind])))]
    text = pattern.format(a=looks[0].phrase(), b=looks[1].phrase())
    return Choice(choice_id, text, choice_program(*looks), correct)


def _any(looks: list[Look], rng: np.random.Generator) -> Look:
    return looks[int(rng.integers(len(looks)))]


def _pairs(scene: AskableSet) -> tuple[Pair, ...]:
    return tuple(combinations(range(len(scene.facts.objects)), 2))


def _collisions(events: tuple[Event, ...]) -> set[Pair]:
    return {(min(e.objects), max(e.objects)) for e in events if e.kind is EventKind.COLLISION}


def _rest(pairs: tuple[Pair, ...], taken: set[Pair]) -> tuple[Pair, ...]:
    return tuple(pair for pair in pairs if pair not in taken)
