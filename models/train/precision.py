"""Mixed precision on GPUs, and what to do when their memory is full."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch

from comphy.errors import ComphyError


def autocast(device: torch.device, bf16: bool) -> AbstractContextManager[Any]:
    """Mixed precision in bfloat16 on CUDA devices if `bf16`; full precision elsewhere."""
    return torch.autocast("cuda", torch.bfloat16) if bf16 and device.type == "cuda" else nullcontext()


def full_precision(device: torch.device) -> AbstractContextManager[Any]:
    """Within mixed precision, for recurrent layers: cuDNN's would come out in float16, which does not mix with bfloat16."""
    return torch.autocast(device.type, enabled=False)


@contextmanager
def memory_errors(frames: int, advice: str) -> Iterator[None]:
    """Turn torch's out-of-memory error into one that names the batch of `frames` and ends with `advice`."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise ComphyError(f"The GPU's memory is too small for batches of {frames} frames. {advice}") from error
