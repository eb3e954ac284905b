"""`SleepManager`: bodies that have been slow for a while are put to sleep, together with all that they could touch."""

from collections.abc import Iterable, Sequence
from typing import Final

from comphy.sim.body import Body
from comphy.sim.bullet.scene import BulletScene
from comphy.sim.shapes import Sphere

BLOCK_STEPS: Final = (
    16  # steps between two checks of who may sleep; a power of two, so that one engine call takes them all
)
REST_SPEED: Final = 0.03  # m/s, of balls: nothing stops them when they roll
REST_SPEED_WITH_EDGES: Final = 0.1  # m/s, of all others: friction would stop them; slender ones rock on their edges
REST_SPIN: Final = 0.035  # rad/s, two degrees
REST_CHECKS: Final = 3  # slow at so many checks in a row
NEAR: Final = 0.15  # metres; the engine wakes what is nearer than this, box to box
GAIN: Final = 3.0  # a body struck by faster and heavier ones leaves with at most so many times the top speed

Box = tuple[Sequence[float], Sequence[float]]  # lower and upper corner


class SleepManager:
    """Puts resting bodies of a planar world to sleep. It checks at fixed steps, so runs are the same however watched.

    A body sleeps when it and every body near it have been slow at three checks, as in Box2D, the engine that the planar
    benchmarks were made with. A body that a neighbour has woken moves, and is recognised by that.
    """

    def __init__(self, scene: BulletScene, bodies: Sequence[Body]) -> None:
        self._scene = scene
        self._rest_speed_squared = {
            i: (REST_SPEED if isinstance(body.shape, Sphere) else REST_SPEED_WITH_EDGES) ** 2
            for i, body in enumerate(bodies)
            if not body.static
        }
        self._slow_checks = dict.fromkeys(self._rest_speed_squared, 0)
        self._sleepers: dict[int, Box] = {}
        self._away: set[int] = set()
        self._top_speed_squared = 0.0

    @property
    def awake(self) -> list[int]:
        return [body for body in self._slow_checks if body not in self._sleepers]

    @property
    def all_asleep(self) -> bool:
        return len(self._sleepers) == len(self._slow_checks)

    def cannot_wake(self, seconds: float, gravity: float) -> bool:
        """Whether no body that is awake can come near a sleeping one in a time so short."""
        if not self._sleepers:
            return True
        margin = NEAR + (GAIN * self._top_speed_squared**0.5 + gravity * seconds) * seconds
        boxes = [self._scene.bounding_box(body) for body in self.awake]
        return not any(near(box, sleeper, margin) for box in boxes for sleeper in self._sleepers.values())

    def mark_awake(self, body: int) -> None:
        """The caller has woken a body in the engine."""
        self._sleepers.pop(body, None)
        self._away.discard(body)
        self._slow_checks[body] = 0

    def force_sleep(self, body: int) -> None:
        """Put a body to sleep at once, wherever it is."""
        self._scene.put_to_sleep(body)
        self._sleepers[body] = self._scene.bounding_box(body)

    def send_to_sleep_away(self, body: int) -> None:
        """Put a body to sleep that is out of the world: it is nobody's neighbour until it is woken."""
        self.force_sleep(body)
        self._away.add(body)

    @property
    def sleeping_boxes(self) -> list[Box]:
        """Around those that sleep in the world."""
        return [box for body, box in self._sleepers.items() if body not in self._away]

    def neighbours(self, body: int) -> list[int]:
        """The bodies whose boxes are near a body's."""
        around, box = self._scene.bounding_box(body), self._scene.bounding_box
        others = (one for one in self._slow_checks if one != body and one not in self._away)
        return [one for one in others if near(box(one), around, NEAR)]

    def check(self) -> None:
        """Find out who was woken and who may sleep; to be called every `BLOCK_STEPS` steps."""
        slow, sleepers, rest, velocity = (
            self._slow_checks,
            self._sleepers,
            self._rest_speed_squared,
            self._scene.velocity,
        )
        ready, fastest = False, 0.0
        for body, checks in slow.items():
            (vx, vy, _), (_, _, spin) = velocity(body)
            speed_squared = vx * vx + vy * vy
            if body in sleepers:
                if not speed_squared and not spin:
                    continue
                del sleepers[body]
                slow[body] = 0
            elif speed_squared < rest[body] and abs(spin) < REST_SPIN:
                slow[body] = checks + 1
                ready = ready or (checks + 1) % REST_CHECKS == 0
            else:
                slow[body] = 0
            fastest = max(fastest, speed_squared)
        self._top_speed_squared = fastest
        if ready:
            self._put_to_sleep()

    def _put_to_sleep(self) -> None:
        rested = {body for body, checks in self._slow_checks.items() if checks >= REST_CHECKS}
        boxes = {body: self._scene.bounding_box(body) for body in self._slow_checks if body not in self._away}
        for group in _groups(boxes):
            if group <= rested:
                for body in group.difference(self._sleepers):
                    self._scene.put_to_sleep(body)
                    self._sleepers[body] = boxes[body]


def _groups(boxes: dict[int, Box]) -> Iterable[set[int]]:
    """Islands: bodies that are near each other, directly or through others. Boxes are compared from left to right."""
    group_of = {body: {body} for body in boxes}
    open_boxes: list[int] = []
    for a in sorted(boxes, key=lambda body: boxes[body][0][0]):
        left = boxes[a][0][0] - NEAR
        open_boxes = [b for b in open_boxes if boxes[b][1][0] > left]
        for b in open_boxes:
            if group_of[a] is not group_of[b] and near(boxes[a], boxes[b], NEAR):
                merged = group_of[a] | group_of[b]
                for body in merged:
                    group_of[body] = merged
        open_boxes.append(a)
    return {id(group): group for group in group_of.values()}.values()


def near(a: Box, b: Box, margin: float) -> bool:
    (a_left, a_bottom, _), (a_right, a_top, _) = a
    (b_left, b_bottom, _), (b_right, b_top, _) = b
    return (
        a_left - margin < b_right
        and b_left - margin < a_right
        and a_bottom - margin < b_top
        and b_bottom - margin < a_top
    )
