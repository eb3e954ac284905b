"""Checks a set against the rules of the benchmark, using the published annotation and the extras only."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from comphy.dataset.annotations.annotation import VideoAnnotation
from comphy.dataset.annotations.extras import SetExtras, VideoExtras
from comphy.dataset.sources.source import SetAnnotation
from comphy.scene.camera import Camera
from comphy.scene.events import EventKind
from comphy.scene.objects import (
    FPS,
    REFERENCE_FRAMES,
    REFERENCES_PER_SET,
    TARGET_TOTAL_FRAMES,
    TARGET_VISIBLE_FRAMES,
    ObjectSpec,
    Video,
    possible_changes,
)
from comphy.scene.vocabulary import CHARGES, HEAVY_MASS, LIGHT_MASS, OBJECT_RADIUS, Family

# Centre distance at contact: from two radii to a cube's diagonal, with a tolerance for the motion within a frame.
TOUCH_DISTANCE = (2 * OBJECT_RADIUS - 0.05, 2 * OBJECT_RADIUS * 2**0.5 + 0.15)
INTERACTIONS = (EventKind.COLLISION, EventKind.ATTRACTION, EventKind.REPULSION)


def check_rules(annotation: SetAnnotation, extras: SetExtras, camera: Camera) -> Iterator[str]:
    """Yield a description of every rule that a set violates."""
    yield from _check_objects(annotation.target.objects, extras.family)
    yield from _check_motion("target", annotation.target, TARGET_TOTAL_FRAMES, camera)
    if len(annotation.references) != REFERENCES_PER_SET:
        yield f"expected {REFERENCES_PER_SET} references (found {len(annotation.references)})"
    shown: set[int] = set()
    for k, (reference, extra) in enumerate(zip(annotation.references, extras.references, strict=False)):
        name = f"reference {k}"
        yield from _check_motion(name, reference, REFERENCE_FRAMES, camera)
        yield from _check_cast(name, reference, extra, annotation.target)
        yield from _check_interaction(name, reference, extra)
        shown.update(extra.object_ids)
    if shown != set(range(len(annotation.target.objects))):
        yield f"expected every object in a reference (objects {sorted(shown)} are)"
    yield from _check_events("target", annotation.target, extras.target)
    yield from _check_counterfactuals(annotation.target, extras)


def _check_objects(objects: tuple[ObjectSpec, ...], family: Family) -> Iterator[str]:
    if not 3 <= len(objects) <= 6:
        yield f"expected 3 to 5 objects, 6 at most (found {len(objects)})"
    if len({spec.appearance for spec in objects}) != len(objects):
        yield f"expected distinct looks (found {[str(spec) for spec in objects]})"
    masses, charges = [spec.mass for spec in objects], [spec.charge for spec in objects]
    if not set(masses) <= {LIGHT_MASS, HEAVY_MASS} or not set(charges) <= set(CHARGES):
        yield f"expected masses 1 or 5 and charges -1, 0 or 1 (found {masses} and {charges})"
    heavy, charged = masses.count(HEAVY_MASS), sum(charge != 0 for charge in charges)
    if heavy > 1 or charged not in (0, 2):
        yield f"expected at most one heavy object, and no charge or one pair (found {heavy} heavy, {charged} charged)"
    expected = {Family.MASS: (heavy, 0), Family.CHARGE: (0, 2), Family.BOTH: (1, 2)}[family]
    if (heavy, charged) != expected:
        yield f"a set of the family '{family}' has {expected[1]} charged objects (found {heavy} heavy, {charged} charged)"


def _check_motion(name: str, annotation: VideoAnnotation, frames: int, camera: Camera) -> Iterator[str]:
    if len(annotation) != frames:
        yield f"{name}: expected {frames} frames (found {len(annotation)})"
    if annotation.velocities is None or annotation.orientations is None:
        yield f"{name}: expected velocities and orientations"
        return
    lifted = np.abs(annotation.locations[..., 2] - OBJECT_RADIUS).max()
    if lifted > 0.05:
        yield f"{name}: expected objects on the table (one is off by {lifted:.3f})"
    image, depth = camera.project(annotation.locations)
    inside = (depth > 0) & (image >= 0).all(-1) & (image < (camera.width, camera.height)).all(-1)
    near_border = (np.abs(image) < 0.01).any(-1) | (np.abs(image - (camera.width, camera.height)) < 0.01).any(-1)
    if ((inside != annotation.inside) & ~near_border).any():
        yield f"{name}: inside_scene does not follow from the locations and the camera"
    moved = np.diff(annotation.locations, axis=0) * FPS
    mean = (annotation.velocities[1:] + annotation.velocities[:-1]) / 2
    if np.median(np.abs(moved - mean)) > 0.01:
        yield f"{name}: velocities are not the time derivative of the locations"
    for collision in annotation.collisions:
        a, b = annotation.locations[min(collision.frame, len(annotation) - 1), list(collision.pair)]
        distance = float(np.linalg.norm(a - b))
        if not TOUCH_DISTANCE[0] <= distance <= TOUCH_DISTANCE[1]:
            yield f"{name}: objects {collision.pair} are {distance:.2f} apart when they collide in frame {collision.frame}"


def _check_cast(name: str, reference: VideoAnnotation, extra: VideoExtras, target: VideoAnnotation) -> Iterator[str]:
    if not 2 <= len(reference.objects) <= 3:
        yield f"{name}: expected 2 or 3 objects (found {len(reference.objects)})"
    if len(extra.object_ids) != len(reference.objects) or any(k >= len(target.objects) for k in extra.object_ids):
        yield f"{name}: object_ids {extra.object_ids} do not name {len(reference.objects)} of the target's objects"
        return
    for spec, k in zip(reference.objects, extra.object_ids, strict=True):
        if spec != target.objects[k]:
            yield f"{name}: {spec} (mass {spec.mass:g}, charge {spec.charge}) differs from the target's object {k}"
    places = reference.locations[0], target.locations[0][list(extra.object_ids)]
    if np.abs(places[0] - places[1]).max() < 1e-3:
        yield f"{name}: expected other positions than in the target"


def _check_interaction(name: str, reference: VideoAnnotation, extra: VideoExtras) -> Iterator[str]:
    seen = [
        event
        for event in extra.events
        if event.kind in INTERACTIONS and all(reference.inside[event.frame, i] for i in event.objects)
    ]
    if not seen:
        yield f"{name}: expected a collision, an attraction or a repulsion in view (found none)"
    yield from _check_events(name, reference, extra)


def _check_events(name: str, annotation: VideoAnnotation, extra: VideoExtras) -> Iterator[str]:
    """Check that collisions, entrances and exits of the extras match the annotation, and the signs of charge events."""
    claimed = sorted((e.frame, e.objects) for e in extra.events if e.kind is EventKind.COLLISION)
    told = sorted((c.frame, c.pair) for c in annotation.collisions)
    if claimed != told:
        yield f"{name}: the extras' collisions {claimed} are not the annotation's {told}"
    turns = np.diff(annotation.inside.astype(int), axis=0)
    for kind, sign in ((EventKind.IN, 1), (EventKind.OUT, -1)):
        claimed_turns = sorted((e.frame, e.objects[0]) for e in extra.events if e.kind is kind)
        found = sorted((int(f) + 1, int(i)) for f, i in zip(*np.nonzero(turns == sign), strict=True))
        if claimed_turns != found:
            yield f"{name}: '{kind}' events {claimed_turns} do not follow from inside_scene {found}"
    for event in extra.events:
        if event.kind in (EventKind.ATTRACTION, EventKind.REPULSION):
            product = annotation.objects[event.objects[0]].charge * annotation.objects[event.objects[1]].charge
            if product != (1 if event.kind is EventKind.REPULSION else -1):
                yield f"{name}: objects {event.objects} cannot show {event.kind} with charge product {product}"


def _check_counterfactuals(target: VideoAnnotation, extras: SetExtras) -> Iterator[str]:
    ids = tuple(range(len(target.objects)))
    video = Video(target.objects, (), ids, TARGET_VISIBLE_FRAMES, TARGET_TOTAL_FRAMES)
    expected = {change.key for change in possible_changes(video)}
    if expected != set(extras.counterfactuals):
        yield f"expected the counterfactual runs {sorted(expected)} (found {sorted(extras.counterfactuals)})"
    for key, events in extras.counterfactuals.items():
        if any(not 0 <= event.frame < TARGET_VISIBLE_FRAMES for event in events):
            yield f"{key}: expected collisions within the visible {TARGET_VISIBLE_FRAMES} frames"


def has_future_collision(target: VideoAnnotation) -> bool:
    """Whether a pair collides for the first time in the hidden future."""
    first: dict[tuple[int, int], int] = {}
    for collision in target.collisions:
        first[collision.pair] = min(collision.frame, first.get(collision.pair, collision.frame))
    pairs = combinations(range(len(target.objects)), 2)
    return any(first.get(pair, -1) >= TARGET_VISIBLE_FRAMES for pair in pairs)
