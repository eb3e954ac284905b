"""`Stage`: a planar world in which bodies come and go, and every touch that begins is reported."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final

from comphy.sim.body import Body
from comphy.sim.bullet import FAR_AWAY, STILL, BulletScene, Engine, State
from comphy.sim.contacts import Pair
from comphy.sim.repeated_planar_world import BLOCK
from comphy.sim.shapes import IDENTITY, Quaternion, Vector
from comphy.sim.sleep import Slumber
from comphy.sim.world import check_planar

TOUCH_SLACK: Final = 0.005  # metres; nearer than this is touching


@dataclass(frozen=True)
class Touch:
    """Two bodies that have begun to touch, and how each of them came."""

    pair: Pair
    velocities: tuple[Vector, Vector]


class Stage:
    """Bodies in the x-y plane, some of them on stage from the start, the others waiting outside until they `enter`.

    A run is what follows `start`; it depends on the bodies and on what is done to them alone, bit by bit, not on earlier
    runs. All numbers of bodies are places in `bodies`.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        waiting: Sequence[int] = (),
        *,
        timestep: float,
        gravity: Vector,
        engine: Engine | None = None,
    ) -> None:
        check_planar(bodies)
        self.bodies = tuple(bodies)
        self.timestep = timestep
        self._owns_engine = engine is None
        self._engine = engine or Engine()
        self._scene = BulletScene(self._engine, self.bodies, gravity, timestep, planar=True)
        self._waiting = tuple(waiting)
        self._moving = [i for i, body in enumerate(self.bodies) if not body.static]
        self._slumber = Slumber(self._scene, ())
        self._near: dict[Pair, tuple[Vector, Vector]] = {}
        self._touching: set[Pair] = set()
        self._states: list[State] = [(STILL, IDENTITY, STILL, STILL)] * len(self.bodies)
        self._leaving: set[int] = set()
        self.absent: set[int] = set()
        self.steps = 0

    def close(self) -> None:
        if self._owns_engine:
            self._engine.close()

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def start(self) -> None:
        """Begin a run: everything where it was at first."""
        self._scene.rewind()
        self._slumber = Slumber(self._scene, self.bodies)
        self._near, self._touching, self.steps = {}, set(), 0
        self._leaving, self.absent = set(), set()
        for body in self._waiting:
            self._send_away(body)

    def step(self) -> list[Touch]:
        """Go on by one step, and tell which touches have begun in it."""
        self.steps += 1
        if self._slumber.everyone:
            return []
        awake = self._slumber.awake
        came = {body: self._scene.velocity(body)[0] for body in awake}
        self._scene.step(1)
        for body in self._leaving.intersection(self.absent):
            self._send_away(body)  # again: in this step the engine has woken it, by the memory of its contacts
        self._leaving = set()
        begun = self._look_for_touches(awake, came)
        if self.steps % BLOCK == 0:
            self._slumber.look()
        return begun

    def _look_for_touches(self, awake: Sequence[int], came: dict[int, Sequence[float]]) -> list[Touch]:
        """A touch counts with the velocities of the step in which the two came near: the engine brakes them after it."""
        near: dict[Pair, float] = {}
        for body in awake:
            for other, gap in self._scene.close_to(body):
                pair = (body, other) if body < other else (other, body)
                near[pair] = min(gap, near.get(pair, gap))
        for pair in [pair for pair in self._near if pair not in near and (pair[0] in came or pair[1] in came)]:
            del self._near[pair]
            self._touching.discard(pair)
        begun = []
        for pair, gap in near.items():
            if pair not in self._near:
                self._near[pair] = (_plane(came.get(pair[0], STILL)), _plane(came.get(pair[1], STILL)))
            if gap < TOUCH_SLACK and pair not in self._touching:
                self._touching.add(pair)
                begun.append(Touch(pair, self._near[pair]))
        return begun

    def enter(self, body: int, position: Vector, velocity: Vector, orientation: Quaternion = IDENTITY) -> None:
        """Someone who was outside comes on stage."""
        self._scene.place(body, position, orientation)
        self._scene.wake(body)
        self._scene.set_velocity(body, velocity, STILL)
        self._slumber.disturb(body)
        self.absent.discard(body)

    def leave(self, body: int) -> None:
        """Someone goes; what rested on it falls."""
        self._wake_around(body)
        self._send_away(body)
        self._leaving.add(body)

    def set_velocity(self, body: int, velocity: Vector, spin: float) -> None:
        self._scene.wake(body)
        self._slumber.disturb(body)
        self._scene.set_velocity(body, velocity, (0.0, 0.0, spin))

    def state(self, body: int) -> State:
        """Position, orientation, velocity and spin."""
        self._scene.read_states([body], self._states)
        return self._states[body]

    def velocity(self, body: int) -> tuple[Sequence[float], Sequence[float]]:
        return self._scene.velocity(body)

    def position(self, body: int) -> Sequence[float]:
        return self._scene.position(body)

    def box(self, body: int) -> tuple[Sequence[float], Sequence[float]]:
        """The lower and the upper corner of a box around a body."""
        return self._scene.surrounding_box(body)

    @property
    def present(self) -> list[int]:
        """Those on stage that can move."""
        return [body for body in self._moving if body not in self.absent]

    @property
    def awake(self) -> list[int]:
        return self._slumber.awake

    @property
    def at_rest(self) -> bool:
        """Whether everything is asleep, so that nothing will change by itself."""
        return self._slumber.everyone

    def _send_away(self, body: int) -> None:
        self._scene.place(body, (-FAR_AWAY, FAR_AWAY * body, 0.0))
        self._slumber.put_to_bed(body)
        self.absent.add(body)
        for pair in [pair for pair in self._near if body in pair]:
            del self._near[pair]
            self._touching.discard(pair)

    def _wake_around(self, body: int) -> None:
        for neighbour in self._slumber.neighbours(body):
            if neighbour not in self.absent:
                self._scene.wake(neighbour)
                self._slumber.disturb(neighbour)


def _plane(velocity: Sequence[float]) -> Vector:
    return (velocity[0], velocity[1], 0.0)
