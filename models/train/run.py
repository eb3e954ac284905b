"""One training run: where it reads and writes, how long it may go on, and what it reports."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml
from rich.table import Table

from comphy.config import to_plain
from comphy.dataset.files import write_bytes
from comphy.errors import ConfigError
from comphy.evaluation.qa.accuracy import QAReport
from models.perceiver.frames import FrameBatches

CONFIG: Final = "config.yaml"

Report = Callable[[int, int], None]  # epochs or steps done, at most
# Opens frames of the run's dataset: how they come about, their width, the device they are wanted on.
OpenFrames = Callable[[str, int, str], FrameBatches]


@dataclass(frozen=True)
class Run:
    """`max_minutes` counts from here on; what is unfinished by then goes on when the same command is run again."""

    data: Path
    out: Path
    max_minutes: float | None = None
    report: Report = lambda done, total: None
    open_frames: OpenFrames | None = None
    started: float = field(default_factory=time.monotonic)

    def frames(self, how: str, width: int, device: str) -> FrameBatches:
        if self.open_frames is None:
            raise ConfigError(
                "This task looks at frames: run it through tools/train.py, or give the run `open_frames`."
            )
        return self.open_frames(how, width, device)

    def time_is_up(self) -> bool:
        return self.max_minutes is not None and time.monotonic() - self.started >= 60 * self.max_minutes


@dataclass(frozen=True)
class Outcome:
    """What a run came to. `reports` holds one report for each split whose answers are known; `tables` more to print."""

    note: str
    reports: Mapping[str, QAReport] = field(default_factory=dict)
    tables: Sequence[Table] = ()


def claim(run: Run, config: Any) -> None:
    """Write the config into the run's folder; refuse a folder that another config's run has begun."""
    values = to_plain(config)
    path = run.out / CONFIG
    if path.is_file():
        found = _read(path)
        if found != values:
            changed = sorted(key for key in found.keys() | values.keys() if found.get(key) != values.get(key))
            raise ConfigError(
                f"{path}: this folder holds a run with another config; different: {', '.join(changed)}. "
                "Choose another --out, or delete the folder to begin anew."
            )
        return
    write_bytes(path, yaml.safe_dump(values, sort_keys=False).encode())


def _read(path: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load(path.read_text())
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a config ({error}). Choose another --out.") from None
    if not isinstance(found, dict):
        raise ConfigError(f"{path}: expected the config of a run (got {type(found).__name__}). Choose another --out.")
    return found
