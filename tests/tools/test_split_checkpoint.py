from pathlib import Path

import pytest
import torch
from typer import Typer
from typer.testing import CliRunner, Result

from comphy.errors import ConfigError, DatasetError
from models.train.checkpoint import checkpoint_files, load_tensors, save_tensors
from tools.split_checkpoint import main


def split(*arguments: object) -> Result:
    app = Typer()
    app.command()(main)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "c.safetensors"
    save_tensors(path, {name: torch.full((500,), float(number)) for number, name in enumerate("abcd")}, {"step": 7})
    return path


def test_parts_replace_the_file_and_are_read_by_its_name(checkpoint: Path):
    before, facts = load_tensors(checkpoint)
    result = split(checkpoint, "--max-mb", 0.005)
    assert result.exit_code == 0 and not checkpoint.exists()
    parts = checkpoint_files(checkpoint)
    assert len(parts) == 2 and all(part.stat().st_size <= 5000 for part in parts)
    assert all(part.name in result.stdout for part in parts)
    found, kept = load_tensors(checkpoint)
    assert kept == facts and all(torch.equal(found[name], before[name]) for name in before)


def test_a_small_checkpoint_stays_as_it_is(checkpoint: Path):
    before = checkpoint.read_bytes()
    assert split(checkpoint).exit_code == 0
    assert list(checkpoint.parent.iterdir()) == [checkpoint] and checkpoint.read_bytes() == before


def test_what_cannot_be_split_is_explained_and_kept(checkpoint: Path):
    before = checkpoint.read_bytes()
    too_small = split(checkpoint, "--max-mb", 0.002)
    assert isinstance(too_small.exception, ConfigError) and "a tensor is never split" in str(too_small.exception)
    missing = split(checkpoint.with_name("none.safetensors"))
    assert isinstance(missing.exception, DatasetError) and "no such checkpoint" in str(missing.exception)
    assert checkpoint.read_bytes() == before
