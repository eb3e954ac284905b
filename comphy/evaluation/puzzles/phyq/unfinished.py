"""Results of tasks that are done, kept beside the file of results until all are, so that a killed evaluation goes on."""

import json
from pathlib import Path

from comphy.closing import Closeable
from comphy.errors import ConfigError
from comphy.evaluation.puzzles.phyq.results import Record


class UnfinishedResults(Closeable):
    """A file of JSON lines: the header of the results, then the record of each task.

    Raises `ConfigError` if the file has results of other settings.
    """

    def __init__(self, results: Path, header: Record) -> None:
        self.path = results.with_name(f"{results.name}.unfinished")
        self.records: dict[str, Record] = {}
        text = self.path.read_text() if self.path.exists() else ""
        lines = text.splitlines()[: text.count("\n")]  # a line without an end was not written to its end
        if lines and json.loads(lines[0]) != header:
            raise ConfigError(
                f"{self.path}: expected results of the same agent, tasks, plays and seed (got others that are not "
                "finished). Finish them with the command that began them, or delete the file."
            )
        for line in lines[1:]:
            self.records.update(json.loads(line))
        results.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(f"{line}\n" for line in lines or [json.dumps(header)]))
        self._file = self.path.open("a")

    def add(self, task_id: str, record: Record) -> None:
        self.records[task_id] = record
        self._file.write(json.dumps({task_id: record}) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        """When all is done and written elsewhere."""
        self.close()
        self.path.unlink()
