"""The shared lights as the tracer uses them: discs at points, the sun as a far one, brightness as radiance of white."""

import math
from dataclasses import dataclass

from data_gen.renderers.look import LIGHTS, SUN_ANGLE, SUN_DIRECTION, SUN_STRENGTH, AreaLight

SUN_DISTANCE = 100.0


@dataclass(frozen=True)
class PointLight:
    """A disc that faces the origin; at distance d a white surface turned to it shines with strength / d²."""

    position: tuple[float, float, float]
    strength: float
    radius: float


def _from_area(light: AreaLight) -> PointLight:
    """A disc of the square's area. In Blender W watts on area A make the radiance W / 4A; white returns 1 / pi of it."""
    return PointLight(light.position, light.watts / (4 * math.pi), light.size / math.sqrt(math.pi))


def _sun() -> PointLight:
    scale = SUN_DISTANCE / math.hypot(*SUN_DIRECTION)
    x, y, z = SUN_DIRECTION
    radius = SUN_DISTANCE * SUN_ANGLE / 2
    return PointLight((x * scale, y * scale, z * scale), SUN_STRENGTH / math.pi * SUN_DISTANCE**2, radius)


POINT_LIGHTS = (*(_from_area(light) for light in LIGHTS), _sun())
