"""Tensors on disk: safetensors files, written to a temporary name and renamed, with a few facts as JSON in their header.

The header also has a checksum of tensors and facts, since a flipped bit in a weight shows nowhere else. Files from before
there was one load without it."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor, nn

from comphy.damage import reason
from comphy.errors import ConfigError, DatasetError
from comphy.files import write_bytes

_FACTS: Final = "facts"
_CHECKSUM: Final = "sha256"
_HEADER: Final = 160  # bytes: no entry of a tensor in a file's header is longer, its name not counted
_METADATA: Final = "__metadata__"
_LENGTH: Final = 8  # bytes of the header's size, which is a multiple of as many
_CHECKSUM_ROOM: Final = 80  # bytes of its entry there
Tensors = dict[str, Tensor]


def save_tensors(path: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> None:
    """Write tensors and `facts` (anything JSON can hold) to one file, so that they always belong together."""
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    told = json.dumps(facts, sort_keys=True)
    write_bytes(path, _in_order(save(contiguous, {_FACTS: told, _CHECKSUM: _checksum(contiguous, told)})))


def _in_order(file: bytes) -> bytes:
    """The same safetensors file with the entries of its header's metadata in order, which safetensors shuffles: equal
    contents give equal files."""
    size = int.from_bytes(file[:_LENGTH], "little")
    header = json.loads(file[_LENGTH : _LENGTH + size])
    header[_METADATA] = dict(sorted(header[_METADATA].items()))
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH)
    return len(text).to_bytes(_LENGTH, "little") + text + file[_LENGTH + size :]


def _checksum(tensors: Mapping[str, Tensor], facts: str) -> str:
    """SHA-256 of the facts and of each tensor's name, type, shape and bytes."""
    digest = hashlib.sha256(facts.encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"\n{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def load_tensors(path: Path) -> tuple[Tensors, dict[str, Any]]:
    """Tensors and facts of one file, or of the parts that `split_checkpoint` has made of it."""
    files = checkpoint_files(path)
    if not files:
        raise DatasetError(f"{path}: no such checkpoint. Expected the folder of a run that comphy train has made.")
    tensors: Tensors = {}
    facts: dict[str, Any] = {}
    for file in files:
        part, facts = _read(file)
        tensors |= part
    return tensors, facts


def load_facts(path: Path) -> dict[str, Any]:
    """The facts of a file alone, without reading its tensors."""
    try:
        with safe_open(str(path), framework="pt") as file:
            found: dict[str, Any] = json.loads((file.metadata() or {})[_FACTS])
            return found
    except Exception as error:  # of a damaged file: nearly anything
        raise DatasetError(
            f"{path}: not a checkpoint of this toolkit ({reason(error)}). Copy it again, or delete it and train again."
        ) from error


def checkpoint_files(path: Path) -> list[Path]:
    """The file itself, or else the parts it was split into; an empty list if there is neither."""
    if path.is_file():
        return [path]
    digits = "[0-9]" * 5
    found = sorted(path.parent.glob(f"{path.stem}-{digits}-of-{digits}{path.suffix}"))
    whole = int(found[0].stem.rpartition("-")[2]) if found else 0
    expected = [_part(path, number, whole) for number in range(1, whole + 1)]
    if found != expected:
        raise DatasetError(
            f"{path}: expected the {whole} parts {_part(path, 1, whole).name} … {_part(path, whole, whole).name} "
            f"(found {', '.join(file.name for file in found)}). Copy all parts of one checkpoint, and no others."
        )
    return found


def split_checkpoint(path: Path, max_bytes: int) -> list[Path]:
    """Replace a file larger than `max_bytes` by parts that are not, for places that limit the size of files.

    Every part has the facts; `load_tensors` reads the parts by the name of the whole.

    Returns:
        The parts, or the files that are there if all are small enough.

    Raises:
        DatasetError: there is no checkpoint.
        ConfigError: a single tensor is larger than a part may be.
    """
    files = checkpoint_files(path)
    if files and all(file.stat().st_size <= max_bytes for file in files):
        return files
    tensors, facts = load_tensors(path)
    room = max_bytes - len(json.dumps(facts)) - _HEADER - _CHECKSUM_ROOM
    groups: list[Tensors] = [{}]
    left = room
    for name, tensor in tensors.items():
        size = tensor.nbytes + len(name) + _HEADER
        if size > room:
            raise ConfigError(
                f"{path}: expected parts with room for '{name}', {size} bytes (got {max_bytes} bytes a part). Allow larger "
                "parts: a tensor is never split."
            )
        if size > left:
            groups.append({})
            left = room
        groups[-1][name] = tensor
        left -= size
    parts = [_part(path, number, len(groups)) for number in range(1, len(groups) + 1)]
    for part, group in zip(parts, groups, strict=True):
        save_tensors(part, group, facts)
    for file in set(files) - set(parts):
        file.unlink()
    return parts


def _part(path: Path, number: int, whole: int) -> Path:
    return path.with_name(f"{path.stem}-{number:05d}-of-{whole:05d}{path.suffix}")


def _read(path: Path) -> tuple[Tensors, dict[str, Any]]:
    try:
        with safe_open(str(path), framework="pt") as file:
            header = file.metadata() or {}
            facts = json.loads(header[_FACTS])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
        if not isinstance(facts, dict):
            raise TypeError(f"expected a JSON object as facts, got {type(facts).__name__}")
        if strange := header.keys() - {_FACTS, _CHECKSUM}:
            raise ValueError(f"expected '{_FACTS}' and '{_CHECKSUM}' in its header, got '{min(strange)}'")
        intact = _CHECKSUM not in header or header[_CHECKSUM] == _checksum(tensors, header[_FACTS])
    except Exception as error:  # of a damaged file: nearly anything
        raise DatasetError(
            f"{path}: not a checkpoint of this toolkit ({reason(error)}). Copy it again, or delete it and train again."
        ) from error
    if not intact:
        raise DatasetError(
            f"{path}: the checkpoint is damaged (its checksum is of other numbers). Copy it again, or delete it and train "
            "again."
        )
    return tensors, facts


def load_described(module: nn.Module, path: Path, described: Mapping[str, Any], description: str) -> dict[str, Any]:
    """Load weights that belong to the file `description` beside them, as facts in their header tell.

    Returns:
        All facts.

    Raises:
        DatasetError: the facts `described` are others in the header.
    """
    weights, facts = load_tensors(path)
    load_weights(module, weights, path)
    if any(facts.get(name) != value for name, value in described.items()):
        raise DatasetError(
            f"{path}: the weights belong to another vocabulary than {description} beside them. "
            "Keep the two files of one run together, or train anew into another --out."
        )
    return facts


def load_weights(model: nn.Module, weights: Mapping[str, Tensor], path: Path) -> None:
    """Load weights into a model; raises DatasetError, which names them, if some are of another architecture."""
    expected = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    found = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    if expected != found:
        different = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
        name = different[0]
        raise DatasetError(
            f"{path}: the checkpoint is of another architecture: expected '{name}' with shape "
            f"{expected.get(name, 'none')} (got {found.get(name, 'none')}; {len(different)} tensors differ). "
            "Use the config it was trained with, or train anew into another --out."
        )
    model.load_state_dict(dict(weights))


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> Tensors:
    """An optimizer's moments and step counts by name. Its settings are not saved: they come from the config."""
    state = optimizer.state_dict()["state"]
    return {f"{number}.{key}": value for number, entry in state.items() for key, value in entry.items()}


def load_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Load what `optimizer_tensors` gave."""
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        number, key = name.split(".", 1)
        state.setdefault(int(number), {})[key] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def prefixed(prefix: str, tensors: Mapping[str, Tensor]) -> Tensors:
    """Tensors by names that begin with `prefix.`."""
    return {f"{prefix}.{name}": tensor for name, tensor in tensors.items()}


def section(prefix: str, tensors: Mapping[str, Tensor]) -> Tensors:
    """Those tensors whose names begin with `prefix.`, without it."""
    return {
        name.removeprefix(f"{prefix}."): tensor for name, tensor in tensors.items() if name.startswith(f"{prefix}.")
    }
