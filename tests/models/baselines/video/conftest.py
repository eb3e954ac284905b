"""Made-up features, in which every set has its own: what a video baseline answers can depend on what it is shown."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from models.baselines.video.features import FrameFeatureShape
from models.perceiver.cache.arrays import ArrayReader, ArrayWriter
from models.perceiver.cache.index import CacheKey

WriteFeatures = Callable[..., ArrayReader[FrameFeatureShape]]


@pytest.fixture(scope="session")
def write_features() -> WriteFeatures:
    """`write_features(folder, shape, sets, target_tells, seed)`: what tells sets apart is in all frames of the target, or
    in those of the references alone."""
    return _write


def _write(
    folder: Path, shape: FrameFeatureShape, sets: int, target_tells: bool = True, seed: int = 0
) -> ArrayReader[FrameFeatureShape]:
    rng = np.random.default_rng(seed)
    key = CacheKey(f"seed {seed}", "made up", {"target_tells": target_tells})
    with ArrayWriter(folder, key, shape, range(sets)) as writer:
        for index in range(sets):
            row = {name: np.zeros(extent, kind) for name, (extent, kind) in shape.arrays().items()}
            told = row["target" if target_tells else "references"]
            told[:] = 5 + rng.normal(size=shape.features) + 0.1 * rng.normal(size=told.shape)
            if not target_tells:
                row["target"][:] = rng.normal(size=row["target"].shape)
            writer.add_row(index, row)
    return ArrayReader(folder, FrameFeatureShape, key)
