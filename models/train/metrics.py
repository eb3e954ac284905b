"""The log of a run: one JSON object per line, and the same numbers for TensorBoard where it is installed."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from comphy.files import write_bytes
from models.train.distributed import is_main

METRICS: Final = "metrics.jsonl"
BOARD: Final = "tensorboard"


class MetricLog:
    """Numbers by step. A run that is resumed after step `done` drops lines of later steps, which will be taken again. Of
    several processes only the main one writes."""

    def __init__(self, out: Path, done: int) -> None:
        self._path = out / METRICS
        self._board = None
        self._writes = is_main()
        if not self._writes:
            return
        kept = [line for line in self._lines() if _step(line) <= done]
        write_bytes(self._path, "".join(f"{line}\n" for line in kept).encode())
        self._board = _board(out / BOARD, done)

    def log(self, step: int, values: Mapping[str, float]) -> None:
        if not self._writes:
            return
        with self._path.open("a") as file:
            file.write(json.dumps({"step": step, **values}) + "\n")
        if self._board is not None:
            for name, value in values.items():
                self._board.add_scalar(name, value, step)

    def __enter__(self) -> "MetricLog":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._board is not None:
            self._board.close()

    def _lines(self) -> list[str]:
        return self._path.read_text(errors="replace").splitlines() if self._path.is_file() else []


def _step(line: str) -> float:
    """The step of a line; infinite for a line that a killed run left half-written."""
    try:
        return float(json.loads(line)["step"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return float("inf")


def _board(folder: Path, done: int) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder), purge_step=done + 1)
