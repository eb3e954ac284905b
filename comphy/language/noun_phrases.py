"""Puts descriptions of objects, and objects of events, into words."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from comphy.language.choosing import PhraseSampler
from comphy.language.lexicon import Verb, fill, frames
from comphy.language.meanings.descriptions import Charge, Description, Entity, Moment, MomentKind, Partner, Passing

SIGNS: Final = (Charge.OPPOSITE, Charge.SAME)
_IT: Final = 0.4  # share of second mentions that are "it"
_VERBS: Final = {MomentKind.IN: "enter", MomentKind.OUT: "leave"}


@dataclass(frozen=True)
class Condition:
    """A part of a description that can be said after "is": `path` of its words, and the description without it."""

    path: str
    rest: Description
    moment: Moment | None = None


def conditions(d: Description) -> list[Condition]:
    """The parts of a description, the least visible first."""
    found = []
    if d.status is not None:
        found.append(Condition(f"properties/{d.status}", replace(d, status=None, moment=None), d.moment))
    if d.mass is not None:
        found.append(Condition(f"properties/{d.mass}", replace(d, mass=None)))
    if d.charge is not None:
        found.append(Condition(f"properties/{d.charge}", replace(d, charge=None)))
    if d.look.color is not None:
        found.append(Condition(f"colors/{d.look.color}", replace(d, look=replace(d.look, color=None))))
    if d.look.material is not None:
        found.append(Condition(f"properties/{d.look.material}", replace(d, look=replace(d.look, material=None))))
    if d.look.shape is not None:
        found.append(Condition(f"shapes/{d.look.shape}", replace(d, look=replace(d.look, shape=None))))
    return found


class NounPhrases:
    """Nouns with their adjectives and relative clauses."""

    def __init__(self, sampler: PhraseSampler) -> None:
        self._c = sampler

    def the(self, described: Entity) -> str:
        """One object that is known: the red cube."""
        if isinstance(described, Passing):
            return self._passing(described)
        if isinstance(described, Partner):
            return self._partner(described)
        return f"the {self.noun(described)}"

    def a(self, described: Description) -> str:
        return with_article(self.noun(described))

    def noun(self, d: Description, plural: bool = False) -> str:
        """Without an article."""
        c = self._c
        behind = self._behind(d)
        said = (one for one in conditions(d) if one != behind and not one.path.startswith("shapes"))
        before = [self._before(one) for one in said]
        if len(before) > 1 and c.chance(0.15):
            before[0], before[-1] = before[-1], before[0]
        words = [*before, *self._head(d, plural, skip=behind is not None and behind.path.startswith("shapes"))]
        if behind is not None:
            words.append(self._relative(behind, plural))
        return " ".join(words)

    def predicate(self, one: Condition, plural: bool) -> str:
        """What follows "is" or "are", with its time."""
        return " ".join(part for part in (self._bare(one, plural), self._when(one)) if part)

    def clause(self, one: Condition, plural: bool) -> str:
        """A finite predicate: is heavy, weighs a lot."""
        if self._c.chance(0.4) and self._c.lexicon.get(f"{one.path}/verb"):
            return " ".join(filter(None, (self._c.form(f"{one.path}/verb", int(plural)), self._when(one))))
        return f"{'are' if plural else 'is'} {self.predicate(one, plural)}"

    def verb(self, one: Condition, plural: bool) -> str:
        return " ".join(filter(None, (self._c.form(f"{one.path}/verb", int(plural)), self._when(one))))

    def time(self, moment: Moment, it: Description | None = None) -> str:
        """When something happens; `it` is what was named before."""
        slots: dict[str, Callable[[], str]] = {"video": lambda: self._c.word("video")}
        if moment.objects:
            again = moment.objects[0] == it and self._c.chance(_IT)
            slots["object"] = lambda: "it" if again else self.the(moment.objects[0])
        if moment.kind in _VERBS:
            slots["enters"] = slots["leaves"] = lambda: self.passage(moment.kind).third
        if moment.kind is MomentKind.COLLISION:
            slots["other"] = lambda: self.the(moment.objects[1])
            slots["hits"] = lambda: self._c.verb("hit").third
            slots["collides"] = lambda: self._c.verb("collide").base
        return fill(self._c.word(f"times/{moment.kind}"), slots)

    def passage(self, kind: MomentKind) -> Verb:
        """A verb for an entrance or an exit."""
        text = fill(self._c.word(_VERBS[kind]), {"scene": lambda: self._c.word("scene")})
        return self._c.lexicon.verb(text)

    def _head(self, d: Description, plural: bool, skip: bool) -> list[str]:
        c, shape = self._c, d.look.shape
        if shape is None or skip:
            unheard = c.nonsense() if conditions(d) else None  # whatever it is called, it is an object
            return [unheard + "s" * plural if unheard is not None else c.form("things", int(plural))]
        if c.chance(0.12):
            return [c.word(f"shape_adjectives/{shape}"), c.form("things", int(plural))]
        return [c.form(f"shapes/{shape}", int(plural))]

    def _behind(self, d: Description) -> Condition | None:
        """The condition that is said after the noun, if there is one."""
        found = conditions(d)
        if d.status is not None and (d.moment is not None or not self._c.chance(0.35)):
            return found[0]
        shares = {"colors": 0.08, "shapes": 0.04, "properties": 0.25}
        return next((one for one in found if self._c.chance(shares[one.path.split("/")[0]])), None)

    def _before(self, one: Condition) -> str:
        """As an adjective."""
        path = one.path if one.path.startswith("colors") else f"{one.path}/adjective"
        return self._c.word(path)

    def _bare(self, one: Condition, plural: bool) -> str:
        if one.path.startswith("shapes"):
            noun = self._c.form(one.path, int(plural))
            return noun if plural else with_article(noun)
        return self._c.word(one.path if one.path.startswith("colors") else f"{one.path}/be")

    def _when(self, one: Condition) -> str:
        return self.time(one.moment, one.rest) if one.moment is not None else ""

    def _relative(self, one: Condition, plural: bool) -> str:
        c = self._c
        if c.chance(0.3) and c.lexicon.get(f"{one.path}/with"):
            return c.word(f"{one.path}/with")
        if c.chance(0.2) and one.path.startswith("properties"):
            return self.predicate(one, plural)
        return f"{'which' if c.chance(0.3) else 'that'} {self.clause(one, plural)}"

    def _passing(self, one: Passing) -> str:
        verb = self.passage(one.passage)
        slots: dict[str, Callable[[], str]] = {
            "group": lambda: self.noun(one.group),
            "groups": lambda: self.noun(one.group, plural=True),
            "enter": lambda: verb.base,
            "enters": lambda: verb.past if self._c.chance(0.2) else verb.third,
            "entering": lambda: verb.ing,
        }
        return self._ordered("passing", one.order, slots)

    def _partner(self, one: Partner) -> str:
        verb = self._c.verb("hit")
        slots: dict[str, Callable[[], str]] = {
            "object": lambda: self.the(one.of),
            "hit": lambda: verb.base,
            "hits": lambda: verb.past if self._c.chance(0.2) else verb.third,
            "hitting": lambda: verb.ing,
        }
        return self._ordered("partner", one.order, slots)

    def _ordered(self, name: str, order: str | None, slots: dict[str, Callable[[], str]]) -> str:
        if order is None:
            return fill(self._c.frame(frames(f"only_{name}")), slots)
        slots["order"] = lambda: self._c.word(f"orders/{order}")
        slots["adverb"] = lambda: self._c.word(f"adverbs/{order}")
        return fill(self._c.frame(frames(name)), slots)


def with_article(noun: str) -> str:
    return f"{'an' if noun.startswith(('a', 'e', 'i', 'o', 'un')) else 'a'} {noun}"
