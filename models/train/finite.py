"""Losses and gradients must be finite: what happens when they are not."""

import math
from collections.abc import Mapping
from typing import Final

from comphy.errors import ComphyError

_MOST_SKIPPED: Final = 10


def require_finite(losses: Mapping[str, float], where: str, setting: str, rate: float) -> None:
    """Stop before weights that are NaN are saved. `setting` is the config's key of the learning rate, `rate` its value."""
    if not all(map(math.isfinite, losses.values())):
        found = ", ".join(f"{name} {loss:g}" for name, loss in losses.items())
        raise ComphyError(
            f"the loss is no longer finite {where} ({found}). The last checkpoint is kept; lower {setting} "
            f"(now {rate:g}) and train into another --out."
        )


def require_few_skipped(in_a_row: int, where: str, setting: str, rate: float) -> None:
    """A step with non-finite gradients is skipped, as AMP's gradient scaler does; many in a row are an error."""
    if in_a_row > _MOST_SKIPPED:
        raise ComphyError(
            f"the gradients of {in_a_row} steps in a row are not finite {where}. The last checkpoint is kept; lower "
            f"{setting} (now {rate:g}) and train into another --out."
        )
