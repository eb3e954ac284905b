"""Boxes of annotated objects, projected through the benchmark's camera: releases have none. They are worked out once and
kept in the user's cache folder."""

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from comphy.dataset.annotations.annotation import VideoAnnotation, quaternions
from comphy.dataset.annotations.extras import VideoExtras
from comphy.dataset.packs.boxes import VideoBoxes, decode_boxes, encode_boxes
from comphy.errors import DatasetError
from comphy.files import write_bytes
from comphy.resources import user_cache
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.silhouette import views


def projected_boxes(annotation: VideoAnnotation, frames: int, camera: Camera) -> VideoBoxes:
    """Boxes and visibility of the first frames. Objects whose orientation is not annotated stand upright."""
    locations = annotation.locations[:frames]
    angles = np.zeros_like(locations) if annotation.orientations is None else annotation.orientations[:frames]
    seen = views(Clip(annotation.objects, locations, quaternions(angles)), camera)
    return VideoBoxes(seen.boxes.astype(np.float32), seen.visibility.astype(np.float32))


def kept_boxes(source: str, name: str, work_out: Callable[[], VideoBoxes]) -> VideoBoxes:
    """The boxes of the video `name` of a source with this fingerprint, from the cache or worked out and kept there."""
    path = user_cache() / "boxes" / source[:16] / f"{name.replace('/', '_')}.boxes"
    if path.is_file():
        with suppress(DatasetError):  # damaged: worked out again
            return decode_boxes(path.read_bytes(), str(path))
    found = work_out()
    frames, count = found.visibility.shape
    packed = encode_boxes(VideoExtras(tuple(range(count)), (), found.boxes, found.visibility), frames)
    with suppress(OSError):  # a cache that cannot be written costs time, nothing else
        write_bytes(path, packed)
    return decode_boxes(packed, str(path))
