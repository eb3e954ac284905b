"""Data-parallel training in several processes, as torchrun or `accelerate launch` starts them: each has its own batches.

The main process alone writes files and decides what depends on the clock or on signals. Every function here is collective:
all processes call it, in the same order. Within `on_main` only `is_main` may be called. A single process is the main one.
"""

import atexit
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from typing import Any, Final, TypeVar

import torch
from accelerate import PartialState
from accelerate.utils import broadcast, broadcast_object_list, reduce
from torch import nn

from comphy.errors import ComphyError

_TIMEOUT: Final = timedelta(days=1)  # the others wait this long while the main process perceives a whole dataset
_LOST: Final = (
    "onnection",
    "peer",
    "Socket",
    "timed out",
    "imeout",
)  # words of Gloo, which has no error type of its own
Result = TypeVar("Result")


class OtherProcessFailed(ComphyError):
    """Another process of the same training has failed and tells why; this one only ends, since it cannot go on alone."""


def state() -> PartialState:
    """The processes and this one's `process_index`. Without a GPU accelerate counts them only if told to use the CPU."""
    on_cpu = os.environ.get("ACCELERATE_USE_CPU", "").lower() == "true" or not torch.cuda.is_available()
    found = PartialState(cpu=on_cpu, timeout=_TIMEOUT)
    if found.num_processes > 1:
        _destroy_group_at_exit()
    return found


@cache
def _destroy_group_at_exit() -> None:
    """Gloo threads that still wait for messages when the interpreter is gone can crash a finished process."""
    atexit.register(_destroy_group)


def _destroy_group() -> None:
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def is_main() -> bool:
    """Whether this is the main process."""
    return bool(state().is_main_process)


def on_main(work: Callable[[], Result]) -> Result:
    """Call `work` in the main process while the others wait; returns its result in all of them.

    Raises:
        OtherProcessFailed: in the others, if `work` raised a `ComphyError` in the main process."""
    if state().num_processes == 1:
        return work()
    found: list[Any] = [None, False]
    try:
        if is_main():
            found = [work(), False]
    except ComphyError:
        _tell([None, True])
        raise
    _tell(found)
    result, failed = found
    if failed:
        raise OtherProcessFailed("The main process of this training has failed; its message says why.")
    return result


def _tell(found: list[Any]) -> None:
    """Overwrite the list of all processes with that of the main one."""
    with _together():
        broadcast_object_list(found)


@contextmanager
def _together() -> Iterator[None]:
    """Around whatever needs the other processes: one that has ended is told in a sentence, not in a traceback."""
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, torch.distributed.DistError) and not any(word in str(error) for word in _LOST):
            raise
        raise OtherProcessFailed(
            "Another process of this training has ended before its work was done; its message says why. Start all of them "
            "again: they go on from the last checkpoint."
        ) from error


def mean_over_processes(number: float) -> float:
    """The mean of a number over all processes (all-reduce)."""
    if state().num_processes == 1:
        return number
    with _together():
        return float(reduce(torch.tensor(number, device=state().device), reduction="mean"))


def broadcast_weights(model: nn.Module) -> None:
    """Overwrite the weights of all processes with those of the main one."""
    if state().num_processes == 1:
        return
    with torch.no_grad(), _together():
        for tensor in model.state_dict().values():
            tensor.copy_(broadcast(tensor.to(state().device)))


def average_gradients(parameters: Iterable[nn.Parameter]) -> None:
    """Replace gradients by their means over all processes (all-reduce), so that all take the same step.

    A gradient that some processes lack counts as zero there; one that all lack stays None.
    """
    if state().num_processes == 1:
        return
    trained = list(parameters)
    gradients = [torch.zeros_like(one) if one.grad is None else one.grad for one in trained]
    present = gradients[0].new_tensor([float(one.grad is not None) for one in trained])
    flat = torch.cat([*(gradient.flatten() for gradient in gradients), present])
    with _together():
        mean = reduce(flat.to(state().device), reduction="mean").to(flat.device)
    *parts, shares = mean.split([*(one.numel() for one in trained), len(trained)])
    for one, part, share in zip(trained, parts, shares.tolist(), strict=True):
        one.grad = part.view_as(one) if share > 0 else None
