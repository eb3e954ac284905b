"""Objects and phrases as pictures show them: an object is its number on its colour."""

from PIL import Image

from comphy.drawing.colors import Rgb
from comphy.drawing.text import tag, text
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import RGB
from data_gen.preview.phrases import Phrase, Words


def rgb_of(spec: ObjectSpec) -> Rgb:
    return RGB[spec.color]


def number_tag(image: Image.Image, place: tuple[float, float], number: int, spec: ObjectSpec, size: int) -> float:
    """The object's number on its colour: its name tag in every picture. Returns the x at which it ends."""
    return tag(image, place, str(number), size, rgb_of(spec))


def draw_phrase(
    image: Image.Image,
    place: tuple[float, float],
    phrase: Phrase,
    objects: tuple[ObjectSpec, ...],
    size: int,
    color: Rgb,
) -> float:
    """Write a phrase from `place`, vertically centred on it; returns the x at which it ends."""
    x, y = place
    before: int | Words | None = None
    for part in phrase:
        x += _gap(before, part, size)
        if isinstance(part, int):
            x = number_tag(image, (x, y), part, objects[part], size - 2)
        else:
            x = text(image, (x, y), part.text, size, part.color or color, bold=part.bold)
        before = part
    return x


def _gap(before: int | Words | None, part: int | Words, size: int) -> float:
    """Tags of one pair stand close together; items keep their distance."""
    if before is None:
        return 0.0
    if isinstance(part, int):
        return 2.0 if isinstance(before, int) else 0.4 * size
    return 1.1 * size if part.bold else 0.4 * size
