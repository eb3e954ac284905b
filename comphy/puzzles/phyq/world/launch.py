"""How birds fly from the slingshot: exact parabolas, and the pulls that reach a point."""

import math
from dataclasses import dataclass
from typing import Final

from comphy.errors import ConfigError
from comphy.puzzles.phyq.world.constants import GRAVITY, LAUNCH_SPEED, MAX_STRETCH, RELEASE, Point

_ROUNDS: Final = 60
_CLOSE: Final = 1e-10


@dataclass(frozen=True)
class Shot:
    """A bird is pulled by (dx, dy) from the release point, at most by the full stretch, and let go.

    `tap`: its power is used so many seconds after. `watch`: seconds after which the next bird may be shot; None: when
    all is at rest.
    """

    dx: float
    dy: float
    tap: float | None = None
    watch: float | None = None

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.dx, self.dy, self.tap or 0.0, self.watch or 0.0))):
            raise ValueError(f"Expected numbers in a shot (got {self}).")
        if (self.tap or 0.0) < 0 or (self.watch or 0.0) < 0:
            raise ValueError(f"Expected times after the launch (got {self}).")

    @staticmethod
    def at(
        degrees: float, stretch: float = MAX_STRETCH, tap: float | None = None, watch: float | None = None
    ) -> "Shot":
        """Upwards by an angle from straight ahead."""
        angle = math.radians(degrees)
        return Shot(-stretch * math.cos(angle), -stretch * math.sin(angle), tap, watch)

    @property
    def start(self) -> Point:
        """Where the bird is let go."""
        dx, dy = self._pull
        return (RELEASE[0] + dx, RELEASE[1] + dy)

    @property
    def velocity(self) -> Point:
        dx, dy = self._pull
        return (-LAUNCH_SPEED * dx, -LAUNCH_SPEED * dy)

    @property
    def degrees(self) -> float:
        return math.degrees(math.atan2(-self.dy, -self.dx))

    @property
    def _pull(self) -> Point:
        scale = min(1.0, MAX_STRETCH / max(math.hypot(self.dx, self.dy), _CLOSE))
        return (self.dx * scale, self.dy * scale)

    def place_after(self, seconds: float) -> Point:
        """Of a bird that meets nothing."""
        (x, y), (vx, vy) = self.start, self.velocity
        return (x + vx * seconds, y + vy * seconds - GRAVITY * seconds**2 / 2)


def parsed_shot(text: str) -> Shot:
    """Of DEGREES[,STRETCH[,TAP[,WATCH]]] as a user types it; what is left empty is left out."""
    try:
        degrees, stretch, tap, watch = (float(part) if part else None for part in f"{text},,,".split(",")[:4])
        if degrees is None or text.count(",") > 3:
            raise ValueError("one to four numbers are needed")
        return Shot.at(degrees, MAX_STRETCH if stretch is None else stretch, tap, watch)
    except ValueError as error:
        raise ConfigError(
            f"Expected a shot as degrees, and perhaps stretch (0 to {MAX_STRETCH:g}), seconds to the tap, and seconds to "
            f"the next shot, such as 20 or 45,0.9,1.2 (got '{text}': {error})."
        ) from error


def written_shot(shot: Shot) -> str:
    """As `parsed_shot` reads it, but for the last bits."""
    numbers = (shot.degrees, math.hypot(shot.dx, shot.dy), shot.tap, shot.watch)
    return ",".join("" if number is None else repr(number) for number in numbers).rstrip(",")


def aimed_at(target: Point, stretch: float = MAX_STRETCH) -> list[Shot]:
    """The shots that fly through a point: the flat one and the high one, or none if it is out of reach."""
    shots = []
    for high in (False, True):
        angle = _angle(RELEASE, target, stretch, high)
        for _ in range(_ROUNDS):  # a bird starts from where it was pulled to, which depends on the angle
            if angle is None:
                break
            start = (RELEASE[0] - stretch * math.cos(angle), RELEASE[1] - stretch * math.sin(angle))
            before, angle = angle, _angle(start, target, stretch, high)
            if angle is not None and abs(angle - before) < _CLOSE:
                break
        if angle is not None:
            shots.append(Shot.at(math.degrees(angle), stretch))
    return shots


def _angle(start: Point, target: Point, stretch: float, high: bool) -> float | None:
    x, y = target[0] - start[0], target[1] - start[1]
    squared = (LAUNCH_SPEED * stretch) ** 2
    root = squared**2 - GRAVITY * (GRAVITY * x**2 + 2 * y * squared)
    if root < 0 or x <= 0:
        return None
    return math.atan2(squared + (1 if high else -1) * math.sqrt(root), GRAVITY * x)
