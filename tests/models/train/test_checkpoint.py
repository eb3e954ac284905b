from pathlib import Path

import pytest
import torch
from safetensors.torch import save, save_file
from torch import nn

from comphy.errors import ConfigError, DatasetError
from models.train.checkpoint import (
    checkpoint_files,
    load_optimizer,
    load_tensors,
    load_weights,
    optimizer_tensors,
    prefixed,
    save_tensors,
    section,
    split_checkpoint,
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


def _four(path: Path) -> dict[str, torch.Tensor]:
    tensors = {name: torch.full((100,), float(number)) for number, name in enumerate("abcd")}
    save_tensors(path, tensors, {"step": 7})
    return tensors


def test_a_large_checkpoint_is_split_and_read_back(tmp_path: Path):
    path = tmp_path / "c.safetensors"
    tensors = _four(path)
    assert split_checkpoint(path, 10_000) == [path] == checkpoint_files(path), "small enough as it is"
    parts = split_checkpoint(path, 1_400)
    assert [part.name for part in parts] == ["c-00001-of-00002.safetensors", "c-00002-of-00002.safetensors"]
    assert sorted(tmp_path.iterdir()) == parts == checkpoint_files(path)
    assert all(part.stat().st_size <= 1_400 for part in parts)
    found, facts = load_tensors(path)
    assert facts == {"step": 7} and all(torch.equal(found[name], tensors[name]) for name in tensors)
    assert split_checkpoint(path, 1_400) == parts
    again = split_checkpoint(path, 840)
    assert len(again) == 4 and sorted(tmp_path.iterdir()) == again and load_tensors(path)[0].keys() == tensors.keys()
    with pytest.raises(ConfigError, match=r"room for 'a', 561 bytes \(got 500 bytes a part\)"):
        split_checkpoint(path, 500)


def test_parts_that_are_missing_or_of_two_checkpoints_are_named(tmp_path: Path):
    path = tmp_path / "c.safetensors"
    _four(path)
    parts = split_checkpoint(path, 1_400)
    stray = tmp_path / "c-00001-of-00003.safetensors"
    stray.write_bytes(parts[0].read_bytes())
    with pytest.raises(DatasetError, match=r"expected the 2 parts .*found .*c-00001-of-00003.*Copy all parts"):
        load_tensors(path)
    stray.unlink()
    parts[1].unlink()
    with pytest.raises(DatasetError, match=r"expected the 2 parts .*\(found c-00001-of-00002\.safetensors\)"):
        load_tensors(path)


def test_every_flipped_byte_is_found(tmp_path: Path):
    """Also in the weights themselves, where nothing but the checksum tells."""
    path = tmp_path / "model.safetensors"
    save_tensors(path, {"a": torch.randn(3, 2), "b": torch.arange(3), "flag": torch.tensor(True)}, {"step": 3})
    content = path.read_bytes()
    for place in range(len(content)):
        flipped = bytearray(content)
        flipped[place] ^= 4
        path.write_bytes(flipped)
        with pytest.raises(DatasetError, match=r"model\.safetensors"):
            load_tensors(path)


def test_checkpoints_without_a_checksum_load(tmp_path: Path):
    path = tmp_path / "older.safetensors"
    path.write_bytes(save({"a": torch.ones(2)}, {"facts": '{"step": 3}'}))
    tensors, facts = load_tensors(path)
    assert facts == {"step": 3} and tensors["a"].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("facts", ["[]", "{", "9" * 5000, '{"a":' * 100_000])
def test_damaged_facts_are_named(facts: str, tmp_path: Path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(save({"a": torch.ones(2)}, {"facts": facts}))
    with pytest.raises(DatasetError, match=r"model\.safetensors: not a checkpoint"):
        load_tensors(path)


def test_equal_contents_give_equal_files(tmp_path: Path):
    """Safetensors itself writes the entries of its header in any order."""
    files = [tmp_path / f"{number}.safetensors" for number in range(8)]
    for file in files:
        save_tensors(file, {"weight": torch.ones(3)}, {"name": "größe", "step": 2})
    assert len({file.read_bytes() for file in files}) == 1
    tensors, facts = load_tensors(files[0])
    assert torch.equal(tensors["weight"], torch.ones(3)) and facts == {"name": "größe", "step": 2}
