"""A GPU whose memory is full, in a command that says nothing of its own about it."""

import pytest
import torch
from typer.testing import CliRunner

from comphy.command import build_app


def answer(message: str) -> None:
    """Fails as torch does."""
    raise torch.OutOfMemoryError(message) if "memory" in message else RuntimeError(message)


def test_a_full_gpu_is_an_error_of_one_line() -> None:
    result = CliRunner().invoke(build_app(answer), ["CUDA out of memory. Tried to allocate 9 GiB.\nAnd much more."])
    assert result.exit_code == 1
    assert result.stderr.startswith("error: The GPU's memory is full.") and result.stderr.count("\n") == 1
    assert "Tried to allocate 9 GiB." in result.stderr and "--device cpu" in result.stderr


def test_other_errors_of_torch_are_not_hidden() -> None:
    result = CliRunner().invoke(build_app(answer), ["shapes do not match"])
    assert isinstance(result.exception, RuntimeError)
    with pytest.raises(RuntimeError, match="shapes"):
        raise result.exception
