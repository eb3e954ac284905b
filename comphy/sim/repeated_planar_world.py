"""`Arena`: a planar world for many short runs, each with other guests, looked at only where the caller wants to."""

import math
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Final

from comphy.sim.body import Body
from comphy.sim.bullet import BulletScene, Engine, State
from comphy.sim.contacts import Pair
from comphy.sim.shapes import Vector
from comphy.sim.sleep import Slumber
from comphy.sim.world import check_planar

BLOCK: Final = 16  # steps between two looks at who may sleep; a power of two


class Arena:
    """Bodies in the x-y plane that are there in every run, and guests that come for one.

    A run is what follows `start`; it depends on the bodies and the guests alone, bit by bit, not on earlier runs. Guests
    are numbered after the bodies. Building takes as long as a run, starting again a hundredth of it: keep an arena as
    long as its bodies are wanted. Several arenas may share an engine if they are used one after the other.
    """

    def __init__(
        self, bodies: Sequence[Body], *, timestep: float, gravity: Vector, engine: Engine | None = None
    ) -> None:
        check_planar(bodies)
        self.bodies = tuple(bodies)
        self._owns_engine = engine is None
        self._engine = engine or Engine()
        self._timestep, self._gravity = timestep, math.hypot(*gravity)
        self._scene = BulletScene(self._engine, self.bodies, gravity, timestep, planar=True)
        self.everyone = self.bodies  # of the present run, guests last
        self._moving: list[int] = []
        self._slumber = Slumber(self._scene, ())
        self._states: list[State] = []

    def close(self) -> None:
        if self._owns_engine:
            self._engine.close()

    def __enter__(self) -> "Arena":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def start(self, guests: Sequence[Body] = ()) -> None:
        """Begin a run: everything where it was at first, and the guests where they say."""
        check_planar(guests)
        self._scene.rewind(guests)
        everyone = (*self.bodies, *guests)
        self.everyone = everyone
        self._moving = [i for i, body in enumerate(everyone) if not body.static]
        self._states = [(body.position, body.orientation, body.velocity, body.angular_velocity) for body in everyone]
        self._slumber = Slumber(self._scene, everyone)

    def advance(self) -> None:
        """Go on by `BLOCK` steps: one call of the engine where nobody could be woken."""
        if self.asleep:
            return
        if self._slumber.undisturbed(BLOCK * self._timestep, self._gravity):
            self._scene.step(BLOCK)
        else:
            for _ in range(BLOCK):
                self._scene.step(1)
        self._slumber.look()

    def walk(self) -> Iterator[None]:
        """Go on step by step from where a block ends; the same run, to the bit, for callers that look at every step."""
        while True:
            for step in range(1, BLOCK + 1):
                if not self.asleep:
                    self._scene.step(1)
                    if step == BLOCK:
                        self._slumber.look()
                yield

    @property
    def asleep(self) -> bool:
        """Whether everything is asleep, so that nothing will ever change."""
        return self._slumber.everyone

    @property
    def awake(self) -> list[int]:
        """Those that move or may soon."""
        return self._slumber.awake

    def surrounding_box(self, body: int) -> tuple[Sequence[float], Sequence[float]]:
        """The lower and the upper corner of a box around a body."""
        return self._scene.surrounding_box(body)

    def states(self) -> Sequence[State]:
        """Where everything is and how it moves; valid until the next look."""
        self._scene.read_states(self._moving, self._states)
        return self._states

    def distance(self, first: int, second: int) -> float:
        """Between the centres of two bodies."""
        (ax, ay, _), (bx, by, _) = self._scene.position(first), self._scene.position(second)
        return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)

    def touching(self, first: int, second: int, slack: float) -> bool:
        """Whether the shapes of two bodies are nearer than `slack`, which is at most a hundredth of their size."""
        return self._scene.gap(first, second) < slack

    def touching_pairs(self, slack: float) -> set[Pair]:
        """All pairs that are touching, the smaller number first."""
        return {(min(a, b), max(a, b)) for a, b, gap in self._scene.close_pairs() if gap < slack}
