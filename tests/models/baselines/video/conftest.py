"""Made-up features, in which every set has its own: what a video baseline answers can depend on what it is shown."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from models.baselines.video.features import FrameRoom
from models.perceiver.cache.arrays import ArrayReader, ArrayWriter
from models.perceiver.cache.index import CacheKey

WriteFeatures = Callable[..., ArrayReader[FrameRoom]]


@pytest.fixture(scope="session")
def write_features() -> WriteFeatures:
    """`write_features(folder, room, sets, target_tells, seed)`: what tells sets apart is in all frames of the target, or
    in those of the references alone."""
    return _write


def _write(
    folder: Path, room: FrameRoom, sets: int, target_tells: bool = True, seed: int = 0
) -> ArrayReader[FrameRoom]:
    rng = np.random.default_rng(seed)
    key = CacheKey(f"seed {seed}", "made up", {"target_tells": target_tells})
    with ArrayWriter(folder, key, room, range(sets)) as writer:
        for index in range(sets):
            row = {name: np.zeros(shape, kind) for name, (shape, kind) in room.arrays().items()}
            told = row["target" if target_tells else "references"]
            told[:] = 5 + rng.normal(size=room.features) + 0.1 * rng.normal(size=told.shape)
            if not target_tells:
                row["target"][:] = rng.normal(size=row["target"].shape)
            writer.add_row(index, row)
    return ArrayReader(folder, FrameRoom, key)
