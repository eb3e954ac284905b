"""Puts meanings into English sentences: in many ways at random, or in the canonical one."""

import re
from typing import Final

import numpy as np

from comphy.language.choosing import PhraseSampler
from comphy.language.lexicon import Slots, fill, fitting, frames
from comphy.language.meanings.descriptions import CounterfactualPremise, Description, EventSelection, MomentKind, Source
from comphy.language.meanings.meaning import (
    Both,
    Compare,
    Count,
    Direction,
    Exist,
    Meaning,
    Open,
    Option,
    Query,
    Related,
)
from comphy.language.noun_phrases import NounPhrases
from comphy.language.options import Options, Part
from comphy.language.slots import SlotWords, Words

_ALWAYS_IN_FRONT: Final = ("suppos", "assum", "imagin", "let us", "given that")
_IT: Final = 0.6  # share of second mentions that are "it"
_TRIES: Final = 30


def sentence(
    meaning: Meaning, rng: np.random.Generator, words: Part = Part.TRAIN, frames: Part = Part.TRAIN
) -> str | None:
    """Put a meaning into a random English sentence.

    Args:
        meaning: what to say.
        rng: draws words and frames.
        words: the part of the words to draw from; one that is held out is drawn from beside those of training.
        frames: the part of the sentence frames, likewise.

    Returns:
        The sentence, with at least one word or frame of a held-out part where one was given; None if there is no such
        sentence."""
    for _ in range(_TRIES):
        sampler = PhraseSampler(rng, words, frames)
        text = _Sentences(sampler).write(meaning)
        if sampler.held_out or (words is Part.TRAIN and frames is Part.TRAIN):
            return text
    return None


def canonical(meaning: Meaning) -> str | None:
    """Put a meaning into the plainest English sentence.

    Args:
        meaning: what to say.

    Returns:
        The sentence, or None if the language has none for it: programs can mean more than it says."""
    try:
        return _Sentences(PhraseSampler()).write(meaning)
    except _NoFrame:
        return None


class _NoFrame(LookupError):
    """No sentence frame has slots for a meaning."""


class _Sentences:
    def __init__(self, sampler: PhraseSampler) -> None:
        self._c = sampler

    def write(self, meaning: Meaning) -> str:
        c = self._c
        self._it: Description | None = None
        self._front = c.chance(0.35)
        self._adjunct = self._said_beside(meaning)
        self._front = self._front and bool(self._adjunct)
        text = self._alone(meaning) or self._styled(meaning)
        if not isinstance(meaning, Option):
            if c.chance(0.12):
                text = c.frame(frames("before")) + text
            if c.chance(0.1):
                text = f"{text[:-1]}{c.frame(frames('behind'))}{text[-1]}"
        return _tidy(text)

    def _said_beside(self, meaning: Meaning) -> str:
        """What is said beside a question: when, or under which condition."""
        nouns = NounPhrases(self._c)
        if isinstance(meaning, Direction) and meaning.moment is not None:
            return nouns.time(meaning.moment, None if self._front else meaning.of)
        if isinstance(meaning, Open) and meaning.counterfactual is not None:
            return self._if(meaning.counterfactual)
        if not isinstance(meaning, Exist | Count) or not isinstance(meaning.what, EventSelection):
            return ""
        what = meaning.what
        if isinstance(what.source, CounterfactualPremise):
            again = bool(what.objects) and what.source.about == what.objects[0] and self._c.chance(_IT)
            return self._if(what.source, what.source.about if again else None)
        if what.source is Source.FUTURE:
            return fill(self._c.word("future"), {"video": lambda: self._c.word("video")})
        return self._side(what) if what.moment is not None else ""

    def _side(self, what: EventSelection) -> str:
        """Before or after a moment."""
        assert what.moment is not None
        c, nouns = self._c, NounPhrases(self._c)
        side = c.word(f"sides/{'after' if what.after else 'before'}")
        first = nouns.the(what.moment.objects[0])
        if what.moment.kind is MomentKind.COLLISION:
            return f"{side} {first} {c.verb('hit').third} {nouns.the(what.moment.objects[1])}"
        return f"{side} {first} {nouns.passage(what.moment.kind).third}"

    def _if(self, counterfactual: CounterfactualPremise, it: Description | None = None) -> str:
        """The condition. An object that is named in both parts of the sentence is `it` in the second."""
        known = SlotWords(self._c).supposed(counterfactual)
        special = counterfactual.premise is None and self._c.chance(0.4)
        frame = self._c.frame(fitting(frames("if_removed" if special else "if"), known))
        self._front = self._front or frame.startswith(_ALWAYS_IN_FRONT)
        if self._front:
            self._it = it
            return fill(frame, known)
        return fill(frame, SlotWords(self._c, it).supposed(counterfactual))

    def _alone(self, meaning: Meaning) -> str | None:
        """A sentence that has its condition within."""
        if not isinstance(meaning, Open) or meaning.counterfactual is None or not self._c.chance(0.1):
            return None
        name = "counterfactual_not" if meaning.negated else "counterfactual"
        self._adjunct = ""
        return self._filled(frames(f"{name}/alone"), SlotWords(self._c).supposed(meaning.counterfactual))

    def _styled(self, meaning: Meaning) -> str:
        """A question, an indirect question or a statement."""
        c = self._c
        name, slots = self._slots(meaning)
        style = "ask"
        if c.chance(0.25):
            style = c.any([one for one in ("ask", "indirect", "statement") if fitting(frames(f"{name}/{one}"), slots)])
        if style == "ask":
            return self._placed(self._filled(self._asking(name, meaning, slots), slots))
        inner = self._filled(frames(f"{name}/{style}"), slots)
        if self._adjunct and not self._front:
            inner = f"{inner} {self._adjunct}"
        wrapped = fill(c.frame(frames(f"wrap_{style}")), {style: lambda: inner})
        return f"{self._adjunct}, {wrapped}" if self._front and self._adjunct else wrapped

    def _asking(self, name: str, meaning: Meaning, slots: Slots) -> Options:
        options = frames(f"{name}/ask")
        if isinstance(meaning, Query | Both):
            special = frames(f"{name}/ask_{meaning.attribute}") + frames(f"{name}_{meaning.attribute}/ask")
            return special if special and self._c.chance(0.3) else options
        if name in ("exist", "count"):
            special = fitting(frames(f"{name}/ask_property"), slots)
            return special if special and self._c.chance(0.6) else options
        return options

    def _placed(self, text: str) -> str:
        """A sentence with its adjunct in front or at its end."""
        if not self._adjunct:
            return text
        if self._front:
            joint = ". " if self._adjunct.startswith(_ALWAYS_IN_FRONT) else ", "
            return f"{self._adjunct}{joint}{text}"
        return f"{text[:-1]} {self._adjunct}{text[-1]}"

    def _filled(self, options: Options, slots: Slots) -> str:
        found = fitting(options, slots)
        if not found:
            raise _NoFrame(f"No frame fits the slots {sorted(slots)}.")
        return fill(self._c.frame(found), slots)

    def _slots(self, meaning: Meaning) -> tuple[str, Words]:
        """The name of the frames, and their slots."""
        slots = SlotWords(self._c, self._it)
        match meaning:
            case Exist(what) | Count(what):
                name = "exist" if isinstance(meaning, Exist) else "count"
                if isinstance(what, EventSelection):
                    return f"{name}_{_kind(what)}", slots.events(what)
                return name, slots.described(meaning)
            case Query():
                return "query", slots.queried(meaning)
            case Direction():
                return "direction", slots.directed(meaning)
            case Compare():
                return "compare", slots.compared(meaning)
            case Both():
                return "both", slots.paired(meaning, lambda words: self._filled(frames("pair_with_charge"), words))
            case Related():
                return "opposite" if meaning.opposite else "same", slots.related(meaning)
            case Option():
                return "choice", slots.chosen(meaning)
            case Open():
                name = "predictive" if meaning.counterfactual is None else "counterfactual"
                return f"{name}_not" if meaning.negated else name, {}


def _kind(what: EventSelection) -> str:
    if what.kind is MomentKind.COLLISION:
        return f"collision_{('any', 'one', 'pair')[len(what.objects)]}"
    return "pass_one" if what.one else "pass_group"


def _tidy(text: str) -> str:
    """One space between words, none before punctuation, and a capital letter in front."""
    text = re.sub(r"\s+([?.,:])", r"\1", " ".join(text.split())).lstrip(" ,")
    return text[0].upper() + text[1:]
