"""Constants of the world of Phy-Q: bounds, time step, slingshot. Metres and seconds, y up."""

from typing import Final

from comphy.sim.body import Surface
from comphy.sim.shapes import Vector

WORLD_LEFT: Final = -17.5
WORLD_RIGHT: Final = 17.5  # objects completely outside are removed
GROUND: Final = -3.5

GRAVITY: Final = 4.7088  # m/s^2; the game's gravity scale of 0.48, for all objects but eggs and TNT
FULL_GRAVITY: Final = 9.81
TIMESTEP: Final = 0.01  # half the game's time step, whose solver does more work per step

ITERATIONS: Final = 30  # of the solver; with fewer, tall structures creep

SLINGSHOT: Final = (-12.0, -2.5)
RELEASE: Final = (-12.15, -1.7)  # rest position of a bird in the sling; its trajectory passes through it
MAX_STRETCH: Final = 1.0
LAUNCH_SPEED: Final = 10.0  # m/s for each metre of stretch

# The game's engine (Box2D) keeps polygons apart by a skin. Levels were saved at rest there, so shapes grow by half of it.
SKIN: Final = 0.0075
ANGULAR_DRAG: Final = 2.0  # 1/s

# The game combines restitutions by their maximum, the engine here by the geometric mean. So everything but birds gets the
# restitution DEAD, and birds one so high that the mean is right; ice and stone blocks bounce less than in the game.
DEAD: Final = 0.01
PLATFORM_SURFACE: Final = Surface(friction=0.4, restitution=DEAD)

PLATFORM_MASS: Final = 1.0  # of a platform that a body slides along, as an attacker
RUNS_ON: Final = 0.6  # share of a relative velocity that is left when a body clearly runs on past another
DAMAGE_PER_MOMENTUM: Final = 11.22
BLUNT: Final = 0.5  # damage factor of all hits other than a bird on a block

Point = tuple[float, float]
DOWN: Final[Vector] = (0.0, -GRAVITY, 0.0)
