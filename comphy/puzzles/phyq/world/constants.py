"""The numbers that define the world of Phy-Q: its bounds, the clock, the slingshot. Metres and seconds, y up."""

from typing import Final

from comphy.sim.body import Surface
from comphy.sim.shapes import Vector

WORLD_LEFT: Final = -17.5
WORLD_RIGHT: Final = 17.5  # what is wholly beyond is gone
GROUND: Final = -3.5

GRAVITY: Final = 4.7088  # m/s^2 of all but eggs and TNT: the game weighs them by 0.48
FULL_GRAVITY: Final = 9.81
TIMESTEP: Final = 0.01  # half a step of the game, whose solver works harder on each

SLINGSHOT: Final = (-12.0, -2.5)
RELEASE: Final = (-12.15, -1.7)  # a bird is pulled back from here and flies through here
MAX_STRETCH: Final = 1.0
LAUNCH_SPEED: Final = 10.0  # m/s for each metre of stretch

# The game's engine keeps polygons a little apart. Levels were saved at rest there, so shapes are larger by half of that.
SKIN: Final = 0.0075
ANGULAR_DRAG: Final = 2.0  # 1/s

# In the game the bouncier of two surfaces decides; here engines take the geometric mean. So all but birds hardly bounce, and
# the restitution of birds is so high that the mean is right; blocks of ice and stone bounce less than in the game.
DEAD: Final = 0.01
PLATFORM_SURFACE: Final = Surface(friction=0.4, restitution=DEAD)

IMMORTAL_SECONDS: Final = 2.0  # nothing is hurt while a level settles
DAMAGE_PER_MOMENTUM: Final = 11.22
BLUNT: Final = 0.5  # of it, where no bird hits a block

Point = tuple[float, float]
DOWN: Final[Vector] = (0.0, -GRAVITY, 0.0)
