"""Laws of motion fitted from rollouts alone, and how far they are from those fitted on the published annotations.

The published fit (CausalVis 2026, on 1,500 ComPhy training scenes) saw what annotations hold: locations and velocities
per frame, shapes, masses, charges and a collision list. The same procedure is followed here, so that like is compared
with like:

- deceleration of uncharged objects away from collisions, as constant + slope * speed, per shape;
- restitution as the median ratio of the speeds along the line of centres, three frames after and before a collision;
- contact distance as 0.95 times the median distance of the centres at the last frame before a collision.

Coulomb's constant is the exception: the deceleration is taken off first; otherwise friction, which holds resting
objects, would hide part of the force.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.scene.objects import FPS, ObjectSpec
from comphy.scene.vocabulary import Shape
from comphy.sim.rollout import Rollout

Floats = NDArray[np.float64]
ShapePair = tuple[Shape, Shape]

COLLISION_FRAMES: Final = 3  # frames on either side of a touch that are not free motion
FREE_DISTANCE: Final = 0.5  # between centres; nearer objects may be about to touch
FREE_SPEED: Final = 0.1  # slower objects may come to rest within a frame
APPROACH_SPEED: Final = 0.3  # along the line of centres; slower touches say little about restitution
COULOMB_FIELD: Final = 0.2  # 1 / distance^2 / mass; weaker forces drown in friction
CONTACT_SCALE: Final = 0.95
FEWEST_SAMPLES: Final = 10


@dataclass(frozen=True)
class Observation:
    """What an outsider knows of one run: the objects and their motion."""

    objects: tuple[ObjectSpec, ...]
    rollout: Rollout


@dataclass(frozen=True)
class Line:
    """A deceleration: constant + slope * speed."""

    constant: float
    slope: float
    samples: int = 0

    def at(self, speed: float) -> float:
        return self.constant + self.slope * speed


@dataclass(frozen=True)
class Estimate:
    value: float
    samples: int = 0


@dataclass(frozen=True)
class MotionLaws:
    """Fitted laws. What too few samples support is missing."""

    deceleration: Mapping[Shape, Line]
    contact_distance: Mapping[ShapePair, Estimate]
    restitution: Estimate | None
    coulomb: Estimate | None


PUBLISHED: Final = MotionLaws(
    deceleration={
        Shape.SPHERE: Line(0.0, 0.158),
        Shape.CUBE: Line(0.240, 0.152),
        Shape.CYLINDER: Line(0.232, 0.157),
    },
    contact_distance={
        (Shape.SPHERE, Shape.SPHERE): Estimate(0.411),
        (Shape.CYLINDER, Shape.CYLINDER): Estimate(0.404),
        (Shape.CYLINDER, Shape.SPHERE): Estimate(0.406),
        (Shape.CUBE, Shape.SPHERE): Estimate(0.435),
        (Shape.CUBE, Shape.CYLINDER): Estimate(0.434),
        (Shape.CUBE, Shape.CUBE): Estimate(0.464),
    },
    restitution=Estimate(0.166),
    coulomb=Estimate(0.138),
)


def fit_laws(observations: Sequence[Observation]) -> MotionLaws:
    """All laws from a collection of runs."""
    deceleration = fit_deceleration(observations)
    return MotionLaws(
        deceleration,
        fit_contact_distances(observations),
        fit_restitution(observations),
        fit_coulomb(observations, deceleration),
    )


def fit_deceleration(observations: Sequence[Observation]) -> dict[Shape, Line]:
    """Least squares of the deceleration along the path against the speed, over the free frames of uncharged objects."""
    samples: dict[Shape, list[Floats]] = defaultdict(list)
    for run in observations:
        velocity, acceleration = _motion(run.rollout)
        speed = np.linalg.norm(velocity, axis=-1)
        free = _free_frames(run.rollout) & (speed > FREE_SPEED)
        for i, spec in enumerate(run.objects):
            if spec.charge == 0:
                frames = free[:, i]
                braking = -(acceleration[frames, i] * velocity[frames, i]).sum(-1) / speed[frames, i]
                samples[spec.shape].append(np.stack([speed[frames, i], braking], -1))
    return {
        shape: _line(table)
        for shape, tables in samples.items()
        if len(table := np.concatenate(tables)) >= FEWEST_SAMPLES
    }


def fit_restitution(observations: Sequence[Observation]) -> Estimate | None:
    """Median of separating over approaching speed along the line of centres."""
    ratios = []
    for run in observations:
        position, velocity = run.rollout.positions[..., :2], run.rollout.velocities[..., :2]
        for frame, (i, j) in _touches(run.rollout):
            before, after = frame - COLLISION_FRAMES, frame + COLLISION_FRAMES
            if before < 0 or after >= len(run.rollout):
                continue
            line = position[frame, i] - position[frame, j]
            line /= np.linalg.norm(line)
            approaching = float((velocity[before, j] - velocity[before, i]) @ line)
            if approaching > APPROACH_SPEED:
                ratios.append(float((velocity[after, i] - velocity[after, j]) @ line) / approaching)
    return _median(ratios)


def fit_coulomb(observations: Sequence[Observation], deceleration: Mapping[Shape, Line]) -> Estimate | None:
    """Least squares of what the deceleration leaves of a charged object's acceleration against the unit-charge field."""
    products, squares, samples = 0.0, 0.0, 0
    for run in observations:
        velocity, acceleration = _motion(run.rollout)
        speed = np.linalg.norm(velocity, axis=-1)
        untouched = ~_touched_frames(run.rollout) & (speed > FREE_SPEED)
        for i, spec in enumerate(run.objects):
            if spec.charge == 0 or spec.shape not in deceleration:
                continue
            field = _field(run, i)
            frames = untouched[:, i] & (np.linalg.norm(field, axis=-1) > COULOMB_FIELD)
            braking = deceleration[spec.shape]
            heading = velocity[frames, i] / speed[frames, i, None]
            drawn = acceleration[frames, i] + heading * (braking.constant + braking.slope * speed[frames, i, None])
            products += float((drawn * field[frames]).sum())
            squares += float((field[frames] ** 2).sum())
            samples += int(frames.sum())
    return Estimate(products / squares, samples) if samples >= FEWEST_SAMPLES else None


def fit_contact_distances(observations: Sequence[Observation]) -> dict[ShapePair, Estimate]:
    """Scaled median distance of the centres at the last frame before a touch, per pair of shapes in alphabetic order."""
    distances: dict[ShapePair, list[float]] = defaultdict(list)
    for run in observations:
        for frame, (i, j) in _touches(run.rollout):
            if 0 < frame < len(run.rollout) - 1:
                a, b = sorted((run.objects[i].shape, run.objects[j].shape))
                offset = run.rollout.positions[frame, i, :2] - run.rollout.positions[frame, j, :2]
                distances[a, b].append(CONTACT_SCALE * float(np.linalg.norm(offset)))
    fits = {pair: _median(values) for pair, values in sorted(distances.items())}
    return {pair: fit for pair, fit in fits.items() if fit is not None}


def _touches(rollout: Rollout) -> Iterator[tuple[int, tuple[int, int]]]:
    """The last frame before each collision, and its pair."""
    for collision in rollout.collisions:
        yield collision.step // rollout.steps_per_frame, collision.pair


def _motion(rollout: Rollout) -> tuple[Floats, Floats]:
    """Velocities and accelerations [frames, objects, 2] in the ground plane; the end frames have no acceleration."""
    velocity = rollout.velocities[..., :2]
    acceleration = np.full_like(velocity, np.nan)
    acceleration[1:-1] = (velocity[2:] - velocity[:-2]) * (FPS / 2)
    return velocity, acceleration


def _touched_frames(rollout: Rollout) -> NDArray[np.bool_]:
    """[frames, objects]: whether a collision of the object is near in time, or the frame has no acceleration."""
    touched = np.zeros(rollout.positions.shape[:2], bool)
    touched[[0, -1]] = True
    for collision in rollout.collisions:
        first = max(0, collision.step // rollout.steps_per_frame - COLLISION_FRAMES)
        last = collision.last_step // rollout.steps_per_frame + 1 + COLLISION_FRAMES
        touched[first : last + 1, list(collision.pair)] = True
    return touched


def _free_frames(rollout: Rollout) -> NDArray[np.bool_]:
    """[frames, objects]: whether the object moves by itself, with nobody near in space or collision near in time."""
    offset = rollout.positions[:, :, None, :2] - rollout.positions[:, None, :, :2]
    distance = np.linalg.norm(offset, axis=-1)
    distance[:, range(distance.shape[1]), range(distance.shape[1])] = np.inf
    return ~_touched_frames(rollout) & (distance.min(axis=-1) > FREE_DISTANCE)


def _field(run: Observation, i: int) -> Floats:
    """[frames, 2]: the acceleration of object i that Coulomb's law gives for a constant of one."""
    field = np.zeros((len(run.rollout), 2))
    for j, other in enumerate(run.objects):
        if j != i and other.charge:
            offset = run.rollout.positions[:, i, :2] - run.rollout.positions[:, j, :2]
            distance = np.linalg.norm(offset, axis=-1, keepdims=True)
            field += run.objects[i].charge * other.charge * offset / distance**3
    return field / run.objects[i].mass


def _line(table: Floats) -> Line:
    speed, braking = table.T
    design = np.stack([np.ones_like(speed), speed], -1)
    constant, slope = np.linalg.lstsq(design, braking, rcond=None)[0]
    return Line(float(constant), float(slope), len(table))


def _median(values: Sequence[float]) -> Estimate | None:
    return Estimate(float(np.median(values)), len(values)) if len(values) >= FEWEST_SAMPLES else None


@dataclass(frozen=True)
class Comparison:
    """One row of the table; the deviation, in percent, has no meaning where the published value is zero."""

    law: str
    published: float
    ours: float
    samples: int

    @property
    def deviation(self) -> float | None:
        return 100.0 * (self.ours / self.published - 1.0) if self.published else None


def compare(ours: MotionLaws, published: MotionLaws = PUBLISHED) -> list[Comparison]:
    """Every law that both sides have. A line is compared by its coefficients and at speeds of 0.5 and 1."""
    rows = []
    for shape, theirs in published.deceleration.items():
        if (fit := ours.deceleration.get(shape)) is not None:
            rows += [
                Comparison(f"deceleration {shape}, constant", theirs.constant, fit.constant, fit.samples),
                Comparison(f"deceleration {shape}, per speed", theirs.slope, fit.slope, fit.samples),
                Comparison(f"deceleration {shape} at 0.5", theirs.at(0.5), fit.at(0.5), fit.samples),
                Comparison(f"deceleration {shape} at 1", theirs.at(1.0), fit.at(1.0), fit.samples),
            ]
    estimates: list[tuple[str, Estimate | None, Estimate | None]] = [
        ("restitution", published.restitution, ours.restitution),
        ("coulomb constant", published.coulomb, ours.coulomb),
    ]
    for (a, b), expected in published.contact_distance.items():
        estimates.append((f"contact distance {a}-{b}", expected, ours.contact_distance.get((a, b))))
    for name, their, our in estimates:
        if their is not None and our is not None:
            rows.append(Comparison(name, their.value, our.value, our.samples))
    return rows
