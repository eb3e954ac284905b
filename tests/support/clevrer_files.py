"""Writes annotation files of CLEVRER's published schema for tests."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from comphy.dataset.annotations.annotation import euler_angles
from comphy.dataset.published.clevrer_runs import CLEVRER_LAWS
from comphy.scene.objects import STEPS_PER_FRAME, InitialState, ObjectSpec, Video
from comphy.scene.vocabulary import Color, Material, Shape
from comphy.sim.bullet import Engine
from comphy.sim.rollout import Rollout
from comphy.sim.tabletop import simulate

FRAMES = 128


def state(object_id: int, location, velocity=(0, 0, 0), inside: bool = True) -> dict[str, Any]:
    return {
        "object_id": object_id,
        "location": list(location),
        "orientation": [0.0, 0.0, 0.0],
        "velocity": list(velocity),
        "angular_velocity": [0.0, 0.0, 0.0],
        "inside_camera_view": inside,
    }


def small_record(frames: int = FRAMES) -> dict[str, Any]:
    """A video in which the gray sphere (0) enters at 10, hits the purple cube (1) at 40, and the cube the cyan cylinder
    (3) at 70; the blue rubber cylinder (2) rests; the sphere leaves at 100.
    """
    looks = [
        ("gray", "metal", "sphere"),
        ("purple", "rubber", "cube"),
        ("blue", "rubber", "cylinder"),
        ("cyan", "metal", "cylinder"),
    ]

    def moves(k: int, f: int) -> bool:
        return (k == 0) or (k == 1 and 40 <= f < 90) or (k == 3 and 70 <= f < 100)

    return {
        "scene_index": 10012,
        "video_filename": "video_10012.mp4",
        "object_property": [
            {"object_id": k, "color": c, "material": m, "shape": s} for k, (c, m, s) in enumerate(looks)
        ],
        "motion_trajectory": [
            {
                "frame_id": f,
                "objects": [
                    state(k, (k, k, 0.2), (0, 0.5, 0) if moves(k, f) else (0, 0, 0), k != 0 or 10 <= f < 100)
                    for k in range(len(looks))
                ],
            }
            for f in range(frames)
        ],
        "collision": [
            {"frame_id": 70, "object_ids": [3, 1], "location": [2.0, 2.0, 0.2]},
            {"frame_id": 40, "object_ids": [0, 1], "location": [0.5, 0.5, 0.2]},
        ],
    }


def write(root: Path, record: dict[str, Any]) -> Path:
    path = root / f"annotation_{record['scene_index']:05d}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record))
    return path


BALLS = tuple(
    ObjectSpec(color, Shape.SPHERE, Material.METAL) for color in (Color.RED, Color.BLUE, Color.GREEN, Color.GRAY)
)


def balls_in_a_row(engine: Engine, speed: float, places: tuple[float, ...], frames: int) -> tuple[Video, Rollout]:
    """Balls at rest along y, the first of which rolls towards the others, under CLEVRER's laws."""
    initial = tuple(
        InitialState((0.0, y, 0.2), (0, 0, 0, 1), (0.0, speed if k == 0 else 0.0, 0.0), (0, 0, 0))
        for k, y in enumerate(places)
    )
    video = Video(BALLS[: len(places)], initial, tuple(range(len(places))), frames, frames)
    return video, simulate(video, engine, CLEVRER_LAWS)


def recorded(video: Video, rollout: Rollout, frames: int = FRAMES) -> dict[str, Any]:
    """The first frames of a simulation as CLEVRER would have annotated them."""
    angles = euler_angles(rollout.orientations)
    states = [
        {
            "frame_id": f,
            "objects": [
                state(k, rollout.positions[f, k].tolist(), rollout.velocities[f, k].tolist())
                | {"orientation": np.round(angles[f, k], 6).tolist()}
                for k in range(len(video.objects))
            ],
        }
        for f in range(frames)
    ]
    return {
        "scene_index": 0,
        "video_filename": "video_00000.mp4",
        "object_property": [
            {"object_id": k, "color": str(o.color), "material": str(o.material), "shape": str(o.shape)}
            for k, o in enumerate(video.objects)
        ],
        "motion_trajectory": states,
        "collision": [
            {"frame_id": c.step // STEPS_PER_FRAME, "object_ids": list(c.pair), "location": list(c.location)}
            for c in rollout.collisions
            if c.step // STEPS_PER_FRAME < frames
        ],
    }
