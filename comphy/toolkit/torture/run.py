"""Runs many trials of one kind."""

import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np

from comphy.choices import Torture
from comphy.toolkit.torture.tally import Tally
from comphy.toolkit.torture.trial_result import Kind

TRIALS: Final = {
    Torture.MUTATIONS: 300,
    Torture.PACKS: 2000,
    Torture.PROGRAMS: 20_000,
    Torture.KILLS: 10,
    Torture.RACES: 10,
    Torture.FULL_DISK: 5,
    Torture.REQUESTS: 500,
}
SECONDS_PER_WRITE: Final = 5.0  # of trials that are lost at most, besides the last one, when torture itself is killed
Report = Callable[[int, int], None]


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
    tally: Tally | None = None,
    keep: Callable[[], None] = lambda: None,
) -> Tally:
    """Try a kind, by the numbers of its trials.

    Args:
        kind: what to try.
        folder: where files are made that are then damaged; what is found there from before is used again.
        seed: the same seed gives the same trials.
        trials: their numbers.
        report: called with (trials done, trials in all).
        enough: asked after each trial whether to stop.
        tally: what was counted before. Trials in it are left out, but for those that were not survived.
        keep: called every few seconds and at the end, to write the tally.

    Returns:
        How the trials ended."""
    tally = Tally(kind) if tally is None else tally
    tally.forget_failures()
    left = [number for number in trials if number not in tally.trials]
    kept = time.monotonic()
    with _opened(kind, folder) as opened:
        for done, number in enumerate(left, start=1 + len(trials) - len(left)):
            outcome = opened.trial(trial_rng(seed, kind, number))
            tally.add(number, outcome, f"comphy torture {kind} --seed {seed} --first {number} --trials 1")
            if report:
                report(done, len(trials))
            if time.monotonic() - kept >= SECONDS_PER_WRITE:
                keep()
                kept = time.monotonic()
            if enough():
                break
    keep()
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
            from comphy.toolkit.torture.processes.kills import Kills

            yield Kills(folder / "kills")
        case Torture.RACES:
            from comphy.toolkit.torture.processes.races import Races

            yield Races(folder / "races")
        case Torture.FULL_DISK:
            from comphy.toolkit.torture.processes.full_disk import FullDisk

            yield FullDisk(folder / "full-disk")
        case Torture.REQUESTS:
            from comphy.toolkit.torture.requests import Requests

            with Requests.opened(folder / "requests") as opened:
                yield opened
