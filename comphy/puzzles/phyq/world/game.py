"""`Game`: plays a level in the physics engine and applies the rules for birds, damage and score."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from comphy.puzzles.phyq.world.catalog import (
    BLOCK_POINTS,
    BOOST,
    EGG_SPEED,
    EXPLOSIONS,
    LIGHTENED,
    PIG_POINTS,
    SPLIT_DEGREES,
    UNUSED_BIRD_POINTS,
    Bird,
    Explosion,
)
from comphy.puzzles.phyq.world.constants import (
    DOWN,
    FULL_GRAVITY,
    GRAVITY,
    ITERATIONS,
    PLATFORM_MASS,
    SLINGSHOT,
    TIMESTEP,
    WORLD_LEFT,
    WORLD_RIGHT,
    Point,
)
from comphy.puzzles.phyq.world.damage import blow_of_bird, blunt_blow, life_of, points_of_hit, runs_on
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import TNT, Block, Level, Pig, Platform
from comphy.puzzles.phyq.world.physics import GROUND_BODY, bird_body, egg_body, thing_body
from comphy.puzzles.phyq.world.record import Contact, Death, Record
from comphy.sim.body import Body
from comphy.sim.bullet import Engine
from comphy.sim.planar.dynamic_planar_world import DynamicPlanarWorld, Touch
from comphy.sim.planar.sleep import BLOCK_STEPS
from comphy.sim.shapes import Vector
from comphy.sim.simulated_world import EngineUser

GROUND_NUMBER: Final = 0
FIRST_THING: Final = 1
DEATH_THROES: Final = {Pig: 0.2, Block: 0.5}  # seconds from destruction to removal from the world
BIRD_SECONDS: Final = 20.0  # from its launch to the removal of a bird, at the latest
HARMLESS: Final = 0.25  # m/s; a bird that has hit something and is slower is removed
SHOT_SECONDS: Final = 30.0  # maximum duration of the simulation after a shot
FUSE_SECONDS: Final = 0.5  # from a black bird's first touch to its explosion
POWER_DISTANCE: Final = 2.0  # from the slingshot, before which a bird cannot use its power
POWERS: Final = frozenset((Bird.YELLOW, Bird.BLUE, Bird.WHITE, Bird.BLACK))


class Status(StrEnum):
    PLAYING = "playing"
    WON = "won"
    LOST = "lost"


@dataclass
class Flyer:
    """A bird in flight, one of the three of a split blue bird, or an egg."""

    bird: Bird
    body: int
    launched: int  # step
    tap: int | None  # step
    touched: bool = False
    tapped: bool = False
    egg: bool = False
    explodes: int | None = None  # step

    @property
    def spent(self) -> bool:
        """Whether it has hit something and will not explode."""
        return self.touched and self.explodes is None


@dataclass
class Tally:
    """The state of a run: hit points by body, destroyed bodies, remaining pigs, and points."""

    life: dict[int, float]
    dying: dict[int, int] = field(default_factory=dict)  # body: step at which it is removed
    pigs: set[int] = field(default_factory=set)
    points: int = 0


Watcher = Callable[["Game"], None]


class Game(EngineUser):
    """A level that can be played repeatedly; the outcome is a deterministic function of level and shots, bit for bit.

    A level begins at rest, as it was saved: everything sleeps until something that is awake comes near.

    Args:
        level: what stands where, and which birds there are.
        engine: an engine to use; by default the game opens one of its own, and closes it at the end."""

    def __init__(self, level: Level, engine: Engine | None = None) -> None:
        super().__init__(engine)
        self.level = level
        scene = (GROUND_BODY, *map(thing_body, level.things))
        self.first_bird = len(scene)
        reserves = tuple(_reserves(level.birds))
        waiting = range(self.first_bird, self.first_bird + len(reserves))
        self.world = DynamicPlanarWorld(
            (*scene, *reserves),
            waiting,
            timestep=TIMESTEP,
            gravity=DOWN,
            engine=self._engine,
            iterations=ITERATIONS,
        )
        self.restart()

    def restart(self) -> None:
        """Go back to the beginning: everything stands as at first, and no bird has been shot."""
        self.world.start(asleep=True)
        self.record = Record()
        things = dict(enumerate(self.level.things, FIRST_THING))
        self._things = {body: thing for body, thing in things.items() if not isinstance(thing, Platform)}
        pigs = {body for body, thing in things.items() if isinstance(thing, Pig)}
        self._tally = Tally({body: life_of(thing) for body, thing in self._things.items()}, pigs=pigs)
        self.flying: dict[int, Flyer] = {}
        self._birds = iter(self.level.birds)
        self._reserve = self.first_bird
        self.birds_left = len(self.level.birds)
        self.status = Status.PLAYING

    @property
    def pigs_left(self) -> int:
        """How many pigs are left."""
        return len(self._tally.pigs)

    @property
    def pig_life(self) -> float:
        """The remaining hit points of all pigs together."""
        return math.fsum(self._tally.life[pig] for pig in sorted(self._tally.pigs))

    @property
    def score(self) -> int:
        """Points so far; those of unused birds are added when the game is won."""
        unused = UNUSED_BIRD_POINTS * self.birds_left if self.status is Status.WON else 0
        return self._tally.points + unused

    def play(self, shots: Sequence[Shot], watcher: Watcher | None = None) -> Status:
        """Restart and play shots until the game is won or lost.

        Args:
            shots: one for each bird, in order.
            watcher: called with the game after each step.

        Returns:
            The status after the last shot."""
        self.restart()
        for shot in shots:
            if self.status is not Status.PLAYING:
                break
            self.shoot(shot, watcher)
        return self.status

    def shoot(self, shot: Shot, watcher: Watcher | None = None) -> Status:
        """Shoot the next bird and simulate until the world is at rest or `shot.watch` is over.

        Args:
            shot: how to shoot it.
            watcher: called with the game after each step.

        Returns:
            The new status.

        Raises:
            ValueError: if the game is over."""
        if self.status is not Status.PLAYING:
            raise ValueError(f"Expected a game that is not over (got one that is {self.status}). Restart it.")
        self.record.launches.append(self.world.steps)
        self._launch(next(self._birds), shot)
        self.birds_left -= 1
        longest = SHOT_SECONDS if shot.watch is None or not self.birds_left else shot.watch
        end = self.world.steps + round(longest / TIMESTEP)
        while self.world.steps < end:
            if watcher is not None or not self._fly(end):
                self._step()
            if watcher is not None:
                watcher(self)
            if not self._tally.pigs or (self.world.asleep and not self._tally.dying):
                break
        if not self._tally.pigs:
            self.status = Status.WON
        elif not self.birds_left:
            self.status = Status.LOST
        return self.status

    def linger(self, seconds: float, watcher: Watcher) -> None:
        """Simulate what follows the end of a game, to be looked at: its status stays as it is.

        Args:
            seconds: how long.
            watcher: called with the game after each step."""
        for _ in range(round(seconds / TIMESTEP)):
            self._step()
            watcher(self)

    def _launch(self, bird: Bird, shot: Shot) -> None:
        tap = None if shot.tap is None else self.world.steps + round(shot.tap / TIMESTEP)
        flyer = Flyer(bird, self._reserve, self.world.steps, tap)
        self._reserve += 1 + _companions(bird)
        vx, vy = shot.velocity
        half_a_step = GRAVITY * TIMESTEP / 2  # puts the steps of semi-implicit Euler on the exact parabola
        self._enter(flyer, (*shot.start, 0.0), (vx, vy + half_a_step, 0.0))

    def _enter(self, flyer: Flyer, position: Vector, velocity: Vector) -> None:
        self.world.enter(flyer.body, position, velocity)
        self.flying[flyer.body] = flyer

    def _fly(self, end: int) -> bool:
        """A block of steps at once, where nothing happens but flight."""
        now = self.world.steps
        if now % BLOCK_STEPS or now + BLOCK_STEPS > end:
            return False
        events = [*self._tally.dying.values()]
        for flyer in self.flying.values():
            if flyer.egg:
                return False
            if flyer.tap is not None and not (flyer.touched or flyer.tapped):
                events.append(flyer.tap)
            if flyer.explodes is not None:
                events.append(flyer.explodes)
        if any(event < now + BLOCK_STEPS for event in events) or not self.world.fly():
            return False
        self._after_step()
        return True

    def _step(self) -> None:
        for touch in self.world.step():
            self._feel(touch)
        self._after_step()

    def _after_step(self) -> None:
        now = self.world.steps
        for flyer in list(self.flying.values()):
            if flyer.egg:
                self._pull_down(flyer)
            if flyer.tap is not None and now >= flyer.tap and not (flyer.touched or flyer.tapped):
                self._use_power(flyer)
            if flyer.explodes is not None and now >= flyer.explodes:
                self._blow_up(flyer)
            elif now % BLOCK_STEPS == 0 and self._done(flyer, now):
                self._remove_bird(flyer)
        for body in [body for body, end in self._tally.dying.items() if now >= end]:
            del self._tally.dying[body]
            self.world.leave(body)
        if now % BLOCK_STEPS == 0:
            self._lose_what_left_the_world()

    def _done(self, flyer: Flyer, now: int) -> bool:
        if now - flyer.launched >= BIRD_SECONDS / TIMESTEP:
            return True
        (x, _, _), _, (vx, vy, _), _ = self.world.state(flyer.body)
        too_slow = flyer.spent and math.hypot(vx, vy) < HARMLESS
        return too_slow or not WORLD_LEFT < x < WORLD_RIGHT

    def _remove_bird(self, flyer: Flyer) -> None:
        self.world.leave(flyer.body)
        del self.flying[flyer.body]

    def _pull_down(self, egg: Flyer) -> None:
        (vx, vy, _), (_, _, spin) = self.world.velocity(egg.body)
        self.world.set_velocity(egg.body, (vx, vy - (FULL_GRAVITY - GRAVITY) * TIMESTEP, 0.0), spin)

    def _feel(self, touch: Touch) -> None:
        a, b = touch.pair
        if a in self.world.absent or b in self.world.absent:
            return
        before, after = _difference(*touch.velocities), _difference(*touch.afterwards)
        speed = math.hypot(*before)
        places = (self._place(a), self._place(b))
        runs_on_past = runs_on(before, after)
        self.record.contacts.append(Contact(self.world.steps, touch.pair, speed, places))
        for body, other in ((a, b), (b, a)):
            if flyer := self.flying.get(body):
                self._bump(flyer)
            elif body in self._tally.life:
                self._hurt(body, self._blow(body, other, speed, runs_on_past), by=other, speed=speed)

    def _place(self, body: int) -> Point:
        x, y, _ = self.world.position(body)
        return (x, y)

    def _bump(self, flyer: Flyer) -> None:
        flyer.touched = True
        if flyer.explodes is None and flyer.egg:
            flyer.explodes = self.world.steps
        elif flyer.explodes is None and flyer.bird is Bird.BLACK:
            flyer.explodes = self.world.steps + round(FUSE_SECONDS / TIMESTEP)

    def _blow(self, body: int, other: int, speed: float, runs_on_past: bool) -> float:
        thing, flyer = self._things[body], self.flying.get(other)
        if flyer is not None and not flyer.egg and isinstance(thing, Block):
            return blow_of_bird(flyer.bird, speed, thing)
        attacker = other if runs_on_past and other != GROUND_NUMBER else body
        mass = PLATFORM_MASS if self.world.bodies[attacker].static else self.world.bodies[attacker].mass
        return blunt_blow(speed, mass, thing)

    def _hurt(self, body: int, damage: float, by: int | None = None, speed: float = 0.0) -> None:
        if damage <= 0.0:
            return
        tally = self._tally
        tally.life[body] -= damage
        if tally.life[body] <= 0.0:
            self._die(body, by)
        elif by in self.flying:
            tally.points += points_of_hit(self._things[body], speed, damage)

    def _die(self, body: int, by: int | None = None, at_once: bool = False) -> None:
        tally, thing = self._tally, self._things[body]
        self.record.deaths.append(Death(self.world.steps, body, by))
        del tally.life[body]
        tally.points += PIG_POINTS if isinstance(thing, Pig) else BLOCK_POINTS
        tally.pigs.discard(body)
        if isinstance(thing, TNT):
            x, y, _ = self.world.position(body)
            self.world.leave(body)
            self._explode(x, y, EXPLOSIONS["TNT"])
        elif at_once:
            self.world.leave(body)
        else:
            tally.dying[body] = self.world.steps + round(DEATH_THROES[type(thing)] / TIMESTEP)

    def _lose_what_left_the_world(self) -> None:
        for body in self.world.awake:
            if body in self._tally.life:
                (left, _, _), (right, _, _) = self.world.bounding_box(body)
                if right < WORLD_LEFT or left > WORLD_RIGHT:
                    self._die(body, at_once=True)

    def _use_power(self, flyer: Flyer) -> None:
        (x, y, _), _, (vx, vy, _), _ = self.world.state(flyer.body)
        if x < SLINGSHOT[0] + POWER_DISTANCE:
            return
        flyer.tapped = True
        self.record.taps.append(self.world.steps)
        speed = max(math.hypot(vx, vy), 1e-9)
        match flyer.bird:
            case Bird.YELLOW:
                faster = 1.0 + BOOST / self.world.bodies[flyer.body].mass / speed
                self.world.set_velocity(flyer.body, (vx * faster, vy * faster, 0.0), 0.0)
            case Bird.BLUE:
                heading = math.atan2(vy, vx)
                for k, degrees in enumerate(SPLIT_DEGREES):
                    angle = heading + math.radians(degrees)
                    child = replace(flyer, body=flyer.body + k)
                    self._enter(child, (x, y, 0.0), (speed * math.cos(angle), speed * math.sin(angle), 0.0))
            case Bird.WHITE:
                egg = replace(flyer, body=flyer.body + 1, egg=True)
                self._enter(egg, (x, y, 0.0), (vx, vy - EGG_SPEED, 0.0))
                up = LIGHTENED / self.world.bodies[flyer.body].mass
                self.world.set_velocity(flyer.body, (vx, vy + up, 0.0), 0.0)
            case Bird.BLACK:
                flyer.explodes = self.world.steps

    def _blow_up(self, flyer: Flyer) -> None:
        x, y, _ = self.world.position(flyer.body)
        self._remove_bird(flyer)
        self._explode(x, y, EXPLOSIONS["egg" if flyer.egg else "black"])

    def _explode(self, x: float, y: float, explosion: Explosion) -> None:
        reached = []
        for body in list(self._tally.life):
            bx, by, _ = self.world.position(body)
            distance = math.hypot(bx - x, by - y)
            if distance < explosion.radius:
                reached.append((body, bx - x, by - y, distance, 1.0 - distance / explosion.radius))
        for body, dx, dy, distance, share in reached:
            push = explosion.impulse * share / self.world.bodies[body].mass / max(distance, 1e-9)
            (vx, vy, _), (_, _, spin) = self.world.velocity(body)
            self.world.set_velocity(body, (vx + push * dx, vy + push * dy, 0.0), spin)
        for body, _, _, _, share in reached:
            if body in self._tally.life:
                self._hurt(body, explosion.damage * share)


def _companions(bird: Bird) -> int:
    """How many additional bodies a bird can turn into."""
    return {Bird.BLUE: len(SPLIT_DEGREES) - 1, Bird.WHITE: 1}.get(bird, 0)


def _reserves(birds: Sequence[Bird]) -> Iterator[Body]:
    for bird in birds:
        yield bird_body(bird)
        for _ in range(_companions(bird)):
            yield egg_body() if bird is Bird.WHITE else bird_body(bird)


def _difference(one: Vector, other: Vector) -> Point:
    return (one[0] - other[0], one[1] - other[1])
