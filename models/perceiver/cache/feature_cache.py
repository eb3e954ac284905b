"""Perceived sets on disk, so that the models that reason about them never wait for a detector.

Numbers are padded with zeros to the room that the cache has for a set.
"""

from collections.abc import Sequence
from pathlib import Path

from models.perceiver.cache.arrays import ArrayReader, ArrayWriter
from models.perceiver.cache.index import CacheKey, CacheShape
from models.perceiver.cache.rows import padded_row, perceived_batch, perceived_set
from models.perceiver.perceived import PerceivedBatch, PerceivedSet


class CacheWriter(ArrayWriter[CacheShape]):
    """Adds perceived sets to a cache. One writer at a time; use it as a context manager."""

    def add(self, perceived: PerceivedSet) -> None:
        """Add a set. It counts as done with the next commit; one is made every few seconds and on leaving.

        Args:
            perceived: the set.

        Raises:
            DatasetError: if the cache was not made for this set."""
        self.add_row(perceived.index, padded_row(perceived, self.shape))


class FeatureCache(ArrayReader[CacheShape]):
    """Reads a cache: one set as views of the files, or many as a batch of tensors."""

    def __init__(self, folder: Path, expected: CacheKey | None = None) -> None:
        """Open a cache.

        Args:
            folder: of the cache.
            expected: refuses a cache of another checkpoint, dataset or settings.

        Raises:
            DatasetError: if there is no such cache, or it is refused."""
        super().__init__(folder, CacheShape, expected)

    def read(self, number: int) -> PerceivedSet:
        """Read one set without its padding; boxes are not copied.

        Args:
            number: of the set.

        Returns:
            The set.

        Raises:
            DatasetError: if the set is not done."""
        return perceived_set(number, self.row(number), self.shape)

    def batch(self, numbers: Sequence[int]) -> PerceivedBatch:
        """Read many sets.

        Args:
            numbers: of the sets.

        Returns:
            Padded tensors with a row for each set, in this order.

        Raises:
            DatasetError: if one of the sets is not done."""
        return perceived_batch(numbers, self.rows(numbers), self.shape)
