"""Words for which a program has nothing, though they turn the question into another one.

A network passes over what it does not recognise: of "Which objects never move?" it makes "Which objects move?", and is
sure of it. Such words are a closed class: negations, quantifiers, comparisons, places beside an object, what is counted,
an auxiliary that asks for yes or no. A program is believed only if it has something for each of them.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from comphy.language.lexicon import training_words

# No program has anything for these, unless training has them in another sense.
_WITHOUT_MEANING: Final = frozenset(
    (
        *("nobody", "nothing", "none", "neither", "nor", "nowhere", "why"),
        *("every", "everything", "everyone", "except", "most", "fewer", "fewest", "half", "twice", "thrice"),
        *(
            "same",
            "different",
            "size",
            "biggest",
            "smaller",
            "smallest",
            "largest",
            "tall",
            "taller",
            "tallest",
            "wide",
        ),
        *("fast", "faster", "fastest", "slow", "slower", "slowest", "speed", "frames", "seconds", "minutes", "percent"),
        *("behind", "beside", "near", "nearer", "nearest", "closer", "closest", "farther", "farthest"),
        *("above", "below", "beneath"),
    )
)
# The same, but for pairs of words that mean something else: the only one, if only, weighs only little, at least.
_WITHOUT_MEANING_BUT: Final = {
    "only": {"the", "if", "weigh", "weighs"},
    "least": {"at"},
    "all": {"at", "it", "before", "after"},
}
_WHEN: Final = frozenset(("of", "when", "as", "once", "after", "moment"))  # "everything ends": the video does
AUXILIARIES: Final = frozenset(("is", "are", "was", "were", "do", "does", "did", "has", "have", "had"))
_COMPARING: Final = frozenset(("bigger", "smaller", "same", "different"))
_COMPARABLE: Final = frozenset(("mass", "masses", "weight", "charge", "charges", "charged", "sign", "signs"))
_COUNTED: Final = frozenset(("many", "different", "of"))  # "How many colors", "the number of shapes"
_ATTRIBUTES: Final = {"colors": "color", "colours": "color", "shapes": "shape", "materials": "material"}
_OBJECTS: Final = frozenset(
    (
        "objects",
        "things",
        "items",
        "pieces",
        "bodies",
        "cubes",
        "boxes",
        "blocks",
        "spheres",
        "balls",
        "cylinders",
        "cans",
    )
)
_ARTICLES: Final = frozenset(("the", "a", "an", "any"))
_THROUGHOUT: Final = frozenset(("throughout", "whole", "entire"))  # the video
_ASKING: Final = frozenset(
    ("how", "what", "which", "where", "who", "tell", "say", "find", "name", "count", "number", "or")
)
_NOT: Final = frozenset(("not", "n't", "never"))
# What may be said with a negation: not moving, not at rest, not charged, not heavy, not shiny, without an object.
_NEGATABLE: Final = frozenset(
    (
        *("not", "filter_stationary", "filter_moving", "filter_status", "filter_uncharged", "filter_light", "rubber"),
        *("filter_counterfact", "counterfact_events", "filter_opposite"),
    )
)
_REST: Final = frozenset(("rest", "resting", "still", "stationary", "motionless", "static"))
_MOTION: Final = ("mov", "motion")
_COMPARISONS: Final = frozenset(("is_heavier", "is_lighter"))
_YES_OR_NO: Final = frozenset(("exist", "belong_to")) | _COMPARISONS
_OPENING: Final = 3  # words, of "Is n't there …" and "Did n't the …": who begins so expects a yes
_SIDES: Final = frozenset(("left", "right"))
_BE: Final = frozenset(("is", "'s", "was", "are", "were"))
_BOUND: Final = frozenset(("headed", "bound"))


def beyond(words: Sequence[str], program: Sequence[str]) -> tuple[str, ...]:
    """The words of a sentence for which a program has nothing, in their order."""
    found = frozenset(words) & (_WITHOUT_MEANING - training_words())
    found |= _quantifiers(words, program) | _comparisons(words) | _negations(words, program) | _places(words, program)
    found |= _counted(words, program) | _throughout(words, program)
    found = found or _yes_or_no(words, program)
    return tuple(word for word in dict.fromkeys(words) if word in found)


def _quantifiers(words: Sequence[str], program: Sequence[str]) -> frozenset[str]:
    """That there is such an object, or how many there are, says nothing of all of them, or of no others."""
    said = {
        word
        for before, word in pairwise(("", *words))
        if word in _WITHOUT_MEANING_BUT and before not in _WITHOUT_MEANING_BUT[word]
    }
    said |= {word for before, word in pairwise(("", *words)) if word == "everything" and before not in _WHEN}
    of_each = {word for word, after in pairwise((*words, "")) if word == "each" and after not in ("other", "one")}
    asks_of_all = tuple(program[-1:]) == ("exist",) or frozenset(words[:1]) <= AUXILIARIES
    return frozenset(said | of_each) if asks_of_all else frozenset(said - {"all"})


def _comparisons(words: Sequence[str]) -> frozenset[str]:
    """Masses and charges are compared, but neither sizes nor looks."""
    said = frozenset(words)
    return frozenset() if said & _COMPARABLE else said & _COMPARING


def _counted(words: Sequence[str], program: Sequence[str]) -> frozenset[str]:
    """Neither colors nor shapes are counted, nor the objects that collide with any other: only their collisions are."""
    said = [word for before, word in pairwise(words) if before in _COUNTED]
    queried = [token for token in program if token.startswith("query")]
    looks = {word for word in said if word in _ATTRIBUTES and not any(_ATTRIBUTES[word] in token for token in queried)}
    of_any = tuple(program[-2:]) == ("filter_collision", "count") and "unique" not in program
    colliding = {word for before, word in pairwise(words) if before == "many" and word in _OBJECTS and of_any}
    return frozenset(looks | colliding)


def _throughout(words: Sequence[str], program: Sequence[str]) -> frozenset[str]:
    """What is asked of the whole video is not asked of one of its frames."""
    return _THROUGHOUT & set(words) if "query_frame" in program else frozenset()


def _yes_or_no(words: Sequence[str], program: Sequence[str]) -> frozenset[str]:
    """The auxiliary with which a sentence asks for yes or no, if the program has another answer. "Is it a cube or a
    sphere?" and "Do you know its color?" ask for more."""
    answers_more = program[-1:] and (program[-1] == "count" or program[-1].startswith("query"))
    opening = frozenset(words[:1]) & AUXILIARIES
    return opening if answers_more and not _ASKING & set(words) and "you" not in words[:3] else frozenset()


def _negations(words: Sequence[str], program: Sequence[str]) -> frozenset[str]:
    rhetorical = _OPENING if _YES_OR_NO & set(program[-1:]) else 0
    said = frozenset(
        word
        for number, (before, word) in enumerate(pairwise(("", *words)))
        if word in _NOT and number >= rhetorical and before != "or"
    )
    carried = _NEGATABLE & set(program)
    if not _REST & set(words):
        carried -= {"filter_moving"}  # said as "not at rest", but with no other "not"
    if not any(word.startswith(_MOTION) for word in words):
        carried -= {"filter_stationary"}  # "not moving"
    return frozenset() if carried else said


def _places(words: Sequence[str], program: Sequence[str]) -> frozenset[str]:
    """Nothing tells where an object is, only where it goes."""
    goes = "query_direction" in program
    beside = {word for word, after in pairwise(words) if word in _SIDES and after == "of"}
    to_a_side = {word for before, word in pairwise(words) if word in _SIDES and before == "the" and not goes}
    moves = any(word.endswith("ing") or word in _BOUND for word in words)
    lies = {word for word, after in pairwise(words) if word == "where" and after in _BE and not moves}
    compares = _COMPARISONS & set(program[-1:])  # "the heavier one, next to the cube"
    next_to = {
        word
        for word, to, after in zip(words, words[1:], words[2:], strict=False)
        if (word, to) == ("next", "to") and after in _ARTICLES and not compares
    }
    return frozenset(beside | to_a_side | lies | next_to)
