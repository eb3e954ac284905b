"""The file from which a training is resumed after it was stopped or killed."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import torch
from torch import nn

from comphy.damage import reading
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
class Snapshot:
    """What a checkpoint holds beside the weights: `facts` that JSON can hold, the optimizer's `moments`, and other tensors
    that cannot be computed again (`memory`)."""

    facts: Mapping[str, Any]
    moments: Tensors = field(default_factory=dict)
    memory: Tensors = field(default_factory=dict)


@dataclass(frozen=True)
class TrainingCheckpoint:
    """`source` is a fingerprint of the training data, by the name it has in the file: resuming with other data would give
    weights that no uninterrupted run has. `described` is what messages call the data."""

    path: Path
    source: Mapping[str, Any]
    described: str = "questions (another --data, or one that has changed since)"

    def save(self, model: nn.Module, snapshot: Snapshot) -> None:
        """Write to a temporary file and rename it: a run that is killed while it saves keeps the file before."""
        tensors = prefixed("model", model.state_dict()) | prefixed("optimizer", snapshot.moments)
        save_tensors(self.path, tensors | prefixed("memory", snapshot.memory), {**snapshot.facts, **self.source})

    def resume(self, model: nn.Module) -> Snapshot | None:
        """Load the saved weights into the model; None if nothing was saved. Raises DatasetError for a checkpoint of another
        architecture or of other training data."""
        if not self.path.is_file():
            return None
        tensors, facts = load_tensors(self.path)
        load_weights(model, section("model", tensors), self.path)
        if any(facts.get(name) != fingerprint for name, fingerprint in self.source.items()):
            raise DatasetError(
                f"{self.path}: the checkpoint was trained on other {self.described}. Choose another --out to train anew."
            )
        return Snapshot(facts, section("optimizer", tensors), section("memory", tensors))

    def save_state(
        self, model: nn.Module, optimizer: torch.optim.Optimizer, state: State, memory: Tensors | None = None
    ) -> None:
        """Save a training whose facts are one dataclass of plain values."""
        self.save(model, Snapshot({_STATE: asdict(state)}, optimizer_tensors(optimizer), memory or {}))

    def resume_state(self, model: nn.Module, optimizer: torch.optim.Optimizer, new: State) -> State:
        """What `save_state` has saved, without its memory; `new` if nothing was."""
        return self.resume_with_memory(model, optimizer, new)[0]

    def resume_with_memory(
        self, model: nn.Module, optimizer: torch.optim.Optimizer, new: State
    ) -> tuple[State, Tensors]:
        """State and memory of `save_state`; `new` and no memory if nothing was saved. Fields that an earlier version has
        saved and this one does not know are ignored."""
        snapshot = self.resume(model)
        if snapshot is None:
            return new, {}
        with reading(self.path, "The checkpoint is damaged; copy it again, or delete it and train again."):
            load_optimizer(optimizer, snapshot.moments)
            known = {one.name for one in fields(new)}
            saved = {name: value for name, value in snapshot.facts[_STATE].items() if name in known}
            return type(new)(**saved), snapshot.memory
