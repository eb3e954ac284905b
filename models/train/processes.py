"""Several processes that train one model together, each with its own part of the examples (torchrun, accelerate launch).

One of them leads: it alone writes files and decides what depends on the clock. Whatever is called here is called by all
processes, in the same order, and nothing but `leads` within `led`. By itself, a process leads.
"""

import atexit
import os
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import cache
from typing import Final, TypeVar

import torch
from accelerate import PartialState
from accelerate.utils import broadcast, broadcast_object_list, reduce
from torch import nn

_PATIENCE: Final = timedelta(days=1)  # with a leader that perceives all sets of a dataset while the others wait
Result = TypeVar("Result")


def team() -> PartialState:
    """The processes; this one is its `process_index`. Without a GPU accelerate counts them only if told to use the CPU."""
    on_cpu = os.environ.get("ACCELERATE_USE_CPU", "").lower() == "true" or not torch.cuda.is_available()
    found = PartialState(cpu=on_cpu, timeout=_PATIENCE)
    if found.num_processes > 1:
        _part_at_the_end()
    return found


@cache
def _part_at_the_end() -> None:
    """Threads that still wait for messages when Python is gone can bring a finished process down."""
    atexit.register(_part)


def _part() -> None:
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def leads() -> bool:
    return bool(team().is_main_process)


def led(work: Callable[[], Result]) -> Result:
    """Done by the leader alone while the others wait; all have what it came to, and see the files that it wrote."""
    if team().num_processes == 1:
        return work()
    found = [work() if leads() else None]
    broadcast_object_list(found)
    return found[0]  # type: ignore[return-value]


def averaged(number: float) -> float:
    """The mean over all processes."""
    if team().num_processes == 1:
        return number
    return float(reduce(torch.tensor(number, device=team().device), reduction="mean"))


def share_weights(model: nn.Module) -> None:
    """All have the leader's."""
    if team().num_processes == 1:
        return
    with torch.no_grad():
        for tensor in model.state_dict().values():
            tensor.copy_(broadcast(tensor.to(team().device)))


def share_gradients(parameters: Iterable[nn.Parameter]) -> None:
    """All have the mean gradient, so that they take the same step. What no process has a gradient of is left without."""
    if team().num_processes == 1:
        return
    taught = list(parameters)
    gradients = [torch.zeros_like(one) if one.grad is None else one.grad for one in taught]
    present = gradients[0].new_tensor([float(one.grad is not None) for one in taught])
    joined = torch.cat([*(gradient.flatten() for gradient in gradients), present])
    mean = reduce(joined.to(team().device), reduction="mean").to(joined.device)
    *parts, reached = mean.split([*(one.numel() for one in taught), len(taught)])
    for one, part, share in zip(taught, parts, reached.tolist(), strict=True):
        one.grad = part.view_as(one) if share > 0 else None
