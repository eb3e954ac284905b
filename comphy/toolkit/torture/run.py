"""Runs many trials of several kinds, and counts how they ended."""

import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from comphy.choices import Torture
from comphy.toolkit.torture.outcome import Kind, Outcome

TRIALS: Final = {
    Torture.MUTATIONS: 300,
    Torture.PACKS: 2000,
    Torture.PROGRAMS: 20_000,
    Torture.KILLS: 10,
    Torture.RACES: 10,
    Torture.FULL_DISK: 5,
}
Report = Callable[[int, int], None]


@dataclass(frozen=True)
class Failure:
    """A trial that was not survived. `repeat` is the command that tries it once more."""

    trial: int
    outcome: Outcome
    repeat: str

    def record(self) -> dict[str, Any]:
        return {"trial": self.trial, "tried": self.outcome.tried, "told": self.outcome.told, "repeat": self.repeat}


@dataclass
class Tally:
    """How the trials of one kind ended. `ways` counts them by what happened."""

    kind: Torture
    first: int = 0
    tried: int = 0
    survived: int = 0
    lost: int = 0
    different: int = 0
    traceback: int = 0
    skipped: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, trial: int, outcome: Outcome, repeat: str) -> None:
        self.tried += 1
        self.ways[outcome.how] += 1
        for name in ("survived", "lost", "different", "traceback", "skipped"):
            setattr(self, name, getattr(self, name) + bool(getattr(outcome, name)))
        if not (outcome.survived or outcome.skipped):
            self.failures.append(Failure(trial, outcome, repeat))

    def record(self) -> dict[str, Any]:
        counts = {
            name: getattr(self, name)
            for name in ("first", "tried", "survived", "lost", "different", "traceback", "skipped")
        }
        return {**counts, "ways": dict(sorted(self.ways.items())), "failures": [one.record() for one in self.failures]}


def trial_rng(seed: int, kind: Torture, trial: int) -> np.random.Generator:
    """The random numbers of one trial, which depend on no other trial."""
    return np.random.default_rng((seed, zlib.crc32(kind.encode()), trial))


def torture(
    kind: Torture,
    folder: Path,
    seed: int,
    trials: Sequence[int],
    report: Report | None = None,
    enough: Callable[[], bool] = lambda: False,
) -> Tally:
    """Try a kind, by the numbers of its trials.

    Args:
        kind: what to try.
        folder: where files are made that are then damaged; what is found there from before is used again.
        seed: the same seed gives the same trials.
        trials: their numbers.
        report: called with (trials done, trials in all).
        enough: asked after each trial whether to stop.

    Returns:
        How the trials ended."""
    tally = Tally(kind, trials[0] if trials else 0)
    with _opened(kind, folder) as opened:
        for done, number in enumerate(trials, start=1):
            outcome = opened.trial(trial_rng(seed, kind, number))
            tally.add(number, outcome, f"comphy torture {kind} --seed {seed} --first {number} --trials 1")
            if report:
                report(done, len(trials))
            if enough():
                break
    return tally


@contextmanager
def _opened(kind: Torture, folder: Path) -> Iterator[Kind]:
    """A kind with what it needs; imported when wanted, since some need what others do not."""
    match kind:
        case Torture.MUTATIONS:
            from comphy.toolkit.torture.mutations import Mutations

            yield Mutations(folder / "materials")
        case Torture.PACKS:
            from comphy.toolkit.torture.packs import Packs

            with tempfile.TemporaryDirectory(prefix="comphy-packs-") as made:
                yield Packs(Path(made))
        case Torture.PROGRAMS:
            from comphy.toolkit.torture.programs import Programs

            yield Programs()
        case Torture.KILLS:
            from comphy.toolkit.torture.kills import Kills

            yield Kills(folder / "kills")
        case Torture.RACES:
            from comphy.toolkit.torture.races import Races

            yield Races(folder / "races")
        case Torture.FULL_DISK:
            from comphy.toolkit.torture.full_disk import FullDisk

            yield FullDisk(folder / "full-disk")
