"""Instance masks on disk: run lengths of the id maps of a set's videos, a few hundred bytes a frame before compression."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.damage import reads_file
from comphy.errors import DatasetError
from comphy.files import write_bytes
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.silhouette import instance_masks

Ids = NDArray[np.uint8]

_LARGEST: Final = 4096  # pixels of a side, and frames; a damaged file may claim more than memory holds


def encode_runs(ids: Ids) -> tuple[NDArray[np.uint32], Ids]:
    """Row-major run lengths and values of an id map, or of several stacked ones."""
    flat = ids.ravel()
    starts = np.concatenate([[0], np.flatnonzero(np.diff(flat)) + 1])
    return np.diff(np.append(starts, flat.size)).astype(np.uint32), flat[starts]


def decode_runs(lengths: NDArray[np.uint32], values: Ids, shape: tuple[int, ...]) -> Ids:
    return np.repeat(values, lengths).reshape(shape)


def write_masks(path: Path, clips: Mapping[str, Clip], camera: Camera) -> None:
    """Id maps (0 background, i + 1 object i) of each named clip."""
    arrays: dict[str, NDArray] = {"size": np.array([camera.height, camera.width], np.int32)}
    for name, clip in clips.items():
        ids = np.stack([instance_masks(clip, frame, camera) for frame in range(len(clip))])
        arrays[f"{name}_lengths"], arrays[f"{name}_values"] = encode_runs(ids)
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    write_bytes(path, buffer.getvalue())


@reads_file
def read_masks(path: Path, name: str) -> Ids:
    """[frames, height, width] of one video: `target` or `reference_0` … `reference_3`."""
    try:
        with np.load(path) as archive:
            height, width = (int(side) for side in archive["size"])
            lengths, values = archive[f"{name}_lengths"], archive[f"{name}_values"]
            frames, rest = divmod(int(lengths.sum(dtype=np.uint64)), max(1, height * width))
            if rest or not 0 < height <= _LARGEST or not 0 < width <= _LARGEST or frames > _LARGEST:
                raise ValueError(f"run lengths of {frames} frames of {width}x{height} pixels and {rest} more")
            return decode_runs(lengths, values, (frames, height, width))
    except (OSError, KeyError, ValueError) as error:
        raise DatasetError(f"{path}: cannot read the masks of '{name}' ({error}). Generate the set again.") from None
