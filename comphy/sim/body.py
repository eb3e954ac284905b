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

    What acts between two bodies is the geometric mean of their values, so between equal surfaces the stated value
    itself acts. Engines mix by other rules; `comphy.sim.bullet` converts.

    Attributes:
        friction: Coulomb's coefficient, at least 0.
        restitution: the share of the speed of approach that is left after a collision, 0 to 1.
        unbounded_restitution: allows a restitution above 1, so that a body bounces off surfaces that hardly bounce
            themselves; what acts must still be at most 1.

    Raises:
        ValueError: for a negative friction, or a restitution out of range."""

    friction: float = 0.0
    restitution: float = 0.0
    unbounded_restitution: bool = False

    def __post_init__(self) -> None:
        if self.friction < 0 or not self.restitution >= 0 or (self.restitution > 1 and not self.unbounded_restitution):
            raise ValueError(f"Expected friction >= 0 and 0 <= restitution <= 1 (got {self}).")


@dataclass(frozen=True)
class Body:
    """One rigid body.

    Attributes:
        shape: its collision shape.
        mass: kilograms; 0 means static.
        position: of its origin, in metres.
        orientation: quaternion (x, y, z, w).
        velocity: m/s.
        angular_velocity: rad/s about the axes of the world.
        surface: friction and restitution.
        linear_damping: share of the velocity that is lost per second.
        angular_damping: share of the angular velocity that is lost per second.
        charge: charges of one sign repel each other, by the `coulomb` constant of the world.
        continuous_collision: continuous collision detection (CCD), for a body of a planar world that may fly further
            than its size in a step; it must neither pass through others nor be braked before it meets them.
        collision_group: bodies of the same group, but for 0, do not collide with each other; for planar worlds."""

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
        """Whether the body never moves."""
        return self.mass == 0.0
