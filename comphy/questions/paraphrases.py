"""Other wordings of a dataset's questions, made from their programs alone, to test what a parser makes of them.

A program is matched against the patterns of its family; the wordings of `paraphrases.yaml` are filled with what its slots
stand for. Nothing may be trained on them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final

import numpy as np
import yaml

from comphy.errors import DatasetError
from comphy.questions.looks import Look
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions, Tokens
from comphy.questions.templates import fields, templates
from comphy.scene.vocabulary import Color, Material, Shape

Words = dict[str, str]  # by the spelling of a slot that a wording uses

_CHOICE: Final = "all_events {object} filter_collision {other} filter_collision unique"
_COUNTERFACTUAL: Final = "all_events {object} {premise} filter_counterfact belong_to"
# The programs of the families that have no template.
_PROGRAMS: Final = {
    "predictive": "unseen_events belong_to",
    "counterfactual": _COUNTERFACTUAL,
    "counterfactual_not": f"{_COUNTERFACTUAL} not",
    "predictive_choice": _CHOICE,
    "counterfactual_choice": _CHOICE,
}
_FILTER: Final = r"(?: \w+ filter_(?:color|material|shape))"
_REFERENCE: Final = f" objects{_FILTER}+ unique"
# What slots that name objects or times stand for in a program; the others stand for one of their tokens.
_SHAPES: Final = {
    "object": _REFERENCE,
    "other": _REFERENCE,
    "look": f"{_FILTER}+",
    "group": f"{_FILTER}*",
    "time": rf" null| events filter_(?:start|end) query_frame| events{_REFERENCE} filter_(?:in|out) unique query_frame",
}


@dataclass(frozen=True)
class Family:
    """`pattern` matches a program, whose tokens follow a space each, and names what its slots stand for."""

    name: str
    pattern: re.Pattern[str]
    text: tuple[str, ...]


@dataclass(frozen=True)
class Paraphrases:
    words: Mapping[str, Mapping[str, Words]]
    families: tuple[Family, ...]

    def of(self, program: Tokens, families: Sequence[str]) -> tuple[str, ...]:
        """All wordings of a program of one of the families."""
        text = "".join(f" {token}" for token in program)
        for family in self.families:
            match = family.pattern.fullmatch(text) if family.name in families else None
            if match is not None:
                words = self._words(match.groupdict())
                return tuple(_sentence(wording.format_map(words)) for wording in family.text)
        raise DatasetError(
            f"no paraphrase for the program '{' '.join(program)}'. Expected one of the families: {', '.join(families)}."
        )

    def _words(self, slots: Mapping[str, str]) -> Words:
        words: Words = {}
        for slot, program in slots.items():
            if slot == "time":
                words |= self._time(program)
            elif slot in _SHAPES:
                words |= _named(slot, program)
            else:
                words |= self.words[slot][program]
        return words

    def _time(self, program: str) -> Words:
        moment = re.search(r"filter_(start|end|in|out)", program)
        pattern = self.words["time"][moment[1] if moment else "always"]["time"]
        return {"time": pattern.format_map(_named("look", program))}


def _named(slot: str, program: str) -> Words:
    look = _look(program)
    return {slot: look.phrase(), f"{slot}s": look.phrase(plural=True)}


def _look(program: str) -> Look:
    found = {attribute: word for word, attribute in re.findall(r"(\w+) filter_(color|material|shape)", program)}
    return Look(
        Color(found["color"]) if "color" in found else None,
        Material(found["material"]) if "material" in found else None,
        Shape(found["shape"]) if "shape" in found else None,
    )


def _sentence(text: str) -> str:
    """Without the gaps that an empty slot leaves."""
    text = re.sub(r"\s+([?.,])", r"\1", " ".join(text.split())).lstrip(" ,")
    return text[0].upper() + text[1:]


@cache
def paraphrases() -> Paraphrases:
    text = resources.files("comphy.questions").joinpath("paraphrases.yaml").read_text()
    record = yaml.safe_load(text)
    programs = {template.family: template.program for template in templates()} | _PROGRAMS
    families = tuple(
        Family(name, _pattern(programs[name], record["words"]), tuple(wordings))
        for name, wordings in record["families"].items()
    )
    return Paraphrases(record["words"], families)


def _pattern(program: str, words: Mapping[str, Mapping[str, Words]]) -> re.Pattern[str]:
    """A slot that occurs again stands for the same again."""
    pieces: list[str] = []
    seen: set[str] = set()
    for piece in program.split():
        slot = next(iter(fields(piece)), None)
        if slot is None:
            pieces.append(f" {piece}")
        elif slot in seen:
            pieces.append(f"(?P={slot})")
        elif slot in _SHAPES:
            pieces.append(f"(?P<{slot}>{_SHAPES[slot]})")
        else:
            tokens = "|".join(words[slot])
            pieces.append(f" {piece.replace(f'{{{slot}}}', f'(?P<{slot}>{tokens})')}")
        seen |= {slot} if slot else set()
    return re.compile("".join(pieces))


_FACTUAL: Final = tuple(template.family for template in templates())


def question_paraphrases(question: Question) -> tuple[str, ...]:
    """Every other wording of a question."""
    factual = question.kind is QuestionKind.FACTUAL
    return paraphrases().of(question.program, _FACTUAL if factual else (str(question.kind), f"{question.kind}_not"))


def choice_paraphrases(choice: Choice, kind: QuestionKind) -> tuple[str, ...]:
    """Every other wording of a choice of a question of this kind."""
    return paraphrases().of(choice.program, (f"{kind}_choice",))


def paraphrased(scenes: Sequence[SceneQuestions], rng: np.random.Generator) -> list[SceneQuestions]:
    """The same questions and choices, each in one of its other wordings."""
    return [replace(scene, questions=tuple(_reworded(one, rng) for one in scene.questions)) for scene in scenes]


def _reworded(question: Question, rng: np.random.Generator) -> Question:
    choices = tuple(
        replace(choice, text=_any(choice_paraphrases(choice, question.kind), rng)) for choice in question.choices
    )
    return replace(question, text=_any(question_paraphrases(question), rng), choices=choices)


def _any(wordings: Sequence[str], rng: np.random.Generator) -> str:
    return wordings[int(rng.integers(len(wordings)))]
