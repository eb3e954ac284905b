"""Says that something is not so: that there is no such object, or that nothing of the kind happens."""

from comphy.language.choosing import PhraseSampler
from comphy.language.meanings.descriptions import Description, EventSelection, MomentKind
from comphy.language.noun_phrases import NounPhrases


def named(described: Description, plural: bool = False) -> str:
    """The plainest noun phrase, without an article: heavy red cube."""
    return NounPhrases(PhraseSampler()).noun(described, plural)


def none_there(what: Description | EventSelection, pair: bool = False) -> str:
    """A sentence that denies the existence of an object, of a `pair` of them, or of an event of the video."""
    if isinstance(what, Description):
        return f"There are no two {named(what, plural=True)}." if pair else f"There is no {named(what)}."
    nouns = NounPhrases(PhraseSampler())
    if what.kind is not MomentKind.COLLISION:
        verb = nouns.passage(what.kind)
        if what.one:
            return f"The {named(what.objects[0])} does not {verb.base}."
        return f"No {named(what.objects[0])} {verb.third}."
    if not what.objects:
        return "There is no collision."
    if len(what.objects) == 1:
        return f"The {named(what.objects[0])} collides with nothing."
    first, second = map(named, what.objects)
    return f"The {first} and the {second} do not collide."
