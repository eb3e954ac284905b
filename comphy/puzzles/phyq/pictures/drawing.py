"""Pictures of levels and of games for people: flat colours, anti-aliased, at any size."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PIL import Image

from comphy.drawing.canvas import painted
from comphy.drawing.colors import Rgb
from comphy.puzzles.phyq.world.catalog import BIRDS, EGG_SIZE, TNT_SIDE, Bird, Material, rectangle
from comphy.puzzles.phyq.world.constants import GROUND, RELEASE, Point
from comphy.puzzles.phyq.world.game import FIRST_THING, Game
from comphy.puzzles.phyq.world.level import TNT, Block, Level, Pig, Platform, Thing, corners, placed
from comphy.puzzles.phyq.world.physics import solid

Shape = tuple[Sequence[Point], Rgb]


@dataclass(frozen=True)
class View:
    """The part of the world that is drawn, in metres."""

    left: float
    right: float
    bottom: float
    top: float

    def height(self, width: int) -> int:
        """Of a picture so wide, in pixels."""
        return round(width * (self.top - self.bottom) / (self.right - self.left))


WHOLE: Final = View(-15.0, 17.5, -4.3, 8.2)
SKY: Final[Rgb] = (244, 247, 250)
GRASS: Final[Rgb] = (205, 214, 190)
PLATFORM: Final[Rgb] = (74, 62, 56)
SLING: Final[Rgb] = (122, 92, 66)
SHADE: Final = 0.78  # of the edge of a thing
MATERIALS_RGB: Final[dict[Material, Rgb]] = {
    Material.WOOD: (214, 150, 84),
    Material.STONE: (156, 162, 170),
    Material.ICE: (158, 212, 238),
}
PIG: Final[Rgb] = (112, 184, 78)
EXPLOSIVE: Final[Rgb] = (222, 92, 52)
EGG: Final[Rgb] = (250, 240, 214)
BIRDS_RGB: Final[dict[Bird, Rgb]] = {
    Bird.RED: (208, 48, 48),
    Bird.YELLOW: (240, 190, 36),
    Bird.BLUE: (66, 124, 206),
    Bird.BLACK: (48, 50, 56),
    Bird.WHITE: (252, 252, 252),
}
_SUPERSAMPLING: Final = 3
_EDGE: Final = 0.035  # metres
_HOLLOW: Final = {"SquareHole": 0.5, "TriangleHole": 0.4}  # share of the hole that is only drawn
_DISC: Final = [(math.cos(2 * math.pi * k / 40), math.sin(2 * math.pi * k / 40)) for k in range(40)]


def around(things: Sequence[Thing], aspect: float, least: float = 9.0, margin: float = 0.6) -> View:
    """A view of some things, at least so wide, of which `aspect` is height by width."""
    xs, ys = zip(*(point for thing in things for point in corners(thing)), strict=True)
    bottom = max(min(ys) - margin, WHOLE.bottom)
    width = max(least, max(xs) - min(xs) + 2 * margin, (max(ys) + margin - bottom) / aspect)
    middle = (min(xs) + max(xs)) / 2
    return View(middle - width / 2, middle + width / 2, bottom, bottom + aspect * width)


def draw_level(level: Level, width: int, view: View = WHOLE) -> Image.Image:
    """Before anything moves; the birds wait behind the slingshot."""
    shapes = [shape for thing in level.things for shape in thing_shapes(thing)]
    for bird, (x, y) in waiting(level.birds):
        shapes += bird_shapes(x, y, bird)
    return paint(shapes, width, view)


def draw_game(game: Game, width: int, view: View = WHOLE) -> Image.Image:
    """As it stands now."""
    shapes = [shape for thing in present_things(game) for shape in thing_shapes(thing)]
    for flyer in game.flying.values():
        (x, y, _), (_, _, sin, cos), _, _ = game.world.state(flyer.body)
        if flyer.egg:
            shapes += egg_shapes(x, y, 2 * math.atan2(sin, cos))
        else:
            shapes += bird_shapes(x, y, flyer.bird)
    return paint(shapes, width, view)


def waiting(birds: Sequence[Bird]) -> Iterator[tuple[Bird, Point]]:
    """The next bird in the sling, the others on the ground behind it."""
    for place, bird in enumerate(birds):
        yield bird, (RELEASE[0] - 0.6 * place, (GROUND + BIRDS[bird].radius) if place else RELEASE[1])


def present_things(game: Game) -> Iterator[Thing]:
    """All things that are still there, where they are now."""
    for body, thing in enumerate(game.level.things, FIRST_THING):
        if isinstance(thing, Platform):
            yield thing
        elif body not in game.world.absent:
            (x, y, _), (_, _, sin, cos), _, _ = game.world.state(body)
            angle, centroid = 2 * math.atan2(sin, cos), solid(thing.outline)[1]
            [(dx, dy)] = placed([centroid], 0.0, 0.0, angle)
            yield replace(thing, x=x - dx, y=y - dy, degrees=math.degrees(angle))


def thing_shapes(thing: Thing) -> Iterator[Shape]:
    """Later ones are drawn over earlier ones; the first is the outline."""
    match thing:
        case Block(kind, material):
            yield from _edged(corners(thing), MATERIALS_RGB[material])
            if kind in _HOLLOW:
                yield (_shrunk(corners(thing), _HOLLOW[kind]), _darker(MATERIALS_RGB[material]))
        case Pig():
            yield from _edged(corners(thing), PIG)
        case Platform():
            yield (corners(thing), PLATFORM)
        case TNT():
            yield from _edged(corners(thing), EXPLOSIVE)
            yield (placed(rectangle(TNT_SIDE, TNT_SIDE / 3), thing.x, thing.y, math.radians(thing.degrees)), EGG)


def bird_shapes(x: float, y: float, bird: Bird) -> Iterator[Shape]:
    radius = BIRDS[bird].radius
    return _edged([(x + radius * cos, y + radius * sin) for cos, sin in _DISC], BIRDS_RGB[bird])


def egg_shapes(x: float, y: float, angle: float) -> Iterator[Shape]:
    return _edged(placed(rectangle(*EGG_SIZE), x, y, angle), EGG)


def sling_outline() -> tuple[Point, ...]:
    x, top = RELEASE
    return placed(rectangle(0.18, top - GROUND), x, (GROUND + top) / 2, 0.0)


def _edged(outline: Sequence[Point], color: Rgb) -> Iterator[Shape]:
    """A darker edge, so that equal neighbours can be told apart."""
    yield (outline, _darker(color))
    size = min(_extent([x for x, _ in outline]), _extent([y for _, y in outline]))
    yield (_shrunk(outline, max(0.5, 1.0 - 2 * _EDGE / size)), color)


def _extent(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _darker(color: Rgb) -> Rgb:
    red, green, blue = (round(SHADE * part) for part in color)
    return (red, green, blue)


def _shrunk(outline: Sequence[Point], share: float) -> list[Point]:
    x, y = (sum(values) / len(outline) for values in zip(*outline, strict=True))
    return [(x + share * (px - x), y + share * (py - y)) for px, py in outline]


def paint(shapes: Sequence[Shape], width: int, view: View) -> Image.Image:
    """Shapes in metres over the sky, the ground and the slingshot."""
    scale = width / (view.right - view.left)
    ground = [(view.left, GROUND), (view.right, GROUND), (view.right, view.bottom), (view.left, view.bottom)]
    in_pixels = (
        ([((px - view.left) * scale, (view.top - py) * scale) for px, py in outline], color)
        for outline, color in [(ground, GRASS), (sling_outline(), SLING), *shapes]
    )
    return painted((width, view.height(width)), SKY, in_pixels, _SUPERSAMPLING)
