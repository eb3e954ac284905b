"""Checks the packs of the dataset as a whole against the files of its sets."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from comphy.dataset import layout
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.packs.boxes import decode_boxes, encode_boxes
from comphy.dataset.packs.rollouts import Pack, reference_name, target_name
from comphy.scene.objects import REFERENCES_PER_SET, TARGET_VISIBLE_FRAMES


def _names(index: int) -> list[str]:
    return [target_name(index), *(reference_name(index, k) for k in range(REFERENCES_PER_SET))]


def _check_names(pack: Pack, indices: Sequence[int]) -> Iterator[str]:
    expected = {name for index in indices for name in _names(index)}
    for what, names in (("lacks", expected - set(pack)), ("has beside the sets", set(pack) - expected)):
        if names:
            yield f"the pack {what} {len(names)} videos, such as '{min(names)}'; generate it again"


def check_pack(root: Path, indices: Sequence[int]) -> Iterator[str]:
    """Check that the trajectories of all videos are those of their sets' own packs."""
    pack = Pack(root / layout.PACK)
    yield from _check_names(pack, indices)
    for index in indices:
        own = Pack(root / layout.rollouts(index))
        different = [name for name in _names(index) if name in pack and name in own and pack[name] != own[name]]
        if different:
            yield f"'{different[0]}' is another trajectory than in {layout.rollouts(index)}; generate it again"


def check_box_table(root: Path, indices: Sequence[int]) -> Iterator[str]:
    """Check that the boxes of all videos are those of their sets' extras."""
    pack = Pack(root / layout.BOXES)
    yield from _check_names(pack, indices)
    for index in indices:
        extras = read_extras(root / layout.extras(index))
        for name, video in zip(_names(index), (extras.target, *extras.references), strict=False):
            if name not in pack:
                continue
            found = decode_boxes(pack[name], f"{pack.path}: {name}")
            # As they are stored, and not as bytes: another zlib compresses the same numbers to others.
            expected = decode_boxes(encode_boxes(video, TARGET_VISIBLE_FRAMES), name)
            same = np.array_equal(found.boxes, expected.boxes) and np.array_equal(found.visibility, expected.visibility)
            if not same:
                yield f"'{name}' has other boxes than {layout.extras(index)}; generate it again"
