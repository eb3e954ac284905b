"""One video's annotation in the two published dialects: (A) the public release, (B) the authors' internal files."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from comphy.damage import reads_file
from comphy.dataset.layout import AGAIN
from comphy.errors import DatasetError, did_you_mean
from comphy.files import read_json, require
from comphy.scene.camera import Camera
from comphy.scene.objects import FPS, STEPS_PER_FRAME, ObjectSpec, Video
from comphy.scene.vocabulary import OBJECT_RADIUS, Color, Material, Shape
from comphy.sim.event_detection import inside_scene
from comphy.sim.rollout import Rollout

Array = NDArray[np.float64]
DECIMALS = 6
Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True)
class AnnotatedCollision:
    step: int
    pair: tuple[int, int]

    @property
    def frame(self) -> int:
        return self.step // STEPS_PER_FRAME


@dataclass(frozen=True)
class VideoAnnotation:
    """What both dialects tell of a video.

    Shapes: locations, velocities, angular_velocities [frames, objects, 3]; orientations [frames, objects, 3] are Euler
    angles in radians; inside [frames, objects]. None where the file has none.
    """

    scene_index: int | None
    objects: tuple[ObjectSpec, ...]
    locations: Array
    velocities: Array | None
    orientations: Array | None
    inside: NDArray[np.bool_]
    collisions: tuple[AnnotatedCollision, ...]
    angular_velocities: Array | None = None

    def __len__(self) -> int:
        return len(self.locations)


def euler_angles(quaternions: NDArray) -> Array:
    """[..., 4] x, y, z, w to [..., 3] rotations about the fixed x, y and z axes, as Bullet reports them.

    Written out, since scipy warns at the poles.
    """
    x, y, z, w = np.moveaxis(np.asarray(quaternions, float), -1, 0)
    roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2 * (w * y - z * x), -1.0, 1.0))
    yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return np.stack([roll, pitch, yaw], axis=-1)


def quaternions(euler: NDArray) -> Array:
    """The inverse of `euler_angles`. What it needs of scipy is imported when it is called: it takes a third of a second."""
    from scipy.spatial.transform import Rotation

    flat = Rotation.from_euler("xyz", np.asarray(euler, float).reshape(-1, 3)).as_quat()
    return np.asarray(flat).reshape(*np.shape(euler)[:-1], 4)


def _rounded(array: NDArray) -> Any:
    return (np.round(array, DECIMALS) + 0.0).tolist()  # + 0.0 turns -0.0 into 0.0


def write_dialect_a(index: int, video: Video, rollout: Rollout, camera: Camera) -> dict[str, Any]:
    """The release's JSON object for one video; keys and meanings are its, `facts` beyond them go to the extras."""
    from comphy.sim.tabletop import LAWS  # with all of the simulator, which readers do not need

    inside = inside_scene(rollout, camera).tolist()
    location, velocity = _rounded(rollout.positions), _rounded(rollout.velocities)
    turn, spin = _rounded(euler_angles(rollout.orientations)), _rounded(rollout.angular_velocities)
    count = len(video.objects)
    return {
        "scene_index": index,
        "object_property": [
            {
                "color": str(spec.color),
                "material": str(spec.material),
                "shape": str(spec.shape),
                "mass": int(spec.mass),
                "charge": spec.charge,
                "scale": OBJECT_RADIUS,
                "restitution": LAWS.restitution,
                "lateral_friction": LAWS.friction_of(spec.shape),
                "linear_damping": LAWS.damping,
                "initial_location": location[0][i],
                "initial_orientation": turn[0][i],
                "initial_velocity": velocity[0][i],
                "initial_angular_velocity": spin[0][i],
            }
            for i, spec in enumerate(video.objects)
        ],
        "motion_trajectory": [
            {
                "objects": [
                    {
                        "location": location[f][i],
                        "orientation": turn[f][i],
                        "velocity": velocity[f][i],
                        "angular_velocity": spin[f][i],
                        "inside_scene": inside[f][i],
                    }
                    for i in range(count)
                ]
            }
            for f in range(len(rollout))
        ],
        "collision": [{"step": c.step, "object_idxs": list(c.pair)} for c in rollout.collisions],
    }


@reads_file
def read_annotation(path: Path) -> VideoAnnotation:
    """Read a video's annotation in whichever dialect it is written."""
    record = read_json(path, AGAIN)
    where = str(path)
    if isinstance(record, dict) and "object_property" in record:
        return _parse(record, where, "object_property", "motion_trajectory", "collision")
    if isinstance(record, dict) and "config" in record:
        return _parse(record, where, "config", "motion", "collisions")
    found = sorted(record) if isinstance(record, dict) else type(record).__name__
    raise DatasetError(
        f"{where}: expected a ComPhy annotation with 'object_property' (release) or 'config' (internal files); got {found}."
    )


def _parse(record: dict[str, Any], where: str, properties: str, motion: str, collisions: str) -> VideoAnnotation:
    specs = require(record, properties, list, where)
    objects = tuple(_parse_object(spec, f"{where}: {properties}[{i}]") for i, spec in enumerate(specs))
    frames = require(record, motion, list, where)
    if not frames:
        raise DatasetError(f"{where}: expected at least one frame in '{motion}' (got none).")
    rows = [_frame_objects(frame, f"{where}: {motion}[{f}]", len(objects)) for f, frame in enumerate(frames)]
    locations = _table(rows, "location", where, motion)
    if locations is None:
        raise DatasetError(f"{where}: expected 'location' for every object in '{motion}' (got none).")
    flags = [[bool(state.get("inside_scene", True)) for state in row] for row in rows]
    return VideoAnnotation(
        scene_index=record.get("scene_index"),
        objects=objects,
        locations=locations,
        velocities=_table(rows, "velocity", where, motion),
        orientations=_table(rows, "orientation", where, motion),
        inside=np.array(flags, bool).reshape(len(rows), len(objects)),
        collisions=tuple(
            _parse_collision(c, f"{where}: {collisions}[{k}]", len(objects))
            for k, c in enumerate(require(record, collisions, list, where))
        ),
        angular_velocities=_table(rows, "angular_velocity", where, motion),
    )


def _parse_object(spec: Any, where: str) -> ObjectSpec:
    mass, charge = require(spec, "mass", (int, float), where), require(spec, "charge", (int, float), where)
    return ObjectSpec(
        color=_word(spec, "color", Color, where),
        shape=_word(spec, "shape", Shape, where),
        material=_word(spec, "material", Material, where),
        mass=float(mass),
        charge=round(charge),
    )


def _word(spec: Any, key: str, kind: type[Word], where: str) -> Word:
    word = require(spec, key, str, where)
    if word not in set(kind):
        raise DatasetError(f"{where}: unknown {key} '{word}'; {did_you_mean(word, set(kind))}")
    return kind(word)


def _frame_objects(frame: Any, where: str, count: int) -> list[dict[str, Any]]:
    states = frame if isinstance(frame, list) else require(frame, "objects", list, where)
    if len(states) != count:
        raise DatasetError(f"{where}: expected {count} objects as in the property list (got {len(states)}).")
    return states


def _table(rows: list[list[dict[str, Any]]], key: str, where: str, motion: str) -> Array | None:
    """[frames, objects, 3] of a vector-valued key; None if the file does not have it at all."""
    if rows and rows[0] and key not in rows[0][0]:
        return None
    try:
        table = np.array([[state[key] for state in row] for row in rows], dtype=float)
    except (KeyError, TypeError, ValueError) as error:
        raise DatasetError(
            f"{where}: expected 3 numbers as '{key}' of every object in '{motion}' ({error!r})."
        ) from None
    if table.shape != (len(rows), len(rows[0]), 3) or not np.isfinite(table).all():
        raise DatasetError(f"{where}: expected 3 finite numbers as '{key}' of every object in '{motion}'.")
    return table


def _parse_collision(entry: Any, where: str, count: int) -> AnnotatedCollision:
    pair = require(entry, "object_idxs", list, where)
    if len(pair) != 2 or not all(isinstance(k, int) and 0 <= k < count for k in pair) or pair[0] == pair[1]:
        raise DatasetError(f"{where}: expected two different object indices below {count} (got {pair}).")
    if "step" in entry:
        step = int(require(entry, "step", (int, float), where))
    else:
        step = round(require(entry, "time", (int, float), where) * FPS * STEPS_PER_FRAME)
    return AnnotatedCollision(step, (min(pair), max(pair)))
