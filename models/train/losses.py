"""What every loss and every gradient has to be."""

import math
from collections.abc import Iterable, Mapping
from typing import Final

from torch import nn

from comphy.errors import ComphyError

_MOST_LEFT_OUT: Final = 10


def require_finite(losses: Mapping[str, float], when: str, setting: str, rate: float) -> None:
    """Stop before weights that are no numbers are saved. `setting` is the learning rate's key in the config."""
    if not all(map(math.isfinite, losses.values())):
        found = ", ".join(f"{name} {loss:g}" for name, loss in losses.items())
        raise ComphyError(
            f"the loss is no longer finite in {when} ({found}). The last checkpoint is kept; lower {setting} "
            f"(now {rate:g}) and train into another --out."
        )


def clipped(parameters: Iterable[nn.Parameter], most: float) -> bool:
    """Whether the gradients can be followed, once no longer together than `most`. A long rollout may have one that is no
    number, though its loss is: that step is better left out than taken."""
    norm = nn.utils.clip_grad_norm_(list(parameters), most)
    return math.isfinite(norm.item())


def require_few_left_out(in_a_row: int, when: str, setting: str, rate: float) -> None:
    """One step left out is an accident, many in a row are the end of learning."""
    if in_a_row > _MOST_LEFT_OUT:
        raise ComphyError(
            f"the gradients of {in_a_row} steps in a row are not finite in {when}. The last checkpoint is kept; lower "
            f"{setting} (now {rate:g}) and train into another --out."
        )
