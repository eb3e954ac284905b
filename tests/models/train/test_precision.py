"""A GPU whose memory is full."""

import pytest
import torch

from comphy.errors import ComphyError
from models.train.precision import gpu_memory_errors, memory_errors

FULL = "CUDA out of memory. Tried to allocate 900 GiB."


@pytest.mark.parametrize("error", [torch.OutOfMemoryError(FULL), RuntimeError("CUDA error: out of memory")])
def test_a_full_gpu_is_explained(error: RuntimeError) -> None:
    with (
        pytest.raises(ComphyError, match=r"too small for 64 sets at once\. Take fewer\."),
        gpu_memory_errors("64 sets at once", "Take fewer."),
    ):
        raise error
    with pytest.raises(ComphyError, match="too small for batches of 8 frames"), memory_errors(8, "Take fewer."):
        raise error


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(RuntimeError, match="shapes do not match"), gpu_memory_errors("64 sets", "Take fewer."):
        raise RuntimeError("shapes do not match")
