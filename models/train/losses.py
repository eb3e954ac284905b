"""What every loss has to be."""

import math
from collections.abc import Mapping

from comphy.errors import ComphyError


def require_finite(losses: Mapping[str, float], when: str, setting: str, rate: float) -> None:
    """Stop before weights that are no numbers are saved. `setting` is the learning rate's key in the config."""
    if not all(map(math.isfinite, losses.values())):
        found = ", ".join(f"{name} {loss:g}" for name, loss in losses.items())
        raise ComphyError(
            f"the loss is no longer finite in {when} ({found}). The last checkpoint is kept; lower {setting} "
            f"(now {rate:g}) and train into another --out."
        )
