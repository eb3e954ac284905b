"""Nested dataclasses of tensors: one function applied to every tensor, and several of them concatenated."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor

Tree = TypeVar("Tree")


def mapped(tree: Tree, change: Callable[[Tensor], Tensor]) -> Tree:
    """The same dataclass with `change` applied to every tensor in it, at any depth; other values are kept."""
    if isinstance(tree, Tensor):
        return change(tree)  # type: ignore[return-value]
    if not is_dataclass(tree) or isinstance(tree, type):
        return tree
    changed: dict[str, Any] = {field.name: mapped(getattr(tree, field.name), change) for field in fields(tree)}
    return type(tree)(**changed)


def joined(parts: list[Tree]) -> Tree:
    """Several such dataclasses concatenated along the first dimension of each tensor; other values must be equal."""
    first = parts[0]
    if first is None:
        return first
    if isinstance(first, Tensor):
        return torch.cat(parts)  # type: ignore[arg-type, return-value]
    if not is_dataclass(first) or isinstance(first, type):
        if any(part != first for part in parts):
            raise ValueError(f"Expected the same value in all parts (got {first} and others).")
        return first
    return type(first)(**{field.name: joined([getattr(part, field.name) for part in parts]) for field in fields(first)})
