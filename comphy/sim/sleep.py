"""Who may sleep: bodies that have been slow for a while, together with all that they could touch."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from comphy.sim.body import Body
from comphy.sim.bullet import BulletScene
from comphy.sim.shapes import Sphere

REST_SPEED: Final = 0.03  # m/s, of balls: nothing stops them when they roll
REST_SPEED_WITH_EDGES: Final = 0.1  # m/s, of all others: friction would stop them; slender ones rock on their edges
REST_SPIN: Final = 0.035  # rad/s, two degrees
REST_LOOKS: Final = 3  # slow at so many looks in a row
NEAR: Final = 0.15  # metres; the engine wakes what is nearer than this, box to box
GAIN: Final = 3.0  # a body struck by faster and heavier ones leaves with at most so many times the top speed

Box = tuple[Sequence[float], Sequence[float]]


class Slumber:
    """Puts resting bodies of a planar world to sleep. It looks at fixed steps, so runs are the same however watched.

    A body sleeps when it and everybody near it have been slow at three looks, as in the engines that the planar
    benchmarks were made with. One that was woken by a neighbour moves, and is found out by that.
    """

    def __init__(self, scene: BulletScene, bodies: Sequence[Body]) -> None:
        self._scene = scene
        self._rest_speed_squared = {
            i: (REST_SPEED if isinstance(body.shape, Sphere) else REST_SPEED_WITH_EDGES) ** 2
            for i, body in enumerate(bodies)
            if not body.static
        }
        self._slow = dict.fromkeys(self._rest_speed_squared, 0)
        self._beds: dict[int, Box] = {}
        self._top_speed_squared = 0.0

    @property
    def awake(self) -> list[int]:
        return [body for body in self._slow if body not in self._beds]

    @property
    def everyone(self) -> bool:
        return len(self._beds) == len(self._slow)

    def undisturbed(self, seconds: float, gravity: float) -> bool:
        """Whether no one awake can come near a sleeper in a time so short."""
        if not self._beds:
            return True
        margin = NEAR + (GAIN * self._top_speed_squared**0.5 + gravity * seconds) * seconds
        boxes = [self._scene.surrounding_box(body) for body in self.awake]
        return not any(_near(box, bed, margin) for box in boxes for bed in self._beds.values())

    def disturb(self, body: int) -> None:
        """Someone was woken on purpose."""
        self._beds.pop(body, None)
        self._slow[body] = 0

    def put_to_bed(self, body: int) -> None:
        """Someone is to sleep at once, wherever it is."""
        self._scene.put_to_sleep(body)
        self._beds[body] = self._scene.surrounding_box(body)

    def neighbours(self, body: int) -> list[int]:
        """Those whose boxes are near a body's."""
        around = self._scene.surrounding_box(body)
        return [one for one in self._slow if one != body and _near(self._scene.surrounding_box(one), around, NEAR)]

    def look(self) -> None:
        """To be called at every look."""
        slow, beds, rest, velocity = self._slow, self._beds, self._rest_speed_squared, self._scene.velocity
        ready, fastest = False, 0.0
        for body, looks in slow.items():
            (vx, vy, _), (_, _, spin) = velocity(body)
            speed_squared = vx * vx + vy * vy
            if body in beds:
                if not speed_squared and not spin:
                    continue
                del beds[body]
                slow[body] = 0
            elif speed_squared < rest[body] and abs(spin) < REST_SPIN:
                slow[body] = looks + 1
                ready = ready or (looks + 1) % REST_LOOKS == 0
            else:
                slow[body] = 0
            fastest = max(fastest, speed_squared)
        self._top_speed_squared = fastest
        if ready:
            self._put_to_sleep()

    def _put_to_sleep(self) -> None:
        rested = {body for body, looks in self._slow.items() if looks >= REST_LOOKS}
        boxes = {body: self._scene.surrounding_box(body) for body in self._slow}
        for group in _groups(boxes):
            if group <= rested:
                for body in group.difference(self._beds):
                    self._scene.put_to_sleep(body)
                    self._beds[body] = boxes[body]


def _groups(boxes: dict[int, Box]) -> Iterable[set[int]]:
    """Bodies that are near each other, directly or through others."""
    group_of = {body: {body} for body in boxes}
    for a, b in combinations(boxes, 2):
        if group_of[a] is not group_of[b] and _near(boxes[a], boxes[b], NEAR):
            merged = group_of[a] | group_of[b]
            for body in merged:
                group_of[body] = merged
    return {id(group): group for group in group_of.values()}.values()


def _near(a: Box, b: Box, margin: float) -> bool:
    (a_left, a_bottom, _), (a_right, a_top, _) = a
    (b_left, b_bottom, _), (b_right, b_top, _) = b
    return (
        a_left - margin < b_right
        and b_left - margin < a_right
        and a_bottom - margin < b_top
        and b_bottom - margin < a_top
    )
