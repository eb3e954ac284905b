from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from comphy.errors import DatasetError
from models.train.checkpoint import (
    load_optimizer,
    load_tensors,
    load_weights,
    optimizer_tensors,
    prefixed,
    save_tensors,
    section,
)


def test_tensors_and_facts_come_back(tmp_path: Path):
    tensors = {"a": torch.arange(6.0).reshape(2, 3).T, "b": torch.tensor(2)}
    save_tensors(tmp_path / "c.safetensors", tensors, {"epoch": 3, "loss": 0.1 + 0.2})
    found, facts = load_tensors(tmp_path / "c.safetensors")
    assert facts == {"epoch": 3, "loss": 0.1 + 0.2}
    assert all(torch.equal(found[name], tensors[name]) for name in tensors)
    assert [path.name for path in tmp_path.iterdir()] == ["c.safetensors"]


def test_sections_of_a_file():
    tensors = prefixed("model", {"x.y": torch.ones(1)}) | prefixed("models", {"z": torch.ones(1)})
    assert list(section("model", tensors)) == ["x.y"]


def test_an_optimizer_goes_on_where_it_was():
    torch.manual_seed(0)
    model, twin = nn.Linear(3, 2), nn.Linear(3, 2)
    one, two = (torch.optim.AdamW(m.parameters(), lr=0.1) for m in (model, twin))
    step(model, one)
    twin.load_state_dict(model.state_dict())
    load_optimizer(two, {name: tensor.clone() for name, tensor in optimizer_tensors(one).items()})
    step(model, one)
    step(twin, two)
    assert torch.equal(model.weight, twin.weight) and torch.equal(model.bias, twin.bias)


def step(model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    optimizer.zero_grad()
    model(torch.ones(1, 3)).square().sum().backward()
    optimizer.step()


@pytest.mark.parametrize(
    ("weights", "name"),
    [
        (
            {"weight": torch.ones(2, 4), "bias": torch.ones(2)},
            "'weight' with shape (2, 3) (got (2, 4); 1 tensors differ)",
        ),
        ({"weight": torch.ones(2, 3)}, "'bias' with shape (2,) (got none; 1 tensors differ)"),
        ({"weight": torch.ones(2, 3), "bias": torch.ones(2), "a": torch.ones(1)}, "'a' with shape none (got (1,)"),
    ],
)
def test_weights_that_do_not_fit_are_named(weights: dict[str, torch.Tensor], name: str):
    with pytest.raises(DatasetError) as error:
        load_weights(nn.Linear(3, 2), weights, Path("c.safetensors"))
    assert name in str(error.value)


def test_missing_damaged_and_foreign_files(tmp_path: Path):
    path = tmp_path / "c.safetensors"
    with pytest.raises(DatasetError, match="no such checkpoint"):
        load_tensors(path)
    save_tensors(path, {"a": torch.ones(100)}, {})
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(DatasetError, match="not a checkpoint of this toolkit"):
        load_tensors(path)
    save_file({"a": torch.ones(1)}, path)
    with pytest.raises(DatasetError, match="not a checkpoint of this toolkit"):
        load_tensors(path)
