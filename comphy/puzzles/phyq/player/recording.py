"""`Recording`: how everything moves in a game, from its first shot until nothing moves, and what happens when."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from comphy.puzzles.phyq.world.catalog import EXPLOSIONS, Bird
from comphy.puzzles.phyq.world.constants import Point
from comphy.puzzles.phyq.world.game import FIRST_THING, Flyer, Game, Status
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import TNT

LINGERING: Final = 1.2  # seconds that are recorded after a game was won
STRIDE: Final = 2  # steps between the poses that are kept; what lies between them is drawn as their mean
Pose = tuple[float, float, float]  # of the centre of mass: metres, y up, and radians


@dataclass
class Track:
    """Poses of a body from frame `start` on, every `STRIDE` steps; before and after them it is where it was first and last.

    `gone`: the step in which it leaves the world.
    """

    start: int
    poses: list[Pose] = field(default_factory=list)
    gone: int | None = None

    def add(self, frame: int, pose: Pose) -> None:
        while self.start + len(self.poses) < frame:
            self.poses.append(self.poses[-1])
        self.poses.append(pose)

    def unwrapped(self) -> list[Pose]:
        """Angles go on beyond a full turn, so that what lies between two frames is their mean."""
        angles = np.unwrap([angle for _, _, angle in self.poses]).tolist()
        return [(x, y, angle) for (x, y, _), angle in zip(self.poses, angles, strict=True)]


@dataclass
class FlyerTrack(Track):
    """Of a bird or an egg. `touched`: the step of its first touch."""

    bird: Bird = Bird.RED
    egg: bool = False
    shot: int = 0
    touched: int | None = None


@dataclass(frozen=True)
class Blast:
    step: int
    place: Point
    radius: float


@dataclass(frozen=True)
class Recording:
    """`things` by their places in the level; those that never move have no track. `ready`: for each shot, the step from
    which the next bird may be shot, which is its bird's first touch or end; None if that was not seen. `end`: the step at
    which the status was known; the rest of the `steps` is to be looked at."""

    status: Status
    end: int
    steps: int
    pigs_left: int
    points: int
    things: dict[int, Track]
    flyers: tuple[FlyerTrack, ...]
    launches: tuple[int, ...]
    ready: tuple[int | None, ...]
    taps: tuple[int, ...]
    deaths: tuple[tuple[int, int], ...]  # steps and things
    blasts: tuple[Blast, ...]


def record(game: Game, shots: Sequence[Shot]) -> Recording:
    """Play the shots from the beginning, as far as the game lasts."""
    seen = _Watcher()
    game.play(shots, seen)
    end, points = game.world.steps, game.score
    if game.status is Status.WON:
        game.linger(LINGERING, seen)
    return Recording(
        status=game.status,
        end=end,
        steps=game.world.steps,
        pigs_left=game.pigs_left,
        points=points,
        things=seen.things,
        flyers=tuple(seen.flyers.values()),
        launches=tuple(game.record.launches),
        ready=tuple(_ready(seen.flyers.values(), shot) for shot in range(len(game.record.launches))),
        taps=tuple(game.record.taps),
        deaths=tuple((death.step, death.body - FIRST_THING) for death in game.record.deaths),
        blasts=tuple(_tnt_blasts(game)) + tuple(seen.blasts),
    )


class _Watcher:
    def __init__(self) -> None:
        self.things: dict[int, Track] = {}
        self.flyers: dict[int, FlyerTrack] = {}
        self.blasts: list[Blast] = []
        self._flying: dict[int, Flyer] = {}

    def __call__(self, game: Game) -> None:
        self._follow_flyers(game)
        if game.world.steps % STRIDE == 0:
            self._take_poses(game)
        for death in game.record.deaths:
            track = self._thing(game, death.body, game.world.steps // STRIDE)
            if track.gone is None and death.body in game.world.absent:
                track.gone = game.world.steps

    def _take_poses(self, game: Game) -> None:
        frame = game.world.steps // STRIDE
        for body in game.world.awake:
            if body in game.flying:
                self.flyers[body].add(frame, _pose(game, body))
            elif body < game.first_bird:
                self._thing(game, body, frame).add(frame, _pose(game, body))

    def _thing(self, game: Game, body: int, frame: int) -> Track:
        """Its track begins where it was before it moved."""
        number = body - FIRST_THING
        if number not in self.things:
            first = game.world.bodies[body]
            (x, y, _), (_, _, sin, cos) = first.position, first.orientation
            self.things[number] = Track(frame - 1, [(x, y, 2 * math.atan2(sin, cos))])
        return self.things[number]

    def _follow_flyers(self, game: Game) -> None:
        step = game.world.steps
        for body, flyer in game.flying.items():
            if body not in self.flyers:
                shot = game.record.launches.index(flyer.launched)
                self.flyers[body] = FlyerTrack(math.ceil(step / STRIDE), bird=flyer.bird, egg=flyer.egg, shot=shot)
            if flyer.touched and self.flyers[body].touched is None:
                self.flyers[body].touched = step
        for body, flyer in self._flying.items():
            if body not in game.flying:
                self._end(body, flyer, step)
        self._flying = dict(game.flying)

    def _end(self, body: int, flyer: Flyer, step: int) -> None:
        track = self.flyers[body]
        track.gone = step
        if flyer.explodes is not None and flyer.explodes <= step and track.poses:
            x, y, _ = track.poses[-1]
            self.blasts.append(Blast(step, (x, y), EXPLOSIONS["egg" if flyer.egg else "black"].radius))


def _pose(game: Game, body: int) -> Pose:
    (x, y, _), (_, _, sin, cos), _, _ = game.world.state(body)
    return (x, y, 2 * math.atan2(sin, cos))


def _ready(flyers: Iterable[FlyerTrack], shot: int) -> int | None:
    steps = [step for one in flyers if one.shot == shot for step in (one.touched, one.gone) if step is not None]
    return min(steps, default=None)


def _tnt_blasts(game: Game) -> Iterator[Blast]:
    for death in game.record.deaths:
        thing = game.level.things[death.body - FIRST_THING]
        if isinstance(thing, TNT):
            yield Blast(death.step, (thing.x, thing.y), EXPLOSIONS["TNT"].radius)
