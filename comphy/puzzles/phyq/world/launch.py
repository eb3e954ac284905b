"""Ballistics of the slingshot: shots, and the shots that pass through a given point."""

import math
from dataclasses import dataclass
from typing import Final

from comphy.errors import ConfigError
from comphy.puzzles.phyq.world.constants import GRAVITY, LAUNCH_SPEED, MAX_STRETCH, RELEASE, Point

_ROUNDS: Final = 60
_CLOSE: Final = 1e-10


@dataclass(frozen=True)
class Shot:
    """A shot: the bird is pulled from the release point, at most by the full stretch of 1 m, and released.

    Attributes:
        dx: how far it is pulled to the right, in metres; negative, as a rule, so that it flies to the right.
        dy: how far it is pulled up, in metres.
        tap: seconds after the launch at which the bird uses its power; None for never.
        watch: seconds after which the next bird is shot; None waits until everything is at rest.

    Raises:
        ValueError: for non-finite numbers or negative times."""

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
        """Make a shot at an elevation angle.

        Args:
            degrees: above the horizon.
            stretch: how far the bird is pulled, in metres, at most 1.
            tap: seconds after the launch at which the bird uses its power.
            watch: seconds after which the next bird is shot.

        Returns:
            The shot.

        Raises:
            ValueError: for non-finite numbers or negative times."""
        angle = math.radians(degrees)
        return Shot(-stretch * math.cos(angle), -stretch * math.sin(angle), tap, watch)

    @property
    def start(self) -> Point:
        """The position at which the bird is released."""
        dx, dy = self._pull
        return (RELEASE[0] + dx, RELEASE[1] + dy)

    @property
    def velocity(self) -> Point:
        """The velocity (x, y) of the launch in m/s."""
        dx, dy = self._pull
        return (-LAUNCH_SPEED * dx, -LAUNCH_SPEED * dy)

    @property
    def degrees(self) -> float:
        """Elevation angle of the launch."""
        return math.degrees(math.atan2(-self.dy, -self.dx))

    @property
    def _pull(self) -> Point:
        scale = min(1.0, MAX_STRETCH / max(math.hypot(self.dx, self.dy), _CLOSE))
        return (self.dx * scale, self.dy * scale)


def parsed_shot(text: str) -> Shot:
    """Parse a shot.

    Args:
        text: DEGREES[,STRETCH[,TAP[,WATCH]]]; empty fields keep their defaults.

    Returns:
        The shot.

    Raises:
        ConfigError: if the text is malformed."""
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
    """Write a shot as `parsed_shot` reads it back, up to rounding.

    Args:
        shot: any shot.

    Returns:
        The text."""
    numbers = (shot.degrees, math.hypot(shot.dx, shot.dy), shot.tap, shot.watch)
    return ",".join("" if number is None else repr(number) for number in numbers).rstrip(",")


def aimed_at(target: Point, stretch: float = MAX_STRETCH) -> list[Shot]:
    """Aim at a point. The release point depends on the angle, so each angle is found by fixed-point iteration.

    Args:
        target: (x, y) in metres.
        stretch: how far the bird is pulled, in metres.

    Returns:
        The low and the high trajectory through the point; none if it is out of reach."""
    shots = []
    for high in (False, True):
        angle = _angle(RELEASE, target, stretch, high)
        for _ in range(_ROUNDS):
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
    """The elevation angle of the ballistic trajectory from `start` to `target`; None if it is out of reach."""
    x, y = target[0] - start[0], target[1] - start[1]
    squared = (LAUNCH_SPEED * stretch) ** 2
    root = squared**2 - GRAVITY * (GRAVITY * x**2 + 2 * y * squared)
    if root < 0 or x <= 0:
        return None
    return math.atan2(squared + (1 if high else -1) * math.sqrt(root), GRAVITY * x)
