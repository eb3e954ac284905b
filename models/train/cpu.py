"""Training on CPUs."""

import platform
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def quick_backward(device: torch.device) -> Iterator[None]:
    """On ARM processors oneDNN's backward convolutions take five times as long as torch's own; leave them out there."""
    if device.type != "cpu" or platform.machine() not in ("aarch64", "arm64"):
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the switch also speaks of GPUs that are not there
        with torch.backends.mkldnn.flags(enabled=False):
            yield


@contextmanager
def one_thread() -> Iterator[None]:
    """For steps that are too small to share: more threads are hardly faster on idle cores, many times slower on busy
    ones, and would make the last bits of the weights depend on the number of cores."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
