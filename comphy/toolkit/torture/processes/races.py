"""Shards of one dataset that begin at the same moment, each of them possibly twice, or two of them on Ray."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from comphy.toolkit.torture.processes.children import run_together
from comphy.toolkit.torture.processes.kills import Reference, judged
from comphy.toolkit.torture.processes.workloads import generation
from comphy.toolkit.torture.trial_result import TrialResult

_MOST_SHARDS = 3
_SHARE_ON_RAY = 0.05  # of the races: Ray takes a minute to start on a busy machine


class Races:
    """All processes exit 0 without a traceback, and their dataset has the bytes of one that a single process made."""

    name = "races"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._references: dict[int, Reference] = {}

    def trial(self, rng: np.random.Generator) -> TrialResult:
        sets, shards, times = (int(rng.integers(1, 1 + most)) for most in (3, _MOST_SHARDS, 2))
        if shards == 1:
            times = 2
        if sets not in self._references:
            self._references[sets] = Reference(generation(sets), self._folder / "undisturbed")
        out, logs = self._folder / "raced", self._folder / "logs"
        for folder in (out, logs):
            shutil.rmtree(folder, ignore_errors=True)
        logs.mkdir(parents=True)
        jobs = [generation(sets, f"{shard}/{shards}").job for shard in range(shards) for _ in range(times)]
        jobs = [jobs[number] for number in rng.permutation(len(jobs))]
        how = "finished"
        if rng.random() < _SHARE_ON_RAY and find_spec("ray") is not None:
            jobs, shards = [generation(sets, f"{shard}/2", on_ray=True).job for shard in range(2)], 2
            how = "finished on Ray"
        ended = run_together(jobs, out, logs)
        tried = f"{len(jobs)} processes, {shards} shards, {sets} sets{' on Ray' if 'Ray' in how else ''}"
        return judged(how, tried, ended, self._references[sets].files, generation(sets).files(out))
