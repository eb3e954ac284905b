"""Bodies: what the simulator moves. Also the one rule by which two bodies' surfaces mix."""

import math
from dataclasses import dataclass

from comphy.sim.shapes import IDENTITY, Quaternion, Shape, Vector


@dataclass(frozen=True)
class Surface:
    """Friction and restitution of a body.

    What acts between two bodies is the geometric mean of their values (`mix`), so between equal surfaces the stated
    value itself acts. Engines mix by other rules; the engine file converts. A `lively` surface may have a
    restitution above 1, so that it bounces off what is all but dead; what acts must still be at most 1.
    """

    friction: float = 0.0
    restitution: float = 0.0
    lively: bool = False

    def __post_init__(self) -> None:
        if self.friction < 0 or not self.restitution >= 0 or (self.restitution > 1 and not self.lively):
            raise ValueError(f"Expected friction >= 0 and 0 <= restitution <= 1 (got {self}).")


def mix(a: Surface, b: Surface) -> Surface:
    """The friction and restitution that act between two surfaces."""
    return Surface(math.sqrt(a.friction * b.friction), math.sqrt(a.restitution * b.restitution))


@dataclass(frozen=True)
class Body:
    """One rigid body. Mass 0 means static. Damping is the share of velocity lost per second.

    `swift`: it may fly further than its size in a step, and must neither pass through things nor be braked before it
    meets them. `flock`: bodies of the same one, but for 0, do not touch each other. Both are for planar worlds.
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
    swift: bool = False
    flock: int = 0

    @property
    def static(self) -> bool:
        return self.mass == 0.0
