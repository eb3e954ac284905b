"""Counts how trials ended, in a file that later trials are added to."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from comphy.choices import Torture
from comphy.damage import reads_file
from comphy.errors import ConfigError
from comphy.files import read_json, require, write_json
from comphy.toolkit.torture.trial_result import TrialResult

_FLAGS: Final = ("survived", "lost", "different", "traceback", "skipped")


@dataclass(frozen=True)
class Failure:
    """A trial that was not survived. `repeat` is the command that tries it once more."""

    trial: int
    outcome: TrialResult
    repeat: str

    def record(self) -> dict[str, Any]:
        told = {name: getattr(self.outcome, name) for name in ("tried", "told", "how")}
        return {"trial": self.trial, **told, "ended": self._ended(), "repeat": self.repeat}

    def _ended(self) -> list[str]:
        return [name for name in _FLAGS if getattr(self.outcome, name)]

    @staticmethod
    def parse(record: Any, where: str) -> "Failure":
        tried, told, how, repeat = (require(record, key, str, where) for key in ("tried", "told", "how", "repeat"))
        ended = require(record, "ended", list, where)
        outcome = TrialResult(how, tried, "lost" in ended, "different" in ended, "traceback" in ended, told=told)
        return Failure(require(record, "trial", int, where), outcome, repeat)


@dataclass
class Tally:
    """How the trials of one kind ended. `ways` counts them by what happened, `trials` are the numbers of all of them."""

    kind: Torture
    trials: set[int] = field(default_factory=set)
    survived: int = 0
    lost: int = 0
    different: int = 0
    traceback: int = 0
    skipped: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    @property
    def tried(self) -> int:
        return len(self.trials)

    def add(self, trial: int, outcome: TrialResult, repeat: str) -> None:
        self.trials.add(trial)
        self._count(outcome, 1)
        if not (outcome.survived or outcome.skipped):
            self.failures.append(Failure(trial, outcome, repeat))

    def forget_failures(self) -> None:
        """Trials that were not survived are as good as not tried, so that they are tried once more."""
        for failure in self.failures:
            self.trials.remove(failure.trial)
            self._count(failure.outcome, -1)
        self.failures = []
        self.ways = +self.ways

    def _count(self, outcome: TrialResult, times: int) -> None:
        self.ways[outcome.how] += times
        for name in _FLAGS:
            setattr(self, name, getattr(self, name) + times * bool(getattr(outcome, name)))

    def record(self) -> dict[str, Any]:
        return {
            "trials": _spans(self.trials),
            "tried": self.tried,
            **{name: getattr(self, name) for name in _FLAGS},
            "ways": dict(sorted(self.ways.items())),
            "failures": [one.record() for one in self.failures],
        }

    @staticmethod
    def parse(kind: Torture, record: Any, where: str) -> "Tally":
        spans = require(record, "trials", list, where)
        return Tally(
            kind,
            {number for first, last in spans for number in range(first, last + 1)},
            **{name: require(record, name, int, where) for name in _FLAGS},
            ways=Counter(require(record, "ways", dict, where)),
            failures=[Failure.parse(one, where) for one in require(record, "failures", list, where)],
        )


class Tallies:
    """All that was counted with one seed, kept in a file if there is one."""

    def __init__(self, seed: int, path: Path | None = None) -> None:
        """Raises `ConfigError` if the file has counts of another seed, `DatasetError` if it has none at all."""
        self.seed, self._path = seed, path
        self._of: dict[Torture, Tally] = _read(path, seed) if path is not None and path.exists() else {}

    def of(self, kind: Torture) -> Tally:
        return self._of.setdefault(kind, Tally(kind))

    def write(self) -> None:
        if self._path is not None:
            record = {str(kind): tally.record() for kind, tally in self._of.items()}
            write_json(self._path, {"seed": self.seed, **record}, indent=1)


@reads_file
def _read(path: Path, seed: int) -> dict[Torture, Tally]:
    record = read_json(path, "delete it, or choose another --out")
    found = require(record, "seed", int, str(path))
    if found != seed:
        raise ConfigError(f"{path}: expected trials of seed {seed} (found seed {found}). Choose another --out.")
    return {kind: Tally.parse(kind, record[kind], f"{path}: {kind}") for kind in Torture if kind in record}


def _spans(numbers: Iterable[int]) -> list[list[int]]:
    """First and last numbers of what follows each other."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found
