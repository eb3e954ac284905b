"""One training run: where it reads and writes, when it must stop, and what came of it."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from comphy.config import differences, named_differences, read_yaml, to_plain, under_present_names
from comphy.errors import ConfigError
from comphy.files import write_bytes
from comphy.temporaries import clear_temporaries
from models.train.interrupts import StopRequest

if TYPE_CHECKING:
    from rich.table import Table

    from comphy.dataset.frames import FrameBatches
    from comphy.evaluation.qa.accuracy import QAReport

CONFIG: Final = "config.yaml"

Report = Callable[[int, int], None]  # steps done, at most
# Opens frames of the run's dataset: where they come from, their width, the device they are wanted on.
OpenFrames = Callable[[str, int, str], "FrameBatches"]


@dataclass(frozen=True)
class TrainingOutcome:
    """What came of a run. `reports`: one for each split whose answers are known; `tables`: more to print;
    `interrupted_by`: the number of the signal that stopped it, if one did."""

    note: str
    reports: Mapping[str, "QAReport"] = field(default_factory=dict)
    tables: Sequence["Table"] = ()
    interrupted_by: int | None = None

    @property
    def exit_code(self) -> int:
        """Of the command: 0, or as shells count it 128 + the signal (130 after Ctrl-C, 143 after SIGTERM)."""
        return 0 if self.interrupted_by is None else 128 + self.interrupted_by


@dataclass(frozen=True)
class Run:
    """`max_minutes` counts from `started` on; what is unfinished by then goes on when the same command is run again.
    Runs made of one another with `dataclasses.replace` share their `stop` request."""

    data: Path
    out: Path
    max_minutes: float | None = None
    report: Report = lambda done, total: None
    open_frames: OpenFrames | None = None
    started: float = field(default_factory=time.monotonic)
    stop: StopRequest = field(default_factory=StopRequest)

    def frames(self, source: str, width: int, device: str) -> "FrameBatches":
        """Frames of the dataset from `source` (raytrace, videos, …), `width` pixels wide."""
        if self.open_frames is None:
            raise ConfigError("This task looks at frames: run it through comphy train, or give the run `open_frames`.")
        return self.open_frames(source, width, device)

    @property
    def interrupted_by(self) -> int | None:
        """The number of the signal that asked the run to stop."""
        return self.stop.signal

    def should_stop(self) -> bool:
        """Whether SIGINT or SIGTERM has come, or the time is up."""
        out_of_time = self.max_minutes is not None and time.monotonic() - self.started >= 60 * self.max_minutes
        return out_of_time or self.interrupted_by is not None

    def stopped(self, where: str, reports: "Mapping[str, QAReport] | None" = None) -> TrainingOutcome:
        """The outcome of a run that stopped early, `where` it did so ("at step 12")."""
        why = "Out of time" if self.interrupted_by is None else "Interrupted"
        note = f"{why} {where}: checkpoint in {self.out}; run the same command to go on."
        return TrainingOutcome(note, reports or {}, interrupted_by=self.interrupted_by)


def claim_folder(run: Run, config: Any) -> None:
    """Write the config into the run's folder; refuse a folder in which a run with another config has begun. What a killed
    run left unfinished there is cleared away."""
    values = to_plain(config)
    path = run.out / CONFIG
    clear_temporaries(run.out)
    if path.is_file():
        found = under_present_names(type(config), _read(path))
        if changed := differences(found, values):
            raise ConfigError(
                f"{path}: this folder holds a run with another config; different: {named_differences(changed)}. "
                "Go on with the config it was begun with, choose another --out, or delete the folder to begin anew."
            )
        return
    write_bytes(path, yaml.safe_dump(values, sort_keys=False).encode())


def release_folder(run: Run) -> None:
    """Take the config out again of a folder that has nothing else: a run that never began may begin with another."""
    path = run.out / CONFIG
    if path.is_file() and [file for file in run.out.rglob("*") if file.is_file()] == [path]:
        path.unlink()


def _read(path: Path) -> dict[str, Any]:
    found = read_yaml(path, "Choose another --out.")
    if not isinstance(found, dict):
        raise ConfigError(f"{path}: expected the config of a run (got {type(found).__name__}). Choose another --out.")
    return found
