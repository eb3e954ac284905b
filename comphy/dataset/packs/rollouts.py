"""A pack: an archive of named byte strings with an index at its start; holds the trajectories of a dataset."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from comphy.damage import reading
from comphy.dataset.packs.codec import PackedVideo, decode
from comphy.errors import DatasetError
from comphy.files import write_bytes

_MAGIC = b"COMPHYPACK1\n"


def write_pack(path: Path, blobs: Mapping[str, bytes]) -> None:
    """Write named byte strings to a file."""
    index: dict[str, tuple[int, int]] = {}
    offset = 0
    for name, blob in blobs.items():
        index[name] = (offset, len(blob))
        offset += len(blob)
    head = json.dumps(index, separators=(",", ":")).encode()
    write_bytes(path, b"".join([_MAGIC, len(head).to_bytes(8, "little"), head, *blobs.values()]))


class Pack(Mapping[str, bytes]):
    """Reads a pack; names are `00012/target`, `00012/reference_3`, `00012/mass_0_5`.

    Raises `DatasetError` if the file is missing, is no pack, is damaged or truncated.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise DatasetError(
                f"{path}: no such pack. Datasets of `comphy generate` have it; the published ones do not."
            )
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
            if magic != _MAGIC:
                raise DatasetError(f"{path}: expected a rollout pack that starts with {_MAGIC!r} (got {magic!r}).")
            size = int.from_bytes(file.read(8), "little")
            head = file.read(min(size, path.stat().st_size))
            self._start = file.tell()
        self._index = _parse_index(head, path.stat().st_size - self._start, path)

    def __getitem__(self, name: str) -> bytes:
        if name not in self._index:
            held = f"{len(self._index)} others, such as '{next(iter(self._index))}'" if self._index else "nothing"
            raise MissingFromPack(f"{self.path}: expected '{name}' in the pack (it holds {held}). Make the pack again.")
        offset, size = self._index[name]
        with self.path.open("rb") as file:
            file.seek(self._start + offset)
            blob = file.read(size)
        if len(blob) != size:
            raise DatasetError(f"{self.path}: the pack is cut off at '{name}'. Make the pack again.")
        return blob

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def video(self, name: str) -> PackedVideo:
        """Decode one trajectory."""
        return decode(self[name], f"{self.path}: {name}")

    def sets(self) -> list[int]:
        """The numbers of the sets in the pack, ascending."""
        with reading(self.path):
            return sorted({int(name.split("/", 1)[0]) for name in self._index})


class MissingFromPack(DatasetError, KeyError):
    """A pack holds no such video. A `KeyError` too, as of any mapping."""

    __str__ = DatasetError.__str__


def _parse_index(head: bytes, room: int, path: Path) -> dict[str, tuple[int, int]]:
    """Where each blob begins and how long it is, within the `room` behind the index."""
    try:
        index = json.loads(head)
    except (ValueError, RecursionError):
        raise DatasetError(f"{path}: the pack's index is cut off or damaged. Make the pack again.") from None
    if not isinstance(index, dict):
        raise DatasetError(f"{path}: expected an index by names (got {type(index).__name__}). Make the pack again.")
    for name, place in index.items():
        if not _fits(place, room):
            raise DatasetError(
                f"{path}: the pack is cut off at '{name}': expected [offset, length] within the {room} bytes behind the "
                f"index (got {place!r:.60}). Make the pack again."
            )
    return {name: (place[0], place[1]) for name, place in index.items()}


def _fits(place: Any, room: int) -> bool:
    if not (isinstance(place, list) and len(place) == 2 and all(type(number) is int for number in place)):
        return False
    return place[0] >= 0 and place[1] >= 0 and place[0] + place[1] <= room


def target_name(index: int) -> str:
    return f"{index:05d}/target"


def reference_name(index: int, reference: int) -> str:
    return f"{index:05d}/reference_{reference}"


def counterfactual_name(index: int, key: str) -> str:
    return f"{index:05d}/{key}"
