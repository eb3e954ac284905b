"""The look both renderers share: lights, ground and materials of the CLEVR base scene, in scene units and watts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class AreaLight:
    """A square area light of side `size` that faces the origin."""

    position: tuple[float, float, float]
    watts: float
    size: float


KEY = AreaLight((6.45, -2.91, 4.26), 78.5, 0.5)
FILL = AreaLight((-4.67, -4.01, 3.01), 23.6, 0.5)
BACK = AreaLight((-1.17, 2.65, 5.82), 39.3, 1.0)
LIGHTS = (KEY, FILL, BACK)
SUN_DIRECTION = (11.66, -6.63, 25.82)  # towards the sun
SUN_STRENGTH = 0.45

GROUND_ALBEDO = 0.5  # linear, neutral grey
