"""Which steps are done and how long they took, in a file that is written before and after each of them."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from comphy.config import build, differences, named_differences
from comphy.errors import ConfigError
from comphy.files import disk_errors, read_json, require, write_json
from comphy.temporaries import clear_temporaries

STEPS: Final = "steps.json"


@dataclass(frozen=True)
class StepRecord:
    """`seconds` are those of all `attempts` together; an attempt that was killed without warning adds none."""

    command: str
    done: bool = False
    seconds: float = 0.0
    attempts: int = 0


class Journal:
    """The steps of one folder. It belongs to the settings that it was begun with. Steps may run in several threads."""

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        """Opens the journal of a folder, or begins one.

        Raises:
            ConfigError: the folder was begun with other settings; the message names them.
        """
        self.path = folder / STEPS
        clear_temporaries(folder)
        self._settings = dict(settings)
        self._records: dict[str, StepRecord] = {}
        self._writing = threading.Lock()
        if self.path.is_file():
            self._read()
        else:
            self._write()

    def record(self, name: str) -> StepRecord | None:
        """Of a step that was begun."""
        return self._records.get(name)

    @contextmanager
    def timed(self, name: str, command: str) -> Iterator[None]:
        """Begin a step; it is done if no error leaves the block. Either way its time is kept."""
        before = self._records.get(name, StepRecord(command))
        begun = replace(before, command=command, attempts=before.attempts + 1)
        self._put(name, begun)
        start, done = time.monotonic(), False
        try:
            yield
            done = True
        finally:
            seconds = round(before.seconds + time.monotonic() - start, 1)
            self._put(name, replace(begun, done=done, seconds=seconds))

    def _put(self, name: str, record: StepRecord) -> None:
        with self._writing:
            self._records[name] = record
            self._write()

    def _write(self) -> None:
        steps = {name: asdict(record) for name, record in self._records.items()}
        with disk_errors(self.path.parent):
            write_json(self.path, {"settings": self._settings, "steps": steps}, indent=1)

    def _read(self) -> None:
        found, where = read_json(self.path), str(self.path)
        changes = differences(require(found, "settings", dict, where), self._settings)
        if changes:
            raise ConfigError(
                f"{self.path}: this folder was begun with other settings; different: {named_differences(changes)}. "
                "Choose another --out, or the settings it was begun with."
            )
        steps = require(found, "steps", dict, where)
        self._records = {name: build(StepRecord, record, where) for name, record in steps.items()}
