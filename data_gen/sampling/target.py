"""Draws target videos: some objects rest, some set out to meet, and in about half a pair is to meet unseen, later."""

from dataclasses import dataclass

import numpy as np

from comphy.scene.camera import Camera
from comphy.scene.objects import (
    FPS,
    TARGET_TOTAL_FRAMES,
    TARGET_VISIBLE_FRAMES,
    ObjectSpec,
    Video,
)
from comphy.sim.bullet import Engine
from comphy.sim.event_detection import inside_scene
from comphy.sim.rollout import Rollout
from comphy.sim.tabletop import simulate
from data_gen.sampling.placement import Path, arriving, draw_yaw, in_stage, resting, stage_point
from data_gen.sampling.rules import Rejection, SceneRules

TOUCHING = 0.5  # centre distance below which a planned path counts as a meeting
CLEAR = 0.75  # centre distance that planned paths keep from everybody else
PLANS = 40  # paths tried per meeting before the whole draw is given up


@dataclass(frozen=True)
class TargetDraw:
    """A drawn target and its simulation; `future_pair` is the pair that was aimed to meet in the hidden future."""

    video: Video
    rollout: Rollout
    future_pair: tuple[int, int] | None


def draw_target(
    rng: np.random.Generator,
    rules: SceneRules,
    objects: tuple[ObjectSpec, ...],
    camera: Camera,
    engine: Engine,
    future: bool,
) -> TargetDraw | Rejection:
    """One attempt. With `future`, the last comer is aimed at where another object will be in the hidden future."""
    order = _order(rng, objects, future)
    paths: dict[int, Path] = {}
    for i in order[:-1] if future else order:
        path = _draw_path(rng, objects[i], paths, camera)
        if path is None:
            return Rejection.NO_PLAN
        paths[i] = path
    yaws = [draw_yaw(rng) for _ in objects]
    pair = None
    if future:
        early = simulate(_video(objects, paths, yaws, order[:-1]), engine)
        late = _draw_latecomer(rng, objects[order[-1]], early, camera)
        if late is None:
            return Rejection.NO_PLAN
        paths[order[-1]] = late[0]
        a, b = sorted((order[late[1]], order[-1]))
        pair = (a, b)
    if _closest_start(paths) < rules.min_gap:
        return Rejection.TOO_CLOSE
    video = _video(objects, paths, yaws, list(range(len(objects))))
    return TargetDraw(video, simulate(video, engine), pair)


def _order(rng: np.random.Generator, objects: tuple[ObjectSpec, ...], future: bool) -> list[int]:
    """A random order of placement; the latecomer is uncharged, so that its path can be planned in closed form."""
    order = [int(k) for k in rng.permutation(len(objects))]
    if future:
        neutral = [k for k in order if objects[k].charge == 0]
        order.remove(neutral[-1])
        order.append(neutral[-1])
    return order


def _video(objects: tuple[ObjectSpec, ...], paths: dict[int, Path], yaws: list[float], ids: list[int]) -> Video:
    return Video(
        objects=tuple(objects[i] for i in ids),
        initial=tuple(paths[i].state(yaws[i]) for i in ids),
        object_ids=tuple(ids),
        visible_frames=TARGET_VISIBLE_FRAMES,
        total_frames=TARGET_TOTAL_FRAMES,
    )


def _draw_path(rng: np.random.Generator, spec: ObjectSpec, placed: dict[int, Path], camera: Camera) -> Path | None:
    """A path for one more object, in view when it matters and clear of others at the start."""
    for _ in range(PLANS):
        path = _propose(rng, spec, list(placed.values()), camera)
        if path is not None and all(_distance(path, other) > CLEAR for other in placed.values()):
            return path
    return None


def _propose(rng: np.random.Generator, spec: ObjectSpec, placed: list[Path], camera: Camera) -> Path | None:
    """At rest, across the stage, towards another object, or waiting where another would come by if nothing hit it.

    The last two make one event depend on another, so that a changed mass or charge changes what happens.
    """
    kind = rng.random()
    if not placed:
        return resting(rng, camera, spec.shape) if kind < 0.6 else _crossing(rng, spec, camera)
    other = placed[int(rng.integers(len(placed)))]
    if kind < 0.55 or len(placed) == 1:
        return _meeting(rng, spec, other, camera)
    if kind < 0.8:
        return _waiting(rng, spec, other, camera)
    return resting(rng, camera, spec.shape) if kind < 0.9 else _crossing(rng, spec, camera)


def _crossing(rng: np.random.Generator, spec: ObjectSpec, camera: Camera) -> Path:
    return arriving(rng, spec.shape, stage_point(rng, camera), rng.uniform(0.3, 2.5), (0.2, 1.2), 0.0)


def _meeting(rng: np.random.Generator, spec: ObjectSpec, other: Path, camera: Camera) -> Path | None:
    time = rng.uniform(0.6, 3.5)
    x, y = other.at(np.array([time]))[0]
    if not in_stage((float(x), float(y)), camera):
        return None
    return arriving(rng, spec.shape, (float(x), float(y)), time, (0.3, 1.4), 0.25)


def _waiting(rng: np.random.Generator, spec: ObjectSpec, other: Path, camera: Camera) -> Path | None:
    x, y = other.at(np.array([rng.uniform(1.5, 4.5)]))[0] + rng.uniform(-0.3, 0.3, 2)
    place = (float(x), float(y))
    return Path(spec.shape, place, 0.0, 0.0) if in_stage(place, camera) else None


def _draw_latecomer(
    rng: np.random.Generator, spec: ObjectSpec, early: Rollout, camera: Camera
) -> tuple[Path, int] | None:
    """A path that stays clear of everybody while the video is shown and meets one object after it; and that object."""
    inside = inside_scene(early, camera)
    times = np.arange(TARGET_TOTAL_FRAMES) / FPS
    for _ in range(PLANS):
        frame = int(rng.integers(TARGET_VISIBLE_FRAMES + 5, TARGET_TOTAL_FRAMES - 5))
        partners = np.flatnonzero(inside[frame] & inside[:TARGET_VISIBLE_FRAMES].any(0))
        if len(partners) == 0:
            continue
        partner = int(rng.choice(partners))
        place = early.positions[frame, partner]
        path = arriving(rng, spec.shape, (float(place[0]), float(place[1])), frame / FPS, (0.25, 1.3), 0.2)
        if _is_late_meeting(path, partner, frame, early, camera, times):
            return path, partner
    return None


def _is_late_meeting(path: Path, partner: int, frame: int, early: Rollout, camera: Camera, times: np.ndarray) -> bool:
    positions = path.at(times)
    distance = np.linalg.norm(early.positions[..., :2] - positions[:, None], axis=-1)
    others = np.delete(distance[: frame + 1], partner, axis=1)
    seen_by = TARGET_VISIBLE_FRAMES - 25
    image, _ = camera.project(np.append(positions[seen_by], 0.2))
    in_view = 0 < image[0] < camera.width and 0 < image[1] < camera.height
    return (
        in_view
        and bool((distance[: TARGET_VISIBLE_FRAMES + 2, partner] > TOUCHING + 0.05).all())
        and bool((others > CLEAR).all())
    )


def _distance(a: Path, b: Path) -> float:
    return float(np.hypot(a.start[0] - b.start[0], a.start[1] - b.start[1]))


def _closest_start(paths: dict[int, Path]) -> float:
    chosen = list(paths.values())
    return min(_distance(a, b) for k, a in enumerate(chosen) for b in chosen[k + 1 :])
