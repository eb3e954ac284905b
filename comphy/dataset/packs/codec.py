"""Compresses trajectories to a few hundred bytes: quantisation, second-order delta encoding, zigzag encoding, deflate.

Smooth motion has small second differences, so most numbers become 0 or 1. The orientation of a sphere is invisible and
left out. Quantisation steps: positions 0.1 mm (1/100 pixel), orientations 1e-4, velocities 1e-3.
"""

import json
import math
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from comphy.damage import reason
from comphy.errors import DatasetError
from comphy.scene.clip import Clip
from comphy.scene.objects import STEPS_PER_FRAME, ObjectSpec, Video
from comphy.scene.vocabulary import Color, Material, Shape
from comphy.sim.rollout import Collision, Rollout

POSITION_STEP = 1e-4
ORIENTATION_STEP = 1e-4
VELOCITY_STEP = 1e-3
_LARGEST = 1 << 26  # bytes of a decompressed video; a damaged one may claim more than memory holds


@dataclass(frozen=True)
class PackedVideo:
    """A decoded video: what is needed to render it, and its collisions."""

    objects: tuple[ObjectSpec, ...]
    object_ids: tuple[int, ...]
    visible_frames: int
    rollout: Rollout

    def clip(self) -> Clip:
        """The visible frames."""
        shown = slice(0, self.visible_frames)
        return Clip(self.objects, self.rollout.positions[shown], self.rollout.orientations[shown])


def encode(video: Video, rollout: Rollout) -> bytes:
    """Encode a video and its trajectory; angular velocities are not kept."""
    turning = [i for i, spec in enumerate(video.objects) if spec.shape is not Shape.SPHERE]
    header = {
        "objects": [[spec.color, spec.shape, spec.material, spec.mass, spec.charge] for spec in video.objects],
        "ids": video.object_ids,
        "visible": video.visible_frames,
        "frames": len(rollout),
        "collisions": [
            [c.step, c.last_step, *c.pair, round(c.impulse, 4), *(round(x, 3) for x in c.location)]
            for c in rollout.collisions
        ],
    }
    planes = [
        _differences(rollout.positions, POSITION_STEP),
        _differences(_continuous(rollout.orientations[:, turning]), ORIENTATION_STEP),
        _differences(rollout.velocities, VELOCITY_STEP),
    ]
    text = json.dumps(header, separators=(",", ":")).encode()
    numbers = np.concatenate(planes).astype("<i4")
    body = numbers.view(np.uint8).reshape(-1, 4).T.tobytes()  # byte shuffling: the upper bytes are almost all zero
    return zlib.compress(len(text).to_bytes(4, "little") + text + body, 9)


def decode(blob: bytes, where: str) -> PackedVideo:
    """Inverse of `encode`. Raises `DatasetError`, which names `where`, if the data are damaged."""
    try:
        raw = inflate(blob)
        size = int.from_bytes(raw[:4], "little")
        header: dict[str, Any] = json.loads(raw[4 : 4 + size])
        numbers = np.frombuffer(raw[4 + size :], np.uint8).reshape(4, -1).T.copy().view("<i4").ravel()
        return _unpack(header, numbers)
    except Exception as error:  # whatever damaged numbers lead to
        raise DatasetError(
            f"{where}: the packed trajectory is damaged ({reason(error)}). Make the set again."
        ) from error


def inflate(blob: bytes) -> bytes:
    """Decompress. Raises `ValueError` if there is more than any video has, or anything behind it."""
    stream = zlib.decompressobj()
    raw = stream.decompress(blob, _LARGEST)
    if not stream.eof or stream.unused_data:
        raise ValueError("the compressed data are cut off, or longer than those of any video")
    return raw


def _unpack(header: dict[str, Any], numbers: NDArray[np.int32]) -> PackedVideo:
    objects = tuple(
        ObjectSpec(Color(c), Shape(s), Material(m), float(mass), int(charge))
        for c, s, m, mass, charge in header["objects"]
    )
    frames, count = header["frames"], len(objects)
    turning = [i for i, spec in enumerate(objects) if spec.shape is not Shape.SPHERE]
    ends = np.cumsum([frames * count * 3, frames * len(turning) * 4, frames * count * 3])
    if ends[-1] != len(numbers):
        raise ValueError(f"expected {ends[-1]} numbers, got {len(numbers)}")
    _check_header(header, objects)
    orientations = np.zeros((frames, count, 4))
    orientations[..., 3] = 1.0
    turned = _sums(numbers[ends[0] : ends[1]], (frames, len(turning), 4), ORIENTATION_STEP)
    orientations[:, turning] = turned / np.maximum(np.linalg.norm(turned, axis=-1, keepdims=True), 1e-9)
    rollout = Rollout(
        positions=_sums(numbers[: ends[0]], (frames, count, 3), POSITION_STEP),
        orientations=orientations,
        velocities=_sums(numbers[ends[1] :], (frames, count, 3), VELOCITY_STEP),
        angular_velocities=np.zeros((frames, count, 3)),
        collisions=tuple(Collision(c[0], c[1], (c[2], c[3]), c[4], (c[5], c[6], c[7])) for c in header["collisions"]),
        steps_per_frame=STEPS_PER_FRAME,
    )
    return PackedVideo(objects, tuple(header["ids"]), header["visible"], rollout)


def _check_header(header: dict[str, Any], objects: tuple[ObjectSpec, ...]) -> None:
    """Raise `ValueError` where a header says what no video has: it would else be found much later, or not at all."""
    ids, visible, count = header["ids"], header["visible"], len(objects)
    if not all(math.isfinite(spec.mass) and spec.mass > 0 and spec.charge in (-1, 0, 1) for spec in objects):
        raise ValueError("expected finite masses above 0, and charges of -1, 0 or 1")
    if not isinstance(ids, list) or len(ids) != count or not all(type(number) is int for number in ids):
        raise ValueError(f"expected the numbers of {count} objects, got {ids!r:.60}")
    if type(visible) is not int or not 0 <= visible <= header["frames"]:
        raise ValueError(f"expected at most {header['frames']} visible frames, got {visible!r:.60}")
    for collision in header["collisions"]:
        whole, numbers = collision[:4], collision[4:]
        fits = len(collision) == 8 and all(type(number) is int for number in whole)
        fits = fits and all(type(number) in (int, float) and math.isfinite(number) for number in numbers)
        if not fits or not all(0 <= one < count for one in whole[2:]):
            raise ValueError(
                f"expected steps, a pair of objects, impulse and place of a collision, got {collision!r:.60}"
            )


def _continuous(orientations: NDArray[np.float64]) -> NDArray[np.float64]:
    """Choose the signs of quaternions (q and -q are the same rotation) so that they are continuous in time."""
    flip = np.sign((orientations[1:] * orientations[:-1]).sum(-1, keepdims=True))
    flip[flip == 0] = 1.0
    signs = np.concatenate([np.ones_like(flip[:1]), np.cumprod(flip, axis=0)]) if len(orientations) > 1 else 1.0
    return np.asarray(orientations * signs)


def _differences(values: NDArray[np.float64], step: float) -> NDArray[np.int64]:
    """Second differences over time of the quantised values, zigzag-encoded as non-negative integers."""
    whole = np.rint(values / step).astype(np.int64)
    for _ in range(2):
        whole = np.diff(whole, axis=0, prepend=np.zeros_like(whole[:1]))
    folded = np.where(whole >= 0, 2 * whole, -2 * whole - 1)
    return np.ascontiguousarray(np.moveaxis(folded, 0, -1)).ravel()  # time runs fastest


def _sums(numbers: NDArray[np.int32], shape: tuple[int, int, int], step: float) -> NDArray[np.float64]:
    """Inverse of `_differences`."""
    folded = np.moveaxis(numbers.astype(np.int64).reshape(shape[1], shape[2], shape[0]), -1, 0)
    whole = np.where(folded % 2 == 0, folded // 2, -(folded + 1) // 2)
    for _ in range(2):
        whole = np.cumsum(whole, axis=0)
    return np.asarray(whole * step)
