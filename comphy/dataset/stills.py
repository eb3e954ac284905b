"""Stills: single frames of a dataset as another renderer draws them, from which a perceiver learns that renderer's look.

A folder of PNG files, and `stills.json`, which is written first: what they are frames of, and what draws them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from comphy.dataset.frames import FrameKey
from comphy.dataset.sources.source import VideoLengths
from comphy.errors import DatasetError
from comphy.files import read_json, require, sha256, write_json

INDEX: Final = "stills.json"
AGAIN: Final = "draw them with `comphy stills`"
_FIRST_LOOK: Final = 1  # of stills whose index does not name one


def picture_path(folder: Path, key: FrameKey) -> Path:
    return folder / "frames" / f"{key.index:05d}_{key.video}_{key.frame:03d}.png"


@dataclass(frozen=True)
class Stills:
    """`dataset` is the fingerprint of the source whose frames these are, `look` the version of how the renderer draws them;
    `width` and `height` are in pixels."""

    folder: Path
    dataset: str
    renderer: str
    look: int
    width: int
    height: int
    keys: tuple[FrameKey, ...]

    @staticmethod
    def read(folder: Path) -> "Stills":
        path = folder / INDEX
        record, where = read_json(path, AGAIN), str(path)
        frames = require(record, "frames", list, where)
        if not frames or not all(_is_key(one) for one in frames):
            raise DatasetError(
                f"{where}: expected 'frames' such as [[12, \"target\", 45], …] (got {str(frames)[:60]})."
            )
        return Stills(
            folder,
            require(record, "dataset", str, where),
            require(record, "renderer", str, where),
            require({"look": _FIRST_LOOK, **record}, "look", int, where),
            require(record, "width", int, where),
            require(record, "height", int, where),
            tuple(FrameKey(*one) for one in frames),
        )

    def write(self) -> None:
        """The index; pictures follow."""
        record = {
            "dataset": self.dataset,
            "renderer": self.renderer,
            "look": self.look,
            "width": self.width,
            "height": self.height,
            "frames": [[key.index, key.video, key.frame] for key in self.keys],
        }
        write_json(self.folder / INDEX, record)

    def fingerprint(self) -> str:
        return sha256(self.folder / INDEX)

    @cached_property
    def by_video(self) -> dict[str, list[FrameKey]]:
        """The frames of each video, by its name in packs."""
        found: dict[str, list[FrameKey]] = {}
        for key in self.keys:
            found.setdefault(key.name, []).append(key)
        return found

    def check(self, dataset: str, sets: Sequence[int], lengths: VideoLengths) -> None:
        """Raises DatasetError unless these are frames of the sets of a dataset, which its fingerprint tells."""
        if self.dataset != dataset:
            raise DatasetError(
                f"{self.folder}: the stills were drawn from another dataset, or from one that has changed since; {AGAIN}."
            )
        known = set(sets)
        for key in self.keys:
            if key.index not in known or key.video not in lengths.videos or not 0 <= key.frame < lengths.of(key.video):
                raise DatasetError(
                    f"{self.folder}: expected frames of {len(known)} train sets (found frame {key.frame} of {key.name}); "
                    f"{AGAIN} --split train."
                )

    def picture(self, key: FrameKey) -> NDArray[np.uint8]:
        """[height, width, 3]."""
        from PIL import Image

        path = picture_path(self.folder, key)
        try:
            with Image.open(path) as image:
                pixels = np.array(image.convert("RGB"))
        except OSError as error:
            raise DatasetError(f"{path}: the picture is missing or damaged ({error}); {AGAIN}.") from None
        if pixels.shape != (self.height, self.width, 3):
            found = f"{pixels.shape[1]}x{pixels.shape[0]}"
            raise DatasetError(f"{path}: expected {self.width}x{self.height} pixels (got {found}); {AGAIN}.")
        return pixels


def _is_key(one: object) -> bool:
    return isinstance(one, list) and [type(part) for part in one] == [int, str, int]
