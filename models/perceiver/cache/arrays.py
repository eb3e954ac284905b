"""Numbers of sets on disk: what all caches have in common, whatever they hold.

Every kind of number has one .npy file with a row of fixed shape for each set. A row is written and flushed to disk before
the index names its set as done: a killed writer leaves a row that nobody reads and the next writer overwrites. Reading
maps the files into memory; only the rows of a batch are copied.
"""

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final, Generic

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from comphy.closing import Closeable
from comphy.errors import ComphyError, DatasetError
from comphy.files import disk_errors
from comphy.locks import LockFile
from comphy.temporaries import clear_temporaries
from models.perceiver.cache.index import INDEX, CacheIndex, CacheKey, R

Mapped = np.memmap[Any, np.dtype[Any]]
GiveUp = Callable[[int], bool]  # by how many sets are done

SECONDS_PER_COMMIT: Final = 10.0  # of work that is lost at most when a writer is killed, besides the set it was at
SECONDS_BETWEEN_LOOKS: Final = 0.5  # at a cache that another process fills


class CacheInUse(ComphyError):
    """Another process fills the cache, and the caller does not want to wait any longer."""


class ArrayWriter(Closeable, Generic[R]):
    """Adds sets to a cache; use it as a context manager. There is one writer at a time, whatever process it is of: a second
    one waits until the first is closed or its process is gone, and then adds what is missing still."""

    def __init__(
        self, folder: Path, key: CacheKey, shape: R, sets: Sequence[int], give_up: GiveUp = lambda done: False
    ) -> None:
        """Opens the cache in the folder to go on with it, or makes an empty one with room for `sets`.

        Args:
            folder: of the cache.
            key: what its numbers are decided by.
            shape: how much of everything one set has at most.
            sets: those that the cache has room for.
            give_up: asked now and then, while another process fills the cache, whether to stop waiting for it.

        Raises:
            CacheInUse: `give_up` said so.
            DatasetError: the folder has another cache."""
        self.folder = folder
        wanted = CacheIndex(key, shape, tuple(sorted(set(sets))), frozenset())
        with ExitStack() as opened, disk_errors(folder):
            existing = _existing_index(folder, wanted)  # before anything is written there
            if existing is not None:
                _map_arrays(folder, existing)
            folder.mkdir(parents=True, exist_ok=True)
            opened.enter_context(_claimed(folder, wanted, give_up))
            clear_temporaries(folder)
            self._index = _open_index(folder, wanted)
            self._rows = {number: row for row, number in enumerate(self._index.sets)}
            self._starts = {name: array.offset for name, array in _map_arrays(folder, self._index).items()}
            self._files: dict[str, BinaryIO] = {
                name: opened.enter_context(_path(folder, name).open("r+b")) for name in self._starts
            }
            self._opened = opened.pop_all()
        self._pending: set[int] = set()
        self._committed = -math.inf

    def missing(self) -> list[int]:
        """Sets still to be added, ascending."""
        return sorted(set(self._index.sets) - self._index.done - self._pending)

    @property
    def shape(self) -> R:
        return self._index.shape

    def add_row(self, number: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        """The set counts as done with the next commit; one is made every few seconds and on leaving."""
        row = self._row_of(number)
        with disk_errors(self.folder):
            for name, values in arrays.items():
                self._files[name].seek(self._starts[name] + row * values.nbytes)
                self._files[name].write(values.tobytes())
        self._pending.add(number)
        if time.monotonic() - self._committed >= SECONDS_PER_COMMIT:
            self.commit()

    def commit(self) -> None:
        if not self._pending:
            return
        with disk_errors(self.folder):
            for file in self._files.values():
                file.flush()
                os.fsync(file.fileno())
            self._index = replace(self._index, done=self._index.done | self._pending)
            self._index.write(self.folder)
        self._pending = set()
        self._committed = time.monotonic()

    def close(self) -> None:
        with self._opened:
            self.commit()

    def _row_of(self, number: int) -> int:
        if number not in self._rows:
            raise DatasetError(
                f"{self.folder / INDEX}: expected one of the {len(self._rows)} sets the cache was made for "
                f"(got set {number}). {self._index.remedy}."
            )
        return self._rows[number]


class ArrayReader(Generic[R]):
    """Reads a cache: the rows of one set as views of the files, or of many as tensors."""

    def __init__(self, folder: Path, shape: type[R], expected: CacheKey | None = None) -> None:
        """`expected` refuses a cache of another checkpoint, dataset or settings."""
        self.folder = folder
        self._index = CacheIndex.read(folder, shape)
        if expected is not None:
            self._index.require_key(expected, folder)
        self._rows = {number: row for row, number in enumerate(self._index.sets)}
        self._arrays = _map_arrays(folder, self._index)
        self._tensors = {name: torch.from_numpy(array) for name, array in self._arrays.items()}

    @property
    def key(self) -> CacheKey:
        return self._index.key

    @property
    def shape(self) -> R:
        return self._index.shape

    def indices(self) -> list[int]:
        """Sets that are done, ascending."""
        return sorted(self._index.done)

    def __len__(self) -> int:
        return len(self._index.done)

    def row(self, number: int) -> dict[str, NDArray[Any]]:
        """Arrays of one set, by name; nothing is copied."""
        row = self._row_of(number)
        return {name: array[row] for name, array in self._arrays.items()}

    def rows(self, numbers: Sequence[int]) -> dict[str, Tensor]:
        """Tensors of sets in this order, by name."""
        rows = torch.tensor([self._row_of(number) for number in numbers], dtype=torch.long)
        return {name: tensor[rows] for name, tensor in self._tensors.items()}

    def _row_of(self, number: int) -> int:
        if number not in self._index.done:
            raise DatasetError(
                f"{self.folder / INDEX}: expected set {number} in the cache (found {len(self)} other sets). "
                f"Run {self.shape.MADE_BY} to the end."
            )
        return self._rows[number]


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.npy"


def _claimed(folder: Path, wanted: CacheIndex[R], give_up: GiveUp) -> LockFile:
    """The right to write, which ends with its process. It is a lock of the first array's file, which is never replaced."""
    lock = LockFile(_path(folder, next(iter(wanted.shape.arrays()))))
    while not lock.exclusive(0):
        existing = _existing_index(folder, wanted)
        if give_up(len(existing.done) if existing is not None else 0):
            lock.close()
            raise CacheInUse(
                f"{folder}: another process fills this {wanted.shape.KIND}. Run the same command again when it is done."
            )
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return lock


def _existing_index(folder: Path, wanted: CacheIndex[R]) -> CacheIndex[R] | None:
    """The index that is there, if it is of the wanted kind."""
    if not (folder / INDEX).exists():
        return None
    found = CacheIndex.read(folder, type(wanted.shape))
    found.require_key(wanted.key, folder)
    found.require_shape(wanted.shape, wanted.sets, folder)
    if found.done != frozenset(found.sets):
        found.require_rounded(folder)
    return found


def _open_index(folder: Path, wanted: CacheIndex[R]) -> CacheIndex[R]:
    """The index that is there; otherwise empty arrays are made, and the index last."""
    found = _existing_index(folder, wanted)
    if found is not None:
        return found
    for name, (shape, kind) in wanted.shape.arrays().items():
        np.lib.format.open_memmap(_path(folder, name), mode="w+", dtype=kind, shape=(len(wanted.sets), *shape)).flush()
    wanted.write(folder)
    return wanted


def _map_arrays(folder: Path, index: CacheIndex[R]) -> dict[str, Mapped]:
    return {
        name: _map_array(_path(folder, name), (len(index.sets), *shape), kind, index.remedy)
        for name, (shape, kind) in index.shape.arrays().items()
    }


def _map_array(path: Path, shape: tuple[int, ...], kind: np.dtype[Any], advice: str) -> Mapped:
    """Private to this process: tensors want memory they may write to, and the file stays as it is."""
    try:
        array: Mapped = np.load(path, mmap_mode="c")
    except FileNotFoundError:
        raise DatasetError(f"{path}: expected an array of the feature cache (found none). {advice}.") from None
    except (ValueError, EOFError) as error:
        raise DatasetError(
            f"{path}: expected an array {shape} of {kind} (found a file that is cut off or foreign: {error}). {advice}."
        ) from None
    if array.shape != shape or array.dtype != kind:
        raise DatasetError(
            f"{path}: expected an array {shape} of {kind} (found {array.shape} of {array.dtype}). {advice}."
        )
    return array
