"""Referring expressions (`Look`) in sentences and programs, such as 'red metal cube' and `objects red filter_color ...`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from comphy.questions.looks import Look
from comphy.scene.vocabulary import Color, Material, Shape

_COLORS: Final = {str(word): word for word in Color}
_MATERIALS: Final = {str(word): word for word in Material}
_SHAPES: Final = {str(word): word for word in Shape}
_NOUNS: Final[dict[str, Shape | None]] = {"object": None, **_SHAPES}
_WORDS: Final[dict[str, dict[str, Any]]] = {
    "filter_color": _COLORS,
    "filter_material": _MATERIALS,
    "filter_shape": _SHAPES,
}
_OBJECTS: Final = "objects"


@dataclass(frozen=True)
class Span:
    """A referring expression that covers the words or tokens `start:end`."""

    start: int
    end: int
    look: Look
    plural: bool = False

    @property
    def words(self) -> list[str]:
        return self.look.phrase(self.plural).split()

    @property
    def tokens(self) -> list[str]:
        return [_OBJECTS, *self.look.tokens]


def look_words() -> list[str]:
    """Every word that can be part of a referring expression."""
    return [*_COLORS, *_MATERIALS, *_NOUNS, *(f"{noun}s" for noun in _NOUNS)]


def spoken(words: Sequence[str]) -> list[Span]:
    """The referring expressions of a sentence: an optional color and material before a noun."""
    spans: list[Span] = []
    start = 0
    for place, word in enumerate(words):
        noun = word.removesuffix("s")
        if noun in _NOUNS:
            material = _before(words, place, start, _MATERIALS)
            first = place - (material is not None)
            color = _before(words, first, start, _COLORS)
            look = Look(color, material, _NOUNS[noun])
            spans.append(Span(first - (color is not None), place + 1, look, noun != word))
            start = place + 1
    return spans


def _before(words: Sequence[str], place: int, start: int, known: dict[str, Any]) -> Any:
    return known.get(words[place - 1]) if place > start else None


def meant(program: Sequence[str]) -> list[Span]:
    """The referring expressions of a program: `objects` with the filters that directly follow it."""
    spans: list[Span] = []
    for start in (place for place, token in enumerate(program) if token == _OBJECTS):
        end, found = start + 1, {}
        while end + 1 < len(program) and program[end] in _WORDS.get(program[end + 1], ()):
            filtered = program[end + 1]
            found[filtered.removeprefix("filter_")] = _WORDS[filtered][program[end]]
            end += 2
        spans.append(Span(start, end, Look(**found)))
    return spans


def reworded(parts: Sequence[str], spans: Sequence[Span], spelled: Callable[[Span], list[str]]) -> list[str]:
    """Words or tokens with each span replaced by `spelled(span)`."""
    result: list[str] = []
    done = 0
    for span in spans:
        result += [*parts[done : span.start], *spelled(span)]
        done = span.end
    return result + list(parts[done:])


def frame(words: Sequence[str]) -> tuple[str, ...]:
    """The sentence template: every referring expression replaced by 'object' or 'objects'."""
    return tuple(reworded(words, spoken(words), lambda span: [_OBJECTS if span.plural else "object"]))
