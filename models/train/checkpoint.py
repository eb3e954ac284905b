"""Tensors on disk: safetensors files, written whole or not at all, with a few plain facts in the file's header."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from comphy.dataset.files import write_bytes
from comphy.errors import DatasetError

_FACTS: Final = "facts"
Tensors = dict[str, Tensor]


def save_tensors(path: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> None:
    """`facts` is anything JSON can hold. One file, so that tensors and facts are always of the same moment."""
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_bytes(path, save(contiguous, {_FACTS: json.dumps(facts, sort_keys=True)}))


def load_tensors(path: Path) -> tuple[Tensors, dict[str, Any]]:
    if not path.is_file():
        raise DatasetError(f"{path}: no such checkpoint. Expected the folder of a run that tools/train.py has made.")
    try:
        with safe_open(str(path), framework="pt") as file:
            facts = json.loads((file.metadata() or {})[_FACTS])
            return {name: file.get_tensor(name) for name in file.keys()}, facts  # noqa: SIM118 - not a dict
    except (SafetensorError, KeyError, json.JSONDecodeError) as error:
        raise DatasetError(f"{path}: not a checkpoint of this toolkit ({error}). Delete it and train again.") from None


def load_weights(model: nn.Module, weights: Mapping[str, Tensor], path: Path) -> None:
    """Put weights into a model, or say which of them are of another architecture."""
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
    """An optimizer's moments and step counts by name; its settings come from the config."""
    state = optimizer.state_dict()["state"]
    return {f"{number}.{key}": value for number, entry in state.items() for key, value in entry.items()}


def load_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        number, key = name.split(".", 1)
        state.setdefault(int(number), {})[key] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def prefixed(prefix: str, tensors: Mapping[str, Tensor]) -> Tensors:
    return {f"{prefix}.{name}": tensor for name, tensor in tensors.items()}


def section(prefix: str, tensors: Mapping[str, Tensor]) -> Tensors:
    """What `prefixed` put into a file."""
    return {
        name.removeprefix(f"{prefix}."): tensor for name, tensor in tensors.items() if name.startswith(f"{prefix}.")
    }
