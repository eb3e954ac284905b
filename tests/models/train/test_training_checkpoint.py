"""What a training needs to be resumed is in one file, and a file of another training is refused."""

from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from torch import nn

from comphy.errors import DatasetError
from models.train.checkpoint import load_tensors, optimizer_tensors
from models.train.run import Run, claim_folder
from models.train.training_checkpoint import Snapshot, TrainingCheckpoint
from tests.support.leftovers import half_written


@dataclass(frozen=True)
class State:
    step: int = 0
    best: float = float("inf")


@pytest.fixture
def checkpoint(tmp_path: Path) -> TrainingCheckpoint:
    return TrainingCheckpoint(tmp_path / "c.safetensors", {"examples": ["a", "b"]})


def trained(steps: int, model: nn.Module) -> torch.optim.Optimizer:
    optimizer = torch.optim.AdamW(model.parameters(), 0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.ones(1, 3)).square().sum().backward()
        optimizer.step()
    return optimizer


def test_nothing_saved_is_a_new_beginning(checkpoint: TrainingCheckpoint):
    model = nn.Linear(3, 2)
    before = model.weight.clone()
    assert checkpoint.resume(model) is None
    assert checkpoint.resume_state(model, trained(0, model), State()) == State()
    assert torch.equal(model.weight, before)


def test_weights_moments_and_state_come_back(checkpoint: TrainingCheckpoint):
    model, twin = nn.Linear(3, 2), nn.Linear(3, 2)
    optimizer = trained(3, model)
    checkpoint.save_state(model, optimizer, State(3, 0.5))
    other = trained(0, twin)
    assert checkpoint.resume_state(twin, other, State()) == State(3, 0.5)
    assert torch.equal(model.weight, twin.weight)
    for mine, theirs in zip(optimizer.state.values(), other.state.values(), strict=True):
        assert all(torch.equal(mine[name], theirs[name]) for name in mine)


def test_memory_is_kept_apart_from_weights_and_moments(checkpoint: TrainingCheckpoint):
    checkpoint.save(nn.Linear(3, 2), Snapshot({"lesson": 1}, {"0.step": torch.ones(1)}, {"owners": torch.arange(3)}))
    found = checkpoint.resume(nn.Linear(3, 2))
    assert found is not None and found.facts["lesson"] == 1
    assert list(found.moments) == ["0.step"] and found.memory["owners"].tolist() == [0, 1, 2]


def test_a_memory_comes_back_with_the_state(checkpoint: TrainingCheckpoint):
    model = nn.Linear(3, 2)
    checkpoint.save_state(model, trained(1, model), State(1), {"random_state": torch.arange(4)})
    state, memory = checkpoint.resume_with_memory(model, trained(0, model), State())
    assert state == State(1) and memory["random_state"].tolist() == [0, 1, 2, 3]


def test_facts_of_earlier_versions_are_ignored(checkpoint: TrainingCheckpoint):
    model = nn.Linear(3, 2)
    facts = {"state": {"step": 4, "best": 0.5, "left_out": 0}}
    checkpoint.save(model, Snapshot(facts, optimizer_tensors(trained(1, model))))
    assert checkpoint.resume_state(model, trained(0, model), State()) == State(4, 0.5)


def test_names_in_the_file_stay_what_they_are(checkpoint: TrainingCheckpoint):
    """Runs that earlier versions have begun go on."""
    model = nn.Linear(3, 2)
    checkpoint.save_state(model, trained(1, model), State(1))
    tensors, facts = load_tensors(checkpoint.path)
    assert facts == {"state": {"step": 1, "best": float("inf")}, "examples": ["a", "b"]}
    assert {"model.weight", "model.bias", "optimizer.0.exp_avg", "optimizer.1.step"} < tensors.keys()


@pytest.mark.parametrize("source", [{"examples": ["a"]}, {"sentences": "x"}])
def test_a_checkpoint_of_other_examples_is_refused(checkpoint: TrainingCheckpoint, source: dict[str, object]):
    model = nn.Linear(3, 2)
    checkpoint.save(model, Snapshot({}))
    with pytest.raises(DatasetError, match=r"trained on other stories \(of bears\)\. Choose another --out"):
        TrainingCheckpoint(checkpoint.path, source, "stories (of bears)").resume(model)


def test_a_checkpoint_of_another_architecture_is_refused(checkpoint: TrainingCheckpoint):
    checkpoint.save(nn.Linear(3, 2), Snapshot({}))
    with pytest.raises(DatasetError, match="another architecture"):
        checkpoint.resume(nn.Linear(3, 4))


def test_a_training_clears_what_a_killed_one_left(tmp_path: Path):
    half_written(tmp_path / "checkpoint.safetensors")
    claim_folder(Run(tmp_path, tmp_path), State(best=0.5))
    assert [path.name for path in tmp_path.iterdir()] == ["config.yaml"]
