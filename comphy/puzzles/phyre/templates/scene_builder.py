"""`SceneBuilder`: the interface with which templates build scenes."""

import math
from typing import Final, TypedDict, Unpack

from comphy.puzzles.phyre.world.constants import SCENE_PIXELS, Color
from comphy.puzzles.phyre.world.scene import Placed, Scene
from comphy.puzzles.phyre.world.shapes import PuzzleShape

HORIZONTAL: Final = ("left", "centre_x", "right")
VERTICAL: Final = ("bottom", "centre_y", "top")


class Place(TypedDict, total=False):
    """The position of the bounding box of a rotated shape: one horizontal and one vertical coordinate."""

    left: float
    centre_x: float
    right: float
    bottom: float
    centre_y: float
    top: float


class SceneBuilder:
    """Places shapes one after another and declares the two bodies that must touch.

    Lengths and positions are fractions of the scene's side (`40 * PX` is forty pixels), angles degrees, counter-clockwise.
    A placement fixes one edge or the centre of the bounding box in each direction, after rotation. `moving` and `fixed`
    return the placed body, with its `left`, `right`, `top`, `bottom`, `centre_x`, `centre_y`, `width` and `height`, so
    that the next body can be placed relative to it. Colours follow from the goal. Bodies may reach beyond the scene.
    Later bodies are drawn over earlier ones.

    A ball that has to miss a jar:

        def miss_the_jar(size: float, left: float, drop: float) -> Scene:
            scene = SceneBuilder()
            floor = scene.fixed(bar(1.0), left=0.0, bottom=0.0)
            bucket = scene.moving(jar(size), left=left, bottom=floor.top)
            target = scene.moving(ball(0.1), centre_x=bucket.centre_x, bottom=drop)
            scene.fixed(bar(0.2), 45, right=1.0, bottom=floor.top)  # a slope in the right corner
            scene.goal(target, floor)
            return scene.build()
    """

    def __init__(self) -> None:
        self._placed: list[Placed] = []
        self._goal: tuple[Placed, Placed] | None = None

    def moving(self, shape: PuzzleShape, angle: float = 0.0, **place: Unpack[Place]) -> Placed:
        """Add a dynamic body, rotated by `angle` degrees."""
        return self._place(shape, angle, place, static=False)

    def fixed(self, shape: PuzzleShape, angle: float = 0.0, **place: Unpack[Place]) -> Placed:
        """Add a static body, rotated by `angle` degrees."""
        return self._place(shape, angle, place, static=True)

    def goal(self, first: Placed, second: Placed) -> None:
        """Declare the bodies that must touch: `first` becomes green, `second` blue if it moves and purple if it is fixed.

        Raises `ValueError` for a second goal, a fixed `first`, or bodies that are equal or of another scene.
        """
        if self._goal is not None:
            raise ValueError("Expected one goal in a scene (got a second call of goal).")
        if first.static:
            raise ValueError("Expected a moving body first in the goal (got a fixed one). Name the fixed body second.")
        if any(body not in self._placed for body in (first, second)) or first == second:
            raise ValueError(
                "Expected two bodies of this scene in the goal (got the same twice, or one from elsewhere)."
            )
        self._goal = (first, second)

    def build(self) -> Scene:
        """The finished scene. Raises `ValueError` without a goal."""
        if self._goal is None:
            raise ValueError("Expected a goal before the scene is built. Call goal(first, second).")
        first, second = self._goal
        colors = [Color.BLACK if body.static else Color.GRAY for body in self._placed]
        colors[first.index] = Color.GREEN
        colors[second.index] = Color.PURPLE if second.static else Color.BLUE
        bodies = tuple(body.colored(color) for body, color in zip(self._placed, colors, strict=True))
        return Scene(bodies, (first.index, second.index))

    def _place(self, shape: PuzzleShape, degrees: float, place: Place, *, static: bool) -> Placed:
        angle = math.radians(degrees)
        left, bottom, right, top = shape.bounds(angle)
        x = _fixed_by(place, HORIZONTAL, left, right)
        y = _fixed_by(place, VERTICAL, bottom, top)
        body = Placed(len(self._placed), static, shape, x, y, angle)
        self._placed.append(body)
        return body


def _fixed_by(place: Place, names: tuple[str, str, str], low: float, high: float) -> float:
    """The centre of mass, in pixels, at which an edge or the centre of the box [low, high] has the given coordinate."""
    given = {name: float(value) for name, value in place.items() if name in names}  # type: ignore[arg-type]
    if len(given) != 1:
        raise ValueError(f"Expected exactly one of {', '.join(names)} (got {', '.join(given) or 'none'}).")
    [(name, value)] = given.items()
    return value * SCENE_PIXELS - dict(zip(names, (low, (low + high) / 2, high), strict=True))[name]
