"""Draws reference videos: two or three of the target's objects, aimed to interact within two seconds, in view."""

import math

import numpy as np

from comphy.scene.camera import Camera
from comphy.scene.objects import REFERENCE_FRAMES, REFERENCES_PER_SET, ObjectSpec, Video
from comphy.scene.vocabulary import HEAVY_MASS
from data_gen.sampling.placement import Path, arriving, draw_yaw, resting, stage_point

Pair = tuple[int, int]


def plan_casts(rng: np.random.Generator, objects: tuple[ObjectSpec, ...]) -> list[tuple[Pair, tuple[int, ...]]]:
    """For each reference the pair that is to interact and the whole cast; together they show every object.

    The charged pair and the heavy object get an interaction of their own, for without one nobody could tell.
    """
    pairs = _revealing_pairs(rng, objects)
    missing = [int(k) for k in rng.permutation(len(objects)) if all(k not in pair for pair in pairs)]
    while len(pairs) < REFERENCES_PER_SET:
        later = REFERENCES_PER_SET - len(pairs) - 1
        a = missing.pop() if missing else int(rng.integers(len(objects)))
        others = missing if len(missing) > later else [k for k in range(len(objects)) if k != a]
        new = [k for k in others if (a, k) not in pairs and (k, a) not in pairs]
        b = int(rng.choice(new or others))
        missing = [k for k in missing if k != b]
        pairs.append((a, b))
    return [(pairs[k], _cast(rng, pairs[k], len(objects))) for k in rng.permutation(len(pairs))]


def _revealing_pairs(rng: np.random.Generator, objects: tuple[ObjectSpec, ...]) -> list[Pair]:
    pairs: list[Pair] = []
    charged = [k for k, spec in enumerate(objects) if spec.charge]
    if charged:
        pairs.append((charged[0], charged[1]))
    heavy = [k for k, spec in enumerate(objects) if spec.mass == HEAVY_MASS]
    if heavy:
        pairs.append((heavy[0], int(rng.choice([k for k in range(len(objects)) if k != heavy[0]]))))
    return pairs


def _cast(rng: np.random.Generator, pair: Pair, count: int) -> tuple[int, ...]:
    """The pair and, in half of the references, one more object."""
    others = [k for k in range(count) if k not in pair]
    extra = [int(rng.choice(others))] if others and rng.random() < 0.5 else []
    return tuple(sorted([*pair, *extra]))


def draw_reference(
    rng: np.random.Generator, objects: tuple[ObjectSpec, ...], pair: Pair, cast: tuple[int, ...], camera: Camera
) -> Video:
    """One attempt at a reference in which `pair` interacts."""
    paths: dict[int, Path] = {}
    a, b = (pair[0], pair[1]) if rng.random() < 0.5 else (pair[1], pair[0])
    if objects[a].charge and objects[b].charge:
        paths[a], paths[b] = _side_by_side(rng, objects[a], objects[b], camera)
    else:
        paths[a], paths[b] = _collision_course(rng, objects[a], objects[b], camera)
    for k in cast:
        if k not in paths:
            slow = arriving(rng, objects[k].shape, stage_point(rng, camera), rng.uniform(0.5, 2.0), (0.2, 1.0), 0.0)
            paths[k] = resting(rng, camera, objects[k].shape) if rng.random() < 0.5 else slow
    return Video(
        objects=tuple(objects[k] for k in cast),
        initial=tuple(paths[k].state(draw_yaw(rng)) for k in cast),
        object_ids=cast,
        visible_frames=REFERENCE_FRAMES,
        total_frames=REFERENCE_FRAMES,
    )


def _collision_course(rng: np.random.Generator, a: ObjectSpec, b: ObjectSpec, camera: Camera) -> tuple[Path, Path]:
    place, time = stage_point(rng, camera), rng.uniform(0.3, 1.1)
    waiting = Path(a.shape, place, 0.0, 0.0)
    first = waiting if rng.random() < 0.5 else arriving(rng, a.shape, place, time, (0.3, 1.2), 0.0)
    return first, arriving(rng, b.shape, place, time, (0.6, 1.8), 0.2)


def _side_by_side(rng: np.random.Generator, a: ObjectSpec, b: ObjectSpec, camera: Camera) -> tuple[Path, Path]:
    """A charged pair close together and slow: forces of this size show only there."""
    x, y = stage_point(rng, camera)
    angle, gap = rng.uniform(-math.pi, math.pi), rng.uniform(0.6, 1.1)
    dx, dy = gap / 2 * math.cos(angle), gap / 2 * math.sin(angle)
    return (
        Path(a.shape, (x + dx, y + dy), rng.uniform(-math.pi, math.pi), rng.uniform(0.1, 0.7)),
        Path(b.shape, (x - dx, y - dy), rng.uniform(-math.pi, math.pi), rng.uniform(0.1, 0.7)),
    )
