"""Whether a sentence gives a sign of what its program does.

A network has some program for every sentence. Where it recognises nothing it takes the plainest one, and is sure of it: of
"Who won?" it makes the number of objects. So the plainest programs are believed only if a word speaks for them.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from comphy.language.lexicon import lexicon
from models.pcr.parser.words.reading import words_of

_OF_ALL_OBJECTS: Final = (("objects", "count"), ("objects", "exist"))
_NUMBERS: Final = frozenset({"many", "number", "count"})
_WITHOUT_ANSWER: Final = frozenset({"why"})  # no program tells a cause
_PREMISE, _OBJECT = "filter_counterfact", "unique"  # one directly after the other: what would be without the object
_ABSENCE: Final = frozenset(
    (
        "without",
        "not",
        "n't",
        "no",
        "never",
        "away",
        "out",
        "gone",
        "absent",
        "missing",
        "remove",
        "removed",
        "removing",
        "vanished",
        "disappeared",
        "deleted",
    )
)


def has_evidence(words: Sequence[str], program: Sequence[str]) -> bool:
    """Whether the words may well mean the program, as far as single words tell."""
    said = set(words)
    if said & _WITHOUT_ANSWER:
        return False
    if tuple(program) in _OF_ALL_OBJECTS and not said & (_NUMBERS | _things()):
        return False
    removed = (_OBJECT, _PREMISE) in pairwise(program)
    return not removed or bool(said & _ABSENCE)


@cache
def _things() -> frozenset[str]:
    """Training's words for any object."""
    texts = (*lexicon().get("things").train, *lexicon().get("anything").train)
    return frozenset(word for text in texts for word in words_of(text.replace("|", " "))) - {"any", "some", "of"}
