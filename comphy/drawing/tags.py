"""Name tags that stay at their objects over a film, beside each other rather than on top of each other.

Shapes: F frames, N objects; boxes are x0, y0, x1, y1 in pixels.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from comphy.drawing.canvas import Point
from comphy.drawing.colors import BRIGHT, NIGHT, Rgb, readable_on
from comphy.drawing.overlay import Overlay
from comphy.drawing.text import text, text_width

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Where a tag may stand: shifts in its own half widths, and above (-1), below (1) or beside (0) the box; the first is liked
# best. Twice above leaves room for another tag between.
_PLACES: Final = ((0, -1), (0.7, -1), (-0.7, -1), (0, 1), (0.7, 1), (-0.7, 1), (1, 0), (-1, 0), (0, -2), (0, 2))
_GAP: Final = 3.0  # pixels between a tag and its object
_EDGE: Final = 2.0  # pixels between a tag and the border of the picture
_ROUNDS: Final = 2  # in which every tag answers the places of the others
# Costs of a place: of covering other tags and objects, in shares of the tag; of a place that is liked less; of a leap.
_ON_TAG: Final = 4.0
_ON_OBJECT: Final = 1.5
_DISLIKE: Final = 0.03
_LEAP: Final = 0.2
_EASE: Final = 0.4  # share of the way to its new place that a tag goes in a frame


def place_tags(boxes: Array, there: Flags, sizes: Array, picture: tuple[int, int]) -> Array:
    """The middles of tags [F, N, 2]. A tag keeps its side of its object until another is clearly better, and then glides.

    Args:
        boxes: of the objects [F, N, 4].
        there: which objects a frame shows [F, N]; the others take no room.
        sizes: width and height of each tag [N, 2].
        picture: width and height.
    """
    middles = np.zeros((*there.shape, 2))
    chosen = np.zeros(there.shape[1], int)
    shift = np.full((there.shape[1], 2), np.nan)
    for frame in range(len(there)):
        shown = np.flatnonzero(there[frame])
        shift[~there[frame]] = np.nan  # who comes back starts anew
        places = _candidates(boxes[frame], sizes, picture)  # [N, places, 2]
        chosen = _choose(places, boxes[frame], sizes, shown, chosen)
        home = (boxes[frame, :, :2] + boxes[frame, :, 2:]) / 2
        wanted = places[np.arange(len(chosen)), chosen] - home
        shift = np.where(np.isnan(shift), wanted, shift + _EASE * (wanted - shift))
        middles[frame] = _inside(home + shift, sizes, picture)
    return middles


def _candidates(boxes: Array, sizes: Array, picture: tuple[int, int]) -> Array:
    half_box, half_tag = (boxes[:, 2:] - boxes[:, :2]) / 2, sizes / 2
    offsets = []
    for across, down in _PLACES:
        x = across * (half_tag[:, 0] + (0 if down else half_box[:, 0] + _GAP))
        y = np.sign(down) * (half_box[:, 1] + _GAP + half_tag[:, 1] * (2 * abs(down) - 1))
        offsets.append(np.stack([x, y], axis=-1))
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    return _inside(middles[:, None] + np.stack(offsets, axis=1), sizes[:, None], picture)


def _choose(
    places: Array, boxes: Array, sizes: Array, shown: NDArray[np.intp], before: NDArray[np.int_]
) -> NDArray[np.int_]:
    chosen = before.copy()
    for _ in range(_ROUNDS):
        for number in shown:
            mine = _rectangles(places[number], sizes[number])
            others = shown[shown != number]
            tags = _rectangles(places[others, chosen[others]], sizes[others])
            area = sizes[number].prod()
            cost = _DISLIKE * np.arange(len(_PLACES)) + _LEAP * (np.arange(len(_PLACES)) != before[number])
            cost += _ON_TAG * _shared(mine, tags) / area + _ON_OBJECT * _shared(mine, boxes[shown]) / area
            chosen[number] = int(cost.argmin())
    return chosen


def _rectangles(middles: Array, sizes: Array) -> Array:
    return np.concatenate([middles - sizes / 2, middles + sizes / 2], axis=-1)


def _shared(mine: Array, others: Array) -> Array:
    """How many pixels of each rectangle [K, 4] the others [M, 4] cover."""
    low = np.maximum(mine[:, None, :2], others[None, :, :2])
    high = np.minimum(mine[:, None, 2:], others[None, :, 2:])
    covered: Array = np.clip(high - low, 0, None).prod(axis=-1).sum(axis=1)
    return covered


def _inside(middles: Array, sizes: Array, picture: tuple[int, int]) -> Array:
    half = sizes / 2 + _EDGE
    return np.clip(middles, half, np.maximum(np.asarray(picture) - half, half))


@dataclass(frozen=True)
class Tag:
    """A name on a plate, with a dot in the colour of its object."""

    words: str
    color: Rgb
    plate: Rgb = NIGHT
    letters: int = 10

    @property
    def size(self) -> tuple[float, float]:
        return text_width(self.words, self.letters, bold=True) + 2.2 * self.letters, 1.55 * self.letters

    def draw_plate(self, overlay: Overlay, middle: Point) -> None:
        (x, y), (width, height) = middle, self.size
        overlay.plate((x - width / 2, y - height / 2, x + width / 2, y + height / 2), self.plate, 0.78)
        overlay.dot(self._dot(middle), 0.38 * self.letters, BRIGHT)
        overlay.dot(self._dot(middle), 0.3 * self.letters, self.color)

    def draw_words(self, image: Image.Image, middle: Point) -> None:
        """After the overlay was merged."""
        left = self._dot(middle)[0] + 0.65 * self.letters
        text(image, (left, middle[1]), self.words, self.letters, readable_on(self.plate), bold=True)

    def _dot(self, middle: Point) -> Point:
        return middle[0] - self.size[0] / 2 + 0.8 * self.letters, middle[1]
