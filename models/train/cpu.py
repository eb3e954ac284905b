"""Settings of torch for training on CPUs."""

import platform
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def without_onednn_on_arm(device: torch.device) -> Iterator[None]:
    """Disable oneDNN (torch's `mkldnn`) on ARM CPUs: its backward convolutions take five times as long there as torch's
    own. Nothing changes on other devices."""
    if device.type != "cpu" or platform.machine() not in ("aarch64", "arm64"):
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the switch also warns of GPUs that are not there
        with torch.backends.mkldnn.flags(enabled=False):
            yield


@contextmanager
def one_thread() -> Iterator[None]:
    """Run torch's CPU operators in one thread, for steps that are too small to be worth more.

    More threads are hardly faster on idle cores and many times slower on busy ones. They also change the order of sums, so
    that the last bits of the weights would depend on the number of cores.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
