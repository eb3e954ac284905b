"""Tenses: the auxiliary of a question, and the forms of a verb that go with it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from comphy.language.choosing import PhraseSampler
from comphy.language.lexicon import Verb
from comphy.language.meanings.descriptions import CounterfactualPremise, Source


class Tense(StrEnum):
    PRESENT = "present"
    PAST = "past"
    PERFECT = "perfect"
    FUTURE = "future"
    GOING_TO = "going to"
    WOULD = "would"
    WOULD_HAVE = "would have"


@dataclass(frozen=True)
class _Rule:
    """Auxiliaries of one and of many, what stands between them and the verb, and which form the verb has."""

    one: str
    many: str
    between: str
    form: str


_RULES: Final = {
    Tense.PRESENT: _Rule("does", "do", "", "base"),
    Tense.PAST: _Rule("did", "did", "", "base"),
    Tense.PERFECT: _Rule("has", "have", "", "participle"),
    Tense.FUTURE: _Rule("will", "will", "", "base"),
    Tense.GOING_TO: _Rule("is", "are", "going to", "base"),
    Tense.WOULD: _Rule("would", "would", "", "base"),
    Tense.WOULD_HAVE: _Rule("would", "would", "have", "participle"),
}
_BE: Final = {
    Tense.PRESENT: ("is", "are", ""),
    Tense.PAST: ("was", "were", ""),
    Tense.PERFECT: ("has", "have", "been"),
    Tense.FUTURE: ("will", "will", "be"),
    Tense.GOING_TO: ("is", "are", "going to be"),
    Tense.WOULD: ("would", "would", "be"),
    Tense.WOULD_HAVE: ("would", "would", "have been"),
}
MODAL: Final = (Tense.FUTURE, Tense.WOULD, Tense.GOING_TO)


def choose_tense(sampler: PhraseSampler, source: Source | CounterfactualPremise) -> Tense:
    """A tense in which people speak of events of a source."""
    if isinstance(source, CounterfactualPremise):
        return sampler.any((Tense.WOULD, Tense.WOULD, Tense.WOULD_HAVE, Tense.FUTURE))
    if source is Source.FUTURE:
        return sampler.any((Tense.FUTURE, Tense.FUTURE, Tense.GOING_TO))
    return sampler.any((Tense.PRESENT, Tense.PRESENT, Tense.PRESENT, Tense.PAST, Tense.PAST, Tense.PERFECT))


def auxiliary(tense: Tense, many: bool) -> str:
    return _RULES[tense].many if many else _RULES[tense].one


def after_auxiliary(tense: Tense, verb: Verb) -> str:
    rule = _RULES[tense]
    return f"{rule.between} {getattr(verb, rule.form)}".strip()


def finite(tense: Tense, verb: Verb, many: bool) -> str:
    """The verb of a statement, with its auxiliary if it has one."""
    if tense is Tense.PRESENT:
        return verb.base if many else verb.third
    if tense is Tense.PAST:
        return verb.past
    return f"{auxiliary(tense, many)} {after_auxiliary(tense, verb)}"


def is_there(tense: Tense, many: bool) -> str:
    one, several, rest = _BE[tense]
    return f"{several if many else one} there {rest}".strip()


def there_is(tense: Tense, many: bool) -> str:
    one, several, rest = _BE[tense]
    return f"there {several if many else one} {rest}".strip()
