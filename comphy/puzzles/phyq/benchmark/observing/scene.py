"""What is on the screen: every object as shapes in pixels, and the published noise on it.

The screen has 640 x 480 pixels, 18.286 to a metre, y down from its top.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.puzzles.phyq.benchmark.observing.color_map import (
    ColorMap,
    bird_colors,
    egg_colors,
    sling_colors,
    thing_colors,
)
from comphy.puzzles.phyq.pictures.drawing import (
    SLING,
    Shape,
    View,
    bird_shapes,
    egg_shapes,
    paint,
    present_things,
    sling_outline,
    thing_shapes,
    waiting,
)
from comphy.puzzles.phyq.world.catalog import Bird, Material
from comphy.puzzles.phyq.world.constants import GROUND, WORLD_LEFT, WORLD_RIGHT, Point
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyq.world.level import Block, Level, Pig, Platform, Thing

WIDTH: Final = 640
HEIGHT: Final = 480
PIXELS_PER_METRE: Final = WIDTH / (WORLD_RIGHT - WORLD_LEFT)
_CENTRE: Final = -1.0  # height of the screen's middle
_HALF: Final = HEIGHT / PIXELS_PER_METRE / 2
SCREEN: Final = View(WORLD_LEFT, WORLD_RIGHT, _CENTRE - _HALF, _CENTRE + _HALF)
REDUCED: Final = 4  # planes have a quarter of the screen's size
NOISE_PIXELS: Final = 2
# All shifts by whole pixels that are at most so long.
SHIFTS: Final = tuple(
    (x, y)
    for x in range(-NOISE_PIXELS, NOISE_PIXELS + 1)
    for y in range(-NOISE_PIXELS, NOISE_PIXELS + 1)
    if math.hypot(x, y) <= NOISE_PIXELS
)


class Kind(IntEnum):
    """In the order of the published planes."""

    SLINGSHOT = 0
    RED = 1
    YELLOW = 2
    BLUE = 3
    WHITE = 4
    BLACK = 5
    PIG = 6
    WOOD = 7
    ICE = 8
    STONE = 9
    TNT = 10
    PLATFORM = 11


BIRD_KINDS: Final = {
    Bird.RED: Kind.RED,
    Bird.YELLOW: Kind.YELLOW,
    Bird.BLUE: Kind.BLUE,
    Bird.WHITE: Kind.WHITE,
    Bird.BLACK: Kind.BLACK,
}
_EXACT: Final = frozenset((Kind.SLINGSHOT, *BIRD_KINDS.values()))  # seen without noise, as published
_MATERIAL_KINDS: Final = {Material.WOOD: Kind.WOOD, Material.STONE: Kind.STONE, Material.ICE: Kind.ICE}


@dataclass(frozen=True)
class SceneObject:
    """An object as it is drawn, in metres, and by how many pixels it is seen aside (right and down)."""

    kind: Kind
    shapes: tuple[Shape, ...]
    colors: ColorMap
    shift: tuple[int, int] = (0, 0)

    @property
    def pixels(self) -> tuple[tuple[int, int], ...]:
        """The outline in whole pixels, without corners that coincide."""
        points = [(round(x) + self.shift[0], round(y) + self.shift[1]) for x, y in map(to_pixel, self.shapes[0][0])]
        return tuple(point for k, point in enumerate(points) if point != points[k - 1]) or (points[0],)

    @property
    def shifted(self) -> Iterator[Shape]:
        """Its shapes where they are seen."""
        dx, dy = self.shift[0] / PIXELS_PER_METRE, -self.shift[1] / PIXELS_PER_METRE
        for outline, color in self.shapes:
            yield [(x + dx, y + dy) for x, y in outline], color

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The pixels around it: left, top, right, bottom."""
        xs, ys = zip(*self.pixels, strict=True)
        return (min(xs), min(ys), max(xs), max(ys))

    @property
    def on_screen(self) -> bool:
        left, top, right, bottom = self.box
        return right >= 0 and left < WIDTH and bottom >= 0 and top < HEIGHT


def to_pixel(point: Point) -> Point:
    return ((point[0] - SCREEN.left) * PIXELS_PER_METRE, (SCREEN.top - point[1]) * PIXELS_PER_METRE)


def from_pixel(pixel: Point) -> Point:
    return (SCREEN.left + pixel[0] / PIXELS_PER_METRE, SCREEN.top - pixel[1] / PIXELS_PER_METRE)


GROUND_PIXEL: Final = round(to_pixel((0.0, GROUND))[1])


def scene_of(game: Game) -> list[SceneObject]:
    """Everything that is on the screen now: slingshot, things, birds that wait and birds that fly."""
    found = _at_rest(present_things(game), waiting_birds(game))
    for flyer in game.flying.values():
        (x, y, _), (_, _, sin, cos), _, _ = game.world.state(flyer.body)
        if flyer.egg:
            shapes, colors = egg_shapes(x, y, 2 * math.atan2(sin, cos)), egg_colors()
        else:
            shapes, colors = bird_shapes(x, y, flyer.bird), bird_colors(flyer.bird)
        found.append(SceneObject(BIRD_KINDS[flyer.bird], tuple(shapes), colors))
    return [one for one in found if one.on_screen]


def scene_of_level(level: Level) -> list[SceneObject]:
    """What `scene_of` sees of a game that begins with this level, without an engine."""
    return [one for one in _at_rest(level.things, level.birds) if one.on_screen]


def waiting_birds(game: Game) -> tuple[Bird, ...]:
    return game.level.birds[len(game.level.birds) - game.birds_left :]


def noisy_scene(scene: Sequence[SceneObject], rng: np.random.Generator) -> list[SceneObject]:
    """Each object moved by one vector of at most 2 pixels; the slingshot and birds stay."""
    draws = rng.integers(len(SHIFTS), size=len(scene))
    return [
        one if one.kind in _EXACT else replace(one, shift=SHIFTS[draw]) for one, draw in zip(scene, draws, strict=True)
    ]


def planes(scene: Sequence[SceneObject]) -> NDArray[np.uint8]:
    """The published 12 planes [12, 120, 160], one for each `Kind`: 1 in the boxes around its objects, else 0."""
    found = np.zeros((len(Kind), HEIGHT // REDUCED, WIDTH // REDUCED), np.uint8)
    for one in scene:
        left, top, right, bottom = (edge // REDUCED for edge in one.box)
        found[one.kind, max(top, 0) : max(bottom + 1, 0), max(left, 0) : max(right + 1, 0)] = 1
    return found


def screenshot(scene: Sequence[SceneObject]) -> NDArray[np.uint8]:
    """The screen [480, 640, 3], RGB."""
    shapes = [shape for one in scene if one.kind is not Kind.SLINGSHOT for shape in one.shifted]
    return np.asarray(paint(shapes, WIDTH, SCREEN), np.uint8)


def is_exact(kind: Kind) -> bool:
    """Whether it is seen without noise."""
    return kind in _EXACT


def kind_of(thing: Thing) -> Kind:
    match thing:
        case Block():
            return _MATERIAL_KINDS[thing.material]
        case Pig():
            return Kind.PIG
        case Platform():
            return Kind.PLATFORM
        case _:
            return Kind.TNT


def _at_rest(things: Iterable[Thing], birds: Sequence[Bird]) -> list[SceneObject]:
    """The slingshot, things, and birds that wait."""
    found = [SceneObject(Kind.SLINGSHOT, ((sling_outline(), SLING),), sling_colors())]
    for thing in things:
        found.append(SceneObject(kind_of(thing), tuple(thing_shapes(thing)), thing_colors(thing)))
    for bird, (x, y) in waiting(birds):
        found.append(SceneObject(BIRD_KINDS[bird], tuple(bird_shapes(x, y, bird)), bird_colors(bird)))
    return found
