"""Mixed precision on GPUs, and what to do when their memory is full."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch

from comphy.errors import ComphyError, is_out_of_gpu_memory


def autocast(device: torch.device, bf16: bool) -> AbstractContextManager[Any]:
    """Mixed precision in bfloat16 on CUDA devices if `bf16`; full precision elsewhere."""
    return torch.autocast("cuda", torch.bfloat16) if bf16 and device.type == "cuda" else nullcontext()


def full_precision(device: torch.device) -> AbstractContextManager[Any]:
    """Within mixed precision, for recurrent layers: cuDNN's would come out in float16, which does not mix with bfloat16."""
    return torch.autocast(device.type, enabled=False)


@contextmanager
def gpu_memory_errors(work: str, advice: str) -> Iterator[None]:
    """Turn torch's out-of-memory errors into one that names the work and ends with `advice`.

    Raises:
        ComphyError: the memory of the GPU was too small.
    """
    try:
        yield
    except RuntimeError as error:
        if not is_out_of_gpu_memory(error):
            raise
        raise ComphyError(f"The GPU's memory is too small for {work}. {advice}") from error


def memory_errors(frames: int, advice: str) -> AbstractContextManager[None]:
    """The same for a batch of `frames`."""
    return gpu_memory_errors(f"batches of {frames} frames", advice)
