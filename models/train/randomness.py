"""Random numbers that depend on where a training is, not on how it came there."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def seeded(*numbers: int) -> Iterator[None]:
    """Torch's random numbers within are those of (seed, epoch), or of whatever numbers tell the moment; outside they go
    on as if nothing had happened."""
    devices = [torch.cuda.current_device()] if torch.cuda.is_initialized() else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(int(np.random.SeedSequence(numbers).generate_state(1)[0]))
        yield
