"""Referring expressions: the shortest descriptions that single out an object, as phrases and as filters of a program."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from comphy.programs.types import Attribute
from comphy.questions.model import Tokens
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape

_PLURALS = {"cube": "cubes", "sphere": "spheres", "cylinder": "cylinders", "object": "objects"}


@dataclass(frozen=True)
class Look:
    """Some of color, material and shape; with none of them, any object."""

    color: Color | None = None
    material: Material | None = None
    shape: Shape | None = None

    @staticmethod
    def of(spec: ObjectSpec, attributes: Sequence[Attribute]) -> "Look":
        return Look(**{str(attribute): getattr(spec, attribute) for attribute in attributes})

    def mentions(self, attribute: Attribute) -> bool:
        return getattr(self, attribute) is not None

    def fits(self, spec: ObjectSpec) -> bool:
        words = ((self.color, spec.color), (self.material, spec.material), (self.shape, spec.shape))
        return all(mine is None or mine == its for mine, its in words)

    @property
    def adjectives(self) -> str:
        return " ".join(str(word) for word in (self.color, self.material) if word is not None)

    def phrase(self, plural: bool = False) -> str:
        """Such as 'red metal cube', or 'objects'."""
        noun = str(self.shape or "object")
        return " ".join(part for part in (self.adjectives, _PLURALS[noun] if plural else noun) if part)

    @property
    def tokens(self) -> Tokens:
        """The filters, to stand after a set of objects."""
        named = ((self.color, "filter_color"), (self.material, "filter_material"), (self.shape, "filter_shape"))
        return tuple(token for word, op in named if word is not None for token in (str(word), op))


def minimal_looks(objects: Sequence[ObjectSpec], index: int) -> list[Look]:
    """The shortest looks that only this object has; fewer words never suffice, and no other look of as few is missing."""
    for count in range(1, len(Attribute) + 1):
        looks = [Look.of(objects[index], attributes) for attributes in combinations(Attribute, count)]
        unique = [look for look in looks if sum(look.fits(spec) for spec in objects) == 1]
        if unique:
            return unique
    return []


def reference(look: Look) -> Tokens:
    """The program that picks the one object of this look."""
    return ("objects", *look.tokens, "unique")


def all_minimal_looks(objects: Sequence[ObjectSpec]) -> Iterator[tuple[int, Look]]:
    for index in range(len(objects)):
        for look in minimal_looks(objects, index):
            yield index, look
