"""Factual questions that a set admits: templates filled in, executed, and kept if they are sound."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from comphy.errors import ProgramError
from comphy.programs.executor import answer
from comphy.programs.program import parse
from comphy.programs.types import COUNTS
from comphy.questions.askable import AskableSet
from comphy.questions.evidence import evidence
from comphy.questions.model import Interaction, Tokens
from comphy.questions.slots import DOMAINS, Filling
from comphy.questions.soundness import is_degenerate, is_well_posed
from comphy.questions.templates import Template, templates

TRIES: Final = 24  # fillings drawn per template and set
ANSWERS: Final = 4  # different answers after which a template has been drawn from enough


@dataclass(frozen=True)
class FactualCandidate:
    """A question that could be asked. `words` fill any phrasing of its template."""

    template: Template
    program: Tokens
    words: Mapping[str, str]
    answer: str
    evidence: tuple[Interaction, ...]

    def phrased(self, rng: np.random.Generator) -> str:
        pattern = self.template.text[int(rng.integers(len(self.template.text)))]
        text = " ".join(pattern.format_map(self.words).split()).replace(" ?", "?")
        return text[0].upper() + text[1:]


def factual_candidates(
    scene: AskableSet, rng: np.random.Generator, asked: Sequence[Template] | None = None
) -> list[FactualCandidate]:
    """For every template, one question for each answer that was found."""
    domains: dict[str, list[Filling]] = {}
    found: list[FactualCandidate] = []
    for template in asked if asked is not None else templates():
        for slot in template.slots:
            if slot not in domains:
                domains[slot] = DOMAINS[slot](scene.facts)
        found += _of_template(template, scene, domains, rng)
    return found


def _of_template(
    template: Template, scene: AskableSet, domains: dict[str, list[Filling]], rng: np.random.Generator
) -> list[FactualCandidate]:
    by_answer: dict[str, FactualCandidate] = {}
    tried: set[str] = set()
    sizes = [len(domains[slot]) for slot in template.slots]
    for _ in range(TRIES):
        picks = rng.integers(sizes)
        fillings = {slot: domains[slot][k] for slot, k in zip(template.slots, picks, strict=True)}
        program = template.program.format_map({slot: filling.program for slot, filling in fillings.items()})
        if program in tried or not _compatible(fillings):
            continue
        tried.add(program)
        candidate = _sound(template, tuple(program.split()), fillings, scene, by_answer)
        if candidate is not None:
            by_answer[candidate.answer] = candidate
            if len(by_answer) == ANSWERS:
                break
    return list(by_answer.values())


def _compatible(fillings: Mapping[str, Filling]) -> bool:
    """No object is named twice in different roles, and what is asked for is not told."""
    named = [filling.object for filling in fillings.values() if filling.object is not None]
    if len(set(named)) < len(named):
        return False
    attribute = next((filling.attribute for filling in fillings.values() if filling.attribute is not None), None)
    if attribute is None:
        return True
    spent = [filling.look for slot, filling in fillings.items() if slot in ("look", "group")]
    return not any(look is not None and look.mentions(attribute) for look in spent)


def _sound(
    template: Template,
    tokens: Tokens,
    fillings: Mapping[str, Filling],
    scene: AskableSet,
    known: Mapping[str, FactualCandidate],
) -> FactualCandidate | None:
    program = parse(tokens)
    try:
        text = answer(program, scene.facts)
    except ProgramError:
        return None
    if (
        text in known
        or (text.isdigit() and text not in COUNTS)
        or not is_well_posed(program, scene.facts, scene.imprecise)
    ):
        return None
    if is_degenerate(program, scene.facts):
        return None
    proof = evidence(program, scene.facts, scene.shown)
    if proof is None:
        return None
    words = {name: text for filling in fillings.values() for name, text in filling.words.items()}
    return FactualCandidate(template, tokens, words, text, proof)
