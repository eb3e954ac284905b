from pathlib import Path

import pytest
import torch

from models.train.checkpoint import checkpoint_files, load_tensors, save_tensors
from tests.support.commands import Result, comphy


def split(*arguments: object) -> Result:
    return comphy("split-checkpoint", *arguments)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "c.safetensors"
    save_tensors(path, {name: torch.full((500,), float(number)) for number, name in enumerate("abcd")}, {"step": 7})
    return path


def test_parts_replace_the_file_and_are_read_by_its_name(checkpoint: Path):
    before, facts = load_tensors(checkpoint)
    result = split(checkpoint, "--max-mb", 0.005)
    assert result.returncode == 0 and not checkpoint.exists()
    parts = checkpoint_files(checkpoint)
    assert len(parts) == 2 and all(part.stat().st_size <= 5000 for part in parts)
    assert all(part.name in result.stdout for part in parts)
    found, kept = load_tensors(checkpoint)
    assert kept == facts and all(torch.equal(found[name], before[name]) for name in before)


def test_a_small_checkpoint_stays_as_it_is(checkpoint: Path):
    before = checkpoint.read_bytes()
    assert split(checkpoint).returncode == 0
    assert list(checkpoint.parent.iterdir()) == [checkpoint] and checkpoint.read_bytes() == before


def test_what_cannot_be_split_is_explained_and_kept(checkpoint: Path):
    before = checkpoint.read_bytes()
    too_small = split(checkpoint, "--max-mb", 0.002)
    assert too_small.returncode == 1 and "a tensor is never split" in too_small.stderr
    missing = split(checkpoint.with_name("none.safetensors"))
    assert missing.returncode == 1 and "no such checkpoint" in missing.stderr
    assert checkpoint.read_bytes() == before
