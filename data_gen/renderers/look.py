"""The look both renderers share: lights, ground and materials of the CLEVR base scene, in scene units and watts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comphy.scene.vocabulary import Material

LOOK_VERSION: Final = 3  # raised when a renderer draws the same scene otherwise, so that pictures of both are not mixed


@dataclass(frozen=True)
class AreaLight:
    """A square area light of side `size` that faces the origin."""

    position: tuple[float, float, float]
    watts: float
    size: float


@dataclass(frozen=True)
class Finish:
    """How a surface of any colour reflects: 0 to 1 each, in the terms of the Disney/Blender principled shader. `lift`: how
    much brighter dark colours are in what it mirrors."""

    metallic: float
    roughness: float
    specular: float
    lift: float = 0.0

    def mirrored(self, rgb: Sequence[float]) -> list[float]:
        """The linear colour of what a surface of some colour mirrors."""
        gain = 1 + self.lift * (1 - sum(rgb) / len(rgb))
        return [min(1.0, gain * level) for level in rgb]


KEY = AreaLight((6.45, -2.91, 4.26), 290.0, 0.7)
FILL = AreaLight((-4.67, -4.01, 3.01), 190.0, 0.8)
BACK = AreaLight((-1.17, 2.65, 5.82), 210.0, 1.0)
LIGHTS = (KEY, FILL, BACK)
SUN_DIRECTION = (11.66, -6.63, 25.82)  # towards the sun
SUN_STRENGTH = 0.6
SUN_ANGLE = 0.2  # radians across: softens the sun's shadows
WORLD_RADIANCE = 0.25  # uniform neutral sky: fills the shadows, and metal mirrors it

GROUND_ALBEDO = 0.4  # linear, neutral grey, perfectly matte
FINISHES: Final[dict[Material, Finish]] = {
    Material.RUBBER: Finish(metallic=0.0, roughness=0.7, specular=0.02),
    Material.METAL: Finish(metallic=0.8, roughness=0.15, specular=0.5, lift=0.7),
}
