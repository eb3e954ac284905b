"""Processes of which one fails, and what the others are told; run by test_distributed.py, which reads what they write."""

import json
import sys
from pathlib import Path

import torch
from torch import nn

from comphy.errors import ComphyError, ConfigError
from models.train.distributed import average_gradients, on_main, state


def main(out: Path) -> None:
    number = state().process_index
    seen = [told_of(lambda: on_main(fail))]
    if number == 0:  # the other process has gone by now, or goes while this one waits for it
        parameter = nn.Parameter(torch.zeros(2))
        parameter.grad = torch.ones(2)
        seen.append(told_of(lambda: average_gradients([parameter])))
    (out / f"process_{number}.json").write_text(json.dumps(seen))


def fail() -> None:
    raise ConfigError("The config is wrong.")


def told_of(work) -> list[str]:
    """The kind of error that is raised, and its message."""
    try:
        work()
    except ComphyError as error:
        return [type(error).__name__, str(error)]
    return []


if __name__ == "__main__":
    main(Path(sys.argv[1]))
