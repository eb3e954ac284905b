"""Who can be asked: reasoners by their names, and the simulator."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from comphy.dataset.submission import short_names

WEIGHTS: Final = "pcr"  # those that come along
SIMULATOR: Final = "the simulator alone"


def named_reasoners(reasoners: Sequence[Path]) -> dict[str, Path]:
    """Folders of runs by their names; without any, the weights that come along."""
    runs = list(reasoners) or [Path(WEIGHTS)]
    return dict(zip(short_names(runs), runs, strict=True))


def answerers(reasoners: Sequence[Path]) -> list[str]:
    """The first one answers if none is named."""
    return [*named_reasoners(reasoners), SIMULATOR]
