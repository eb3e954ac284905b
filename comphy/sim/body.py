"""Bodies: what the simulator moves, and the friction and restitution of their surfaces."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from comphy.sim.shapes import IDENTITY, Quaternion, Shape, Vector

# Position, orientation (x, y, z, w), velocity and angular velocity of a body.
State: TypeAlias = tuple[Sequence[float], Sequence[float], Sequence[float], Sequence[float]]


@dataclass(frozen=True)
class Surface:
    """Friction and restitution of a body.

    What acts between two bodies is the geometric mean of their values, so between equal surfaces the stated
    value itself acts. Engines mix by other rules; `comphy.sim.bullet` converts. With `unbounded_restitution` it may be
    above 1, so that a body bounces off surfaces that hardly bounce themselves; what acts must still be at most 1.
    """

    friction: float = 0.0
    restitution: float = 0.0
    unbounded_restitution: bool = False

    def __post_init__(self) -> None:
        if self.friction < 0 or not self.restitution >= 0 or (self.restitution > 1 and not self.unbounded_restitution):
            raise ValueError(f"Expected friction >= 0 and 0 <= restitution <= 1 (got {self}).")


@dataclass(frozen=True)
class Body:
    """One rigid body. Mass 0 means static. Damping is the share of velocity lost per second.

    `continuous_collision`: continuous collision detection (CCD) for a body that may fly further than its size in a step; it
    must neither pass through others nor be braked before it meets them. `collision_group`: bodies of the same group, but
    for 0, do not collide with each other. Both are for planar worlds.
    """

    shape: Shape
    mass: float = 0.0
    position: Vector = (0.0, 0.0, 0.0)
    orientation: Quaternion = IDENTITY
    velocity: Vector = (0.0, 0.0, 0.0)
    angular_velocity: Vector = (0.0, 0.0, 0.0)
    surface: Surface = Surface()
    linear_damping: float = 0.0
    angular_damping: float = 0.0
    charge: float = 0.0
    continuous_collision: bool = False
    collision_group: int = 0

    @property
    def static(self) -> bool:
        return self.mass == 0.0
