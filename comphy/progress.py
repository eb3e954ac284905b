"""Progress of long work: bars in a terminal, plain lines where output goes to a file or a pipe."""

import threading
from datetime import timedelta
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

SECONDS_BETWEEN_LINES: Final = 10.0


def bars(console: Console) -> Progress:
    """One bar for each task, drawn over and over in the same place."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(TextColumn("{task.description}", markup=False), *columns, console=console)


def plain_lines(console: Console, every: float = SECONDS_BETWEEN_LINES) -> Progress:
    """A line for each unfinished task every so many seconds, and one when it is finished."""
    return _PlainLines(console, every)


class _PlainLines(Progress):
    """Rich draws nothing until the end where it cannot draw over; a log that stays empty for minutes looks like a hang."""

    def __init__(self, console: Console, every: float) -> None:
        super().__init__(console=console, auto_refresh=False, disable=True)
        self._every = every
        self._ended = threading.Event()
        self._told: set[TaskID] = set()
        self._teller = threading.Thread(target=self._tell_now_and_then, daemon=True)

    def start(self) -> None:
        self._teller.start()

    def stop(self) -> None:
        self._ended.set()
        self._teller.join()
        self._tell(only_finished=True)

    def _tell_now_and_then(self) -> None:
        while not self._ended.wait(self._every):
            self._tell(only_finished=False)

    def _tell(self, only_finished: bool) -> None:
        for task in self.tasks:
            finished = task.finished
            if task.id in self._told or not (task.visible and task.started) or (only_finished and not finished):
                continue
            if finished:
                self._told.add(task.id)
            self.console.print(_line(task), highlight=False, markup=False)


def _line(task: Task) -> str:
    done = "" if task.total is None else f" {task.completed:.0f}/{task.total:.0f},"
    elapsed = task.finished_time if task.finished else task.elapsed
    return f"{task.description}:{done} {timedelta(seconds=round(elapsed or 0))}"
