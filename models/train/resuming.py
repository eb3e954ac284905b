"""The file that a training goes on from, after it was stopped or killed."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import torch
from torch import nn

from comphy.errors import DatasetError
from models.train.checkpoint import (
    Tensors,
    load_optimizer,
    load_tensors,
    load_weights,
    optimizer_tensors,
    prefixed,
    save_tensors,
    section,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

State = TypeVar("State", bound="DataclassInstance")
_STATE: Final = "state"


@dataclass(frozen=True)
class Reached:
    """What a training has come to, beside the weights: `facts` that JSON can hold, the optimizer's `moments`, and what
    else was found out on the way (`memory`)."""

    facts: Mapping[str, Any]
    moments: Tensors = field(default_factory=dict)
    memory: Tensors = field(default_factory=dict)


@dataclass(frozen=True)
class Checkpoint:
    """`source` is a fingerprint of what is learned from, by the name it has in the file: going on with anything else
    would give weights that no uninterrupted run has. `described` is what messages call it."""

    path: Path
    source: Mapping[str, Any]
    described: str = "questions (another --data, or one that has changed since)"

    def save(self, model: nn.Module, reached: Reached) -> None:
        """All or nothing: a run that is killed while it saves has the file before."""
        tensors = prefixed("model", model.state_dict()) | prefixed("optimizer", reached.moments)
        save_tensors(self.path, tensors | prefixed("memory", reached.memory), {**reached.facts, **self.source})

    def resume(self, model: nn.Module) -> Reached | None:
        """Put the saved weights into the model; None if nothing was saved."""
        if not self.path.is_file():
            return None
        tensors, facts = load_tensors(self.path)
        load_weights(model, section("model", tensors), self.path)
        if any(facts.get(name) != fingerprint for name, fingerprint in self.source.items()):
            raise DatasetError(
                f"{self.path}: the checkpoint was trained on other {self.described}. Choose another --out to train anew."
            )
        return Reached(facts, section("optimizer", tensors), section("memory", tensors))

    def save_state(self, model: nn.Module, optimizer: torch.optim.Optimizer, state: State) -> None:
        """Of a training whose facts are one dataclass of plain values."""
        self.save(model, Reached({_STATE: asdict(state)}, optimizer_tensors(optimizer)))

    def resume_state(self, model: nn.Module, optimizer: torch.optim.Optimizer, new: State) -> State:
        """What `save_state` has saved; `new` if nothing was."""
        reached = self.resume(model)
        if reached is None:
            return new
        load_optimizer(optimizer, reached.moments)
        return type(new)(**reached.facts[_STATE])
