"""Actions: points of the unit cube, the balls they mean in whole pixels, and which of them are allowed.

Shapes: N actions of K balls; actions [N, 3 K], balls [N, K, 3] (x, y, radius in pixels).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from comphy.errors import ConfigError, did_you_mean
from comphy.puzzles.phyre.world.constants import SCENE_PIXELS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import distance, length

SMALLEST_RADIUS: Final = 2.0
LARGEST_RADIUS: Final = SCENE_PIXELS / 8
SPACE_BETWEEN_BALLS: Final = 1.0
OVERLAP_TOLERANCE: Final = 1e-5  # exactly touching is allowed

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Rng = np.random.Generator | np.random.RandomState  # scripts for the published package pass the second


@dataclass(frozen=True)
class Tier:
    """How many balls the player places; each takes x, y and radius from the unit cube."""

    name: str
    balls: int

    @property
    def dimensions(self) -> int:
        return 3 * self.balls

    def exact_balls(self, actions: ArrayLike) -> Floats:
        """The balls of actions before they are put on whole pixels."""
        cube = np.asarray(actions, dtype=np.float64)
        if cube.ndim != 2 or cube.shape[1] != self.dimensions:
            raise ValueError(f"Expected actions [N, {self.dimensions}] in tier {self.name} (got shape {cube.shape}).")
        scale = np.array((SCENE_PIXELS - 1.0, SCENE_PIXELS - 1.0, LARGEST_RADIUS - SMALLEST_RADIUS))
        return cube.reshape(len(cube), self.balls, 3) * scale + (0.0, 0.0, SMALLEST_RADIUS)

    def balls_of(self, actions: ArrayLike) -> Floats:
        """The balls of actions as they are simulated: places cut to whole pixels, radii rounded to them."""
        exact = self.exact_balls(actions)
        return np.concatenate([np.trunc(exact[..., :2]), np.rint(exact[..., 2:])], axis=-1)

    def actions_of(self, balls: ArrayLike) -> Floats:
        """Actions [N, 3 K] that mean balls of whole pixels, given as [N, K, 3] or [N, 3 K]: the middle of all that do."""
        pixels = np.asarray(balls, dtype=np.float64).reshape(-1, self.balls, 3)
        places = (pixels[..., :2] + 0.5) / (SCENE_PIXELS - 1.0)
        radii = (pixels[..., 2:] - SMALLEST_RADIUS) / (LARGEST_RADIUS - SMALLEST_RADIUS)
        return np.concatenate([places, radii], axis=-1).reshape(-1, self.dimensions)

    def in_space(self, actions: ArrayLike) -> Bools:
        """Which actions [N] are allowed in an empty scene: in the cube, inside the scene, balls apart from each other."""
        cube = np.asarray(actions, dtype=np.float64)
        exact = self.exact_balls(cube)
        allowed: Bools = np.asarray(((cube >= 0.0) & (cube <= 1.0)).all(axis=1))
        exact = exact[allowed]
        places, radii = exact[..., :2], exact[..., 2:]
        inside = ((places >= radii) & (places <= SCENE_PIXELS - radii)).all(axis=(1, 2))
        allowed[allowed] = inside & _pairs_apart(exact, SPACE_BETWEEN_BALLS)
        return allowed

    def valid(self, scene: Scene, actions: ArrayLike) -> Bools:
        """Which actions [N] can be simulated in a scene: allowed in an empty one, and overlapping nothing."""
        allowed = self.in_space(actions)
        chosen = np.asarray(actions, dtype=np.float64)[allowed]
        allowed[allowed] = ~occluded(scene, self.balls_of(chosen))
        return allowed

    def sample(self, count: int, rng: Rng) -> Floats:
        """`count` uniform actions that are allowed in an empty scene; a task's own bodies may forbid some."""
        found: list[Floats] = []
        missing = count
        while missing > 0:
            draw = rng.random((2 * missing + 8, self.dimensions))
            found.append(draw[self.in_space(draw)][:missing])
            missing -= len(found[-1])
        return np.concatenate(found) if found else np.empty((0, self.dimensions))


BALL: Final = Tier("ball", 1)
TWO_BALLS: Final = Tier("two_balls", 2)
ACTION_TIERS: Final = {tier.name: tier for tier in (BALL, TWO_BALLS)}


def tier_named(name: str) -> Tier:
    if name not in ACTION_TIERS:
        raise ConfigError(f"Expected an action tier (got '{name}'); {did_you_mean(name, ACTION_TIERS)}")
    return ACTION_TIERS[name]


def occluded(scene: Scene, balls: Floats) -> Bools:
    """Which placements [N] of balls [N, K, 3] overlap a body of the scene or each other."""
    places, radii = balls[..., :2], balls[..., 2]
    hit = np.zeros(radii.shape, dtype=bool)
    for body in scene.bodies:
        gap = distance(body.shape, body.angle, places - (body.x, body.y))
        hit |= np.less(gap + OVERLAP_TOLERANCE, radii)
    return np.asarray(hit.any(axis=1) | ~_pairs_apart(balls, -OVERLAP_TOLERANCE))


def _pairs_apart(balls: Floats, space: float) -> Bools:
    """Where all pairs of the player's balls are at least `space` apart."""
    apart = np.ones(len(balls), dtype=bool)
    for i in range(balls.shape[1]):
        for j in range(i):
            between = length(balls[:, i, :2] - balls[:, j, :2])
            apart &= between >= balls[:, i, 2] + balls[:, j, 2] + space
    return apart
