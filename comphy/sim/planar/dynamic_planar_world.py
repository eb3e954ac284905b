"""`DynamicPlanarWorld`: a planar world in which bodies enter and leave during a run, and new touches are reported."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comphy.sim.body import Body, State
from comphy.sim.bullet import Engine
from comphy.sim.bullet.bodies import PLANAR_ITERATIONS
from comphy.sim.bullet.scene import FAR_AWAY, STILL
from comphy.sim.contacts import Pair
from comphy.sim.planar.planar_world import PlanarWorld
from comphy.sim.planar.sleep import BLOCK_STEPS, NEAR, Box, near
from comphy.sim.shapes import IDENTITY, Quaternion, Vector

TOUCH_SLACK: Final = 0.005  # metres; nearer than this is touching
PARTED: Final = 0.01  # metres; a touch that was this wide open may begin again
MOST_FLYERS: Final = 3  # bodies in the air; where more move, they are rarely alone
OFF_PLANE: Final = 0.002  # metres
QUIET: Final = 0.05  # m/s; touches of bodies that are both slower are not reported


@dataclass(frozen=True)
class Touch:
    """Two bodies that have begun to touch, the velocity of each just before, and when the blow is over, a step later."""

    pair: Pair
    velocities: tuple[Vector, Vector]
    afterwards: tuple[Vector, Vector]


class DynamicPlanarWorld(PlanarWorld):
    """Bodies in the x-y plane, some of them present from the start, the others absent until they `enter`.

    A run is what follows `start`; it depends on the bodies and on what is done to them alone, bit by bit, not on earlier
    runs. All numbers of bodies are places in `bodies`. Those in `initially_absent` wait far outside.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        initially_absent: Sequence[int] = (),
        *,
        timestep: float,
        gravity: Vector,
        engine: Engine | None = None,
        iterations: int = PLANAR_ITERATIONS,
    ) -> None:
        super().__init__(bodies, timestep=timestep, gravity=gravity, engine=engine, iterations=iterations)
        self._scene.begins_asleep = True
        self._initially_absent = tuple(initially_absent)
        self._near: dict[Pair, tuple[Vector, Vector]] = {}
        self._near_of: dict[int, set[Pair]] = {}
        self._static_boxes: list[Box] = []
        self._touching: set[Pair] = set()
        self._begun: list[Pair] = []
        self._rests: frozenset[Pair] | None = None
        self._leaving: set[int] = set()
        self._left: list[int] = []
        self._heights: dict[int, float] = {}
        self.absent: set[int] = set()
        self.steps = 0

    def start(self, asleep: bool = False) -> None:
        """Begin a run: every body where it was at first. `asleep`: until an awake one comes near, none of them moves."""
        self._start()
        self._near, self._touching, self._begun, self.steps = {}, set(), [], 0
        self._near_of = {body: set() for body in range(len(self.bodies))}
        self._leaving, self._left, self.absent = set(), [], set()
        self._heights = {body: FAR_AWAY * k for k, body in enumerate(self._moving, 1)}
        for body in self._initially_absent:
            self._send_away(body)
        self._touching = self._touching_at_first()
        for pair in self._touching:
            self._come_near(pair, (STILL, STILL))
        if asleep:
            for body in self.present:
                self._sleep.force_sleep(body)

    def step(self) -> list[Touch]:
        """Go on by one step, and tell which touches have begun in the step before it."""
        self.steps += 1
        if self.asleep:
            return self._reported()
        before = self._scene.velocities(self.awake)
        self._scene.step(1)
        for body in self._leaving.intersection(self.absent):
            self._send_away(body)  # again: in this step the engine has woken it, by the memory of its contacts
        self._leaving = set()
        touches = self._reported()
        self._begun = self._begun_touches(before)
        if self.steps % BLOCK_STEPS == 0:
            self._check()
        return touches

    def fly(self) -> bool:
        """Go on by `BLOCK_STEPS` steps in one call of the engine, if nothing can touch or wake anything in them.

        That is so where all that moves is alone in the air. The same run, to the bit, as step by step.
        """
        if self.steps % BLOCK_STEPS or self._begun or self._leaving or not self._is_alone():
            return False
        self._scene.step(BLOCK_STEPS)
        self.steps += BLOCK_STEPS
        self._check()
        return True

    def _is_alone(self) -> bool:
        """Whether each of the few that move is so far from all others that it meets none within a block of steps."""
        awake = self.awake
        if not 0 < len(awake) <= MOST_FLYERS or any(self._near_of[body] for body in awake):
            return False
        seconds = BLOCK_STEPS * self.timestep
        others = [*self._static_boxes, *self._sleep.sleeping_boxes]
        group = self.bodies[awake[0]].collision_group  # whose members do not touch each other
        strangers = not group or any(self.bodies[body].collision_group != group for body in awake)
        for body in awake:
            (vx, vy, _), _ = self._scene.velocity(body)
            box = self.bounding_box(body)
            margin = NEAR + (math.hypot(vx, vy) + self._gravity * seconds) * seconds
            if any(near(box, other, margin) for other in others):
                return False
            if strangers:
                others.append(_grown(box, margin))
        return True

    def _check(self) -> None:
        """Who may sleep; and whoever was pushed a little out of the plane is put back."""
        self._sleep.check()
        for body in self.awake:
            (x, y, z), orientation, velocity, (_, _, spin) = self.state(body)
            if abs(z) > OFF_PLANE and body not in self.absent:
                self._scene.place(body, (x, y, 0.0), (orientation[0], orientation[1], orientation[2], orientation[3]))
                self._scene.set_velocity(body, _plane(velocity), (0.0, 0.0, spin))

    def _touching_at_first(self) -> set[Pair]:
        """Those that touch each other where they are at first, which is no blow; worked out in the first run."""
        if self._rests is None:
            boxes = [self.bounding_box(body) for body in range(len(self.bodies))]
            self._static_boxes = [boxes[i] for i, body in enumerate(self.bodies) if body.static]
            pairs = [
                (one, other) for other in self.present for one in range(len(self.bodies)) if one not in self.absent
            ]
            self._rests = frozenset(
                (min(pair), max(pair))
                for pair in pairs
                if pair[0] != pair[1]
                and near(boxes[pair[0]], boxes[pair[1]], PARTED)
                and self._scene.gap_within(*pair, PARTED) < PARTED
            )
        return set(self._rests)

    def _reported(self) -> list[Touch]:
        """The engine solves a blow in the step after the one in which the two came to touch."""
        begun, self._begun = self._begun, []
        return [Touch(pair, self._near[pair], (self._motion(pair[0]), self._motion(pair[1]))) for pair in begun]

    def _motion(self, body: int) -> Vector:
        return STILL if self.bodies[body].static else _plane(self._scene.velocity(body)[0])

    def _begun_touches(self, before: dict[int, Sequence[float]]) -> list[Pair]:
        """A touch counts with the velocities of the step in which the two came near: the engine brakes them after it.

        Contacts are the costliest thing to ask for, so only those of quick bodies are.
        """
        gaps: dict[Pair, float] = {}
        quick = [body for body, (vx, vy, _) in before.items() if vx * vx + vy * vy > QUIET * QUIET]
        for body in quick:
            self._scene.collect_gaps(body, gaps)
        for body in quick:
            for pair in [pair for pair in self._near_of[body] if pair not in gaps]:
                self._forget(pair)
        begun = []
        for pair in sorted(gaps):
            gap = gaps[pair]
            if pair not in self._near or gap > PARTED:
                self._touching.discard(pair)
                self._come_near(pair, (_plane(before.get(pair[0], STILL)), _plane(before.get(pair[1], STILL))))
            if gap < TOUCH_SLACK and pair not in self._touching:
                self._touching.add(pair)
                begun.append(pair)
                for body in pair:
                    if body not in before and not self.bodies[body].static:
                        self._sleep.mark_awake(body)  # the engine has woken it
        return begun

    def _come_near(self, pair: Pair, velocities: tuple[Vector, Vector]) -> None:
        self._near[pair] = velocities
        for body in pair:
            self._near_of[body].add(pair)

    def _forget(self, pair: Pair) -> None:
        del self._near[pair]
        for body in pair:
            self._near_of[body].discard(pair)
        self._touching.discard(pair)
        if pair in self._begun:
            self._begun.remove(pair)

    def enter(self, body: int, position: Vector, velocity: Vector, orientation: Quaternion = IDENTITY) -> None:
        """A body that was absent enters the world."""
        self._scene.place(body, position, orientation)
        self._scene.wake(body)
        self._scene.set_velocity(body, velocity, STILL)
        self._sleep.mark_awake(body)
        self.absent.discard(body)

    def leave(self, body: int) -> None:
        """A body leaves the world; what rested on it falls."""
        self._wake_around(body)
        self._heights[body] = -FAR_AWAY * (2 * len(self._moving) - len(self._left))
        self._left.append(body)
        self._send_away(body)
        self._leaving.add(body)

    def set_velocity(self, body: int, velocity: Vector, spin: float) -> None:
        self._scene.wake(body)
        self._sleep.mark_awake(body)
        self._scene.set_velocity(body, velocity, (0.0, 0.0, spin))

    def state(self, body: int) -> State:
        """Position, orientation, velocity and spin of one body."""
        self._scene.read_states([body], self._states)
        return self._states[body]

    def velocity(self, body: int) -> tuple[Sequence[float], Sequence[float]]:
        """Linear and angular."""
        return self._scene.velocity(body)

    def position(self, body: int) -> Sequence[float]:
        return self._scene.position(body)

    @property
    def present(self) -> list[int]:
        """The bodies in the world that can move."""
        return [body for body in self._moving if body not in self.absent]

    def _send_away(self, body: int) -> None:
        """Straight out of the plane. For a step its box reaches from the plane to there, and what it overlaps wakes. So
        those that wait to enter are on one side, and on the other side nobody passes those that have left before."""
        x, y, _ = self._scene.position(body)
        self._scene.place(body, (x, y, self._heights[body]))
        self._sleep.send_to_sleep_away(body)
        self.absent.add(body)
        for pair in list(self._near_of[body]):
            self._forget(pair)

    def _wake_around(self, body: int) -> None:
        for neighbour in self._sleep.neighbours(body):
            self._scene.wake(neighbour)
            self._sleep.mark_awake(neighbour)


def _grown(box: Box, margin: float) -> Box:
    (left, bottom, back), (right, top, front) = box
    return (left - margin, bottom - margin, back), (right + margin, top + margin, front)


def _plane(velocity: Sequence[float]) -> Vector:
    return (velocity[0], velocity[1], 0.0)
