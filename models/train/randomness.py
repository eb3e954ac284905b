"""Random numbers that depend on the step of a training, not on how often it was stopped before."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def seeded(*numbers: int) -> Iterator[None]:
    """Seed torch's random numbers within by (seed, epoch) or other numbers; outside they continue as if nothing had
    happened."""
    devices = [torch.cuda.current_device()] if torch.cuda.is_initialized() else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(int(np.random.SeedSequence(numbers).generate_state(1)[0]))
        yield


@contextmanager
def continued(state: torch.Tensor | None, *numbers: int) -> Iterator[None]:
    """As `seeded`, but with the CPU generator in a `state` that it had before, if one is given."""
    with seeded(*numbers):
        if state is not None:
            torch.set_rng_state(state)
        yield
