"""The words for the slots of sentence frames, by what is asked. A slot that has no words in a meaning is left out."""

from collections.abc import Callable
from typing import Final

from comphy.language.choosing import PhraseSampler
from comphy.language.lexicon import Verb
from comphy.language.meanings.descriptions import CounterfactualPremise, Description, EventSelection, MomentKind, Source
from comphy.language.meanings.meaning import Both, Compare, Count, Direction, Exist, Option, Query, Related
from comphy.language.noun_phrases import SIGNS, NounPhrases, conditions
from comphy.language.tenses import (
    MODAL,
    Tense,
    after_auxiliary,
    auxiliary,
    choose_tense,
    finite,
    is_there,
    there_is,
)

Words = dict[str, Callable[[], str]]
_STRUCK: Final = ("hit", "struck", "touched", "bumped")
_NOTHING: Final = Description()


class SlotWords:
    """Fills slots. `it` is an object that was named before and may be called so."""

    def __init__(self, sampler: PhraseSampler, it: Description | None = None) -> None:
        self._c, self._nouns, self._it = sampler, NounPhrases(sampler), it

    def described(self, asked: Exist | Count) -> Words:
        """Of objects that exist or are counted."""
        d, c, nouns = asked.what, self._c, self._nouns
        assert isinstance(d, Description)
        words: Words = {"scene": lambda: c.word("scene"), "plural": lambda: nouns.noun(d, plural=True)}
        sign = d.charge in SIGNS
        if sign:
            words["pair"] = words["plural"]
        else:
            words |= {"a": lambda: nouns.a(d), "one": lambda: nouns.noun(d)}
        found = conditions(d)
        if not found:
            return words
        one = next(o for o in found if "opposite" in o.path or "same" in o.path) if sign else c.any(found)
        rest = one.rest
        words |= {
            "rest_plural": lambda: nouns.noun(rest, plural=True),
            "bes": lambda: nouns.predicate(one, plural=True),
            "are_be": lambda: nouns.clause(one, plural=True),
        }
        if c.lexicon.get(f"{one.path}/verb"):
            words["verb"] = lambda: nouns.verb(one, plural=True)
        if sign:
            return words | {"two": lambda: "two " if c.chance(0.6) else ""}
        words |= {
            "rest_one": lambda: nouns.noun(rest),
            "rest_a": lambda: nouns.a(rest),
            "be": lambda: nouns.predicate(one, plural=False),
            "is_be": lambda: nouns.clause(one, plural=False),
        }
        if rest == _NOTHING:
            words |= {"anything": lambda: c.word("anything"), "bare": lambda: ""}
            words["rest_something"] = lambda: c.any(("something", "anything", "one"))
        else:
            words["rest_the"] = lambda: self._name(rest)
        return words

    def queried(self, asked: Query) -> Words:
        c = self._c
        words: Words = {
            "attribute": lambda: c.word(f"attributes/{asked.attribute}"),
            "the": lambda: self._nouns.the(asked.of),
            "is": lambda: "was" if c.chance(0.15) else "is",
        }
        if isinstance(asked.of, Description) and asked.of == Description(asked.of.look):
            words["owner"] = words["the"]
        return words

    def directed(self, asked: Direction) -> Words:
        c = self._c
        verb = c.verb("go")
        return {
            "the": lambda: self._name(asked.of),
            "is": lambda: "was" if c.chance(0.2) else "is",
            "go": lambda: verb.base,
            "goes": lambda: verb.third,
        }

    def compared(self, asked: Compare) -> Words:
        c = self._c
        word = "heavier" if asked.heavier else "lighter"
        verb = c.word(f"comparisons/{word}/verb").split("|")
        return {
            "first": lambda: self._name(asked.first),
            "second": lambda: self._name(asked.second),
            "than": lambda: c.word(f"comparisons/{word}/be"),
            "alone": lambda: c.word(f"comparisons/{word}/alone"),
            "alone_word": lambda: word,
            "outweighs": lambda: verb[0],
            "outweigh": lambda: verb[1],
        }

    def paired(self, asked: Both, pair_frame: Callable[[Words], str]) -> Words:
        c, nouns = self._c, self._nouns
        described = Description(charge=asked.charge)
        (one,) = conditions(described)
        pair: Words = {
            "things": lambda: c.form("things", 1),
            "are_be": lambda: nouns.clause(one, plural=True),
            "be_things": lambda: f"{c.word(f'{one.path}/adjective')} {c.form('things', 1)}",
        }
        return {
            "attributes": lambda: c.word(f"attribute_plurals/{asked.attribute}"),
            "pair": lambda: pair_frame(pair),
        }

    def related(self, asked: Related | Option) -> Words:
        return {"first": lambda: self._name(asked.first), "second": lambda: self._name(asked.second)}

    def supposed(self, counterfactual: CounterfactualPremise) -> Words:
        c = self._c
        path = f"premises/{counterfactual.premise or 'removed'}"
        words: Words = {
            "first": lambda: self._name(counterfactual.about),
            "first_bare": lambda: self._nouns.noun(counterfactual.about),
            "premise": lambda: c.word(f"{path}/be"),
            "premise_past": lambda: c.word(f"{path}/verb"),
        }
        if counterfactual.premise is not None:
            words["premise_adjective"] = lambda: c.lexicon.get(f"{path}/be").train[0]
        return words

    def chosen(self, asked: Option) -> Words:
        return self.related(asked) | self._colliding(Tense.PRESENT)

    def events(self, asked: EventSelection) -> Words:
        c = self._c
        tense = choose_tense(c, asked.source)
        words: Words = {
            "aux": lambda: auxiliary(tense, many=False),
            "auxp": lambda: auxiliary(tense, many=True),
            "is_there": lambda: is_there(tense, many=False),
            "are_there": lambda: is_there(tense, many=True),
            "there_is": lambda: there_is(tense, many=False),
            "there_are": lambda: there_is(tense, many=True),
        }
        happen = Verb("happen", "happens", "happened", "happened", "happening")
        words |= {
            "happen": lambda: after_auxiliary(tense, happen),
            "happens": lambda: finite(tense, happen, many=True),
        }
        if asked.source is Source.VIDEO:
            words |= {"now": lambda: "", "is": lambda: "was" if tense is Tense.PAST else "is"}
        if asked.kind is MomentKind.COLLISION:
            words |= self._colliding(tense)
        else:
            words |= self._passing(asked, tense)
        names = dict(zip(("first", "second"), asked.objects if asked.one else (), strict=False))
        return words | {slot: (lambda d=d: self._name(d)) for slot, d in names.items()}

    def _colliding(self, tense: Tense) -> Words:
        c = self._c
        modal = tense in MODAL and c.chance(0.15)
        hit, collide = c.verb("hit_modal" if modal else "hit"), c.verb("collide")
        hitting = c.verb("hitting")
        return {
            "hit": lambda: after_auxiliary(tense, hit),
            "hits": lambda: finite(tense, hit, many=False),
            "hit_plural": lambda: finite(tense, hit, many=True),
            "hit_base": lambda: hit.base,
            "hit_ing": lambda: hit.ing,
            "collide": lambda: after_auxiliary(tense, collide),
            "collides": lambda: finite(tense, collide, many=True),
            "collide_base": lambda: collide.base,
            "hitting": lambda: after_auxiliary(tense, hitting),
            "hits_something": lambda: finite(tense, hitting, many=False),
            "struck": lambda: c.any(_STRUCK),
        }

    def _passing(self, asked: EventSelection, tense: Tense) -> Words:
        c, nouns = self._c, self._nouns
        verb = nouns.passage(asked.kind)
        group = asked.objects[0]
        words: Words = {
            "enter": lambda: after_auxiliary(tense, verb),
            "enters": lambda: finite(tense, verb, many=False),
            "enter_plural": lambda: finite(tense, verb, many=True),
            "enter_base": lambda: verb.base,
            "entering": lambda: verb.ing,
            "group": lambda: nouns.noun(group),
            "groups": lambda: nouns.noun(group, plural=True),
            "a_group": lambda: nouns.a(group),
        }
        if group == _NOTHING:
            words |= {"anything": lambda: c.word("anything"), "bare": lambda: ""}
        return words

    def _name(self, described: Description) -> str:
        return "it" if described == self._it else self._nouns.the(described)
