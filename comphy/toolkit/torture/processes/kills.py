"""Commands that are killed by SIGKILL, before one of their file operations or at a random moment, and run again."""

import shutil
from pathlib import Path

import numpy as np

from comphy.choices import RendererName
from comphy.errors import ComphyError
from comphy.toolkit.torture.materials import SMALL, at_once, untrained_perceiver
from comphy.toolkit.torture.processes.children import Child, Ended
from comphy.toolkit.torture.processes.workloads import (
    Workload,
    differences,
    generation,
    generation_with_frames,
    perceiving,
    phyre_building,
    training,
)
from comphy.toolkit.torture.trial_result import TrialResult
from data_gen.config import DatasetConfig
from data_gen.jobs.generate import generate
from data_gen.jobs.worker import Job

_SETS_OF_ALL_SPLITS = 6


class Reference:
    """A workload that was run once without any disturbance."""

    def __init__(self, workload: Workload, folder: Path) -> None:
        self.workload = workload
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        ended = Child(workload.job, folder / "out", folder / "log").ended()
        if ended.code != 0:
            raise ComphyError(f"{workload.name}: failed although nothing disturbed it.\n{ended.printed[-2000:]}")
        self.files = workload.files(folder / "out")
        self.operations = ended.operations
        self.seconds = ended.seconds


class Kills:
    """One of five commands is killed once or twice and then run to the end: its files are those of an undisturbed run."""

    name = "kills"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._references: dict[str, Reference] = {}
        self._workloads = (
            lambda: generation(),
            lambda: generation_with_frames(),
            lambda: training(self._questions()),
            lambda: perceiving(untrained_perceiver(folder / "perceiver"), self._videos()),
            lambda: phyre_building(),
        )

    def trial(self, rng: np.random.Generator) -> TrialResult:
        workload = self._workloads[rng.integers(len(self._workloads))]()
        if workload.name not in self._references:
            self._references[workload.name] = Reference(workload, self._folder / "undisturbed")
        reference = self._references[workload.name]
        out, log = self._folder / "killed", self._folder / "killed.log"
        shutil.rmtree(out, ignore_errors=True)
        told = []
        for _ in range(rng.integers(1, 3)):
            told.append(_killed(reference, out, log, rng))
        ended = Child(workload.job, out, log).ended()
        tried = f"{workload.name}, killed {' and '.join(told)}"
        return judged(workload.name, tried, [ended], reference.files, workload.files(out))

    def _questions(self) -> Path:
        root = self._folder / "questions"
        if not root.exists():
            at_once(root, lambda made: generate(Job(made, 0, RendererName.NONE, DatasetConfig()), _SETS_OF_ALL_SPLITS))
        return root

    def _videos(self) -> Path:
        root = self._folder / "videos"
        if not root.exists():
            at_once(root, lambda made: generate(Job(made, 0, RendererName.RAYTRACE, SMALL), 1))
        return root


def _killed(reference: Reference, out: Path, log: Path, rng: np.random.Generator) -> str:
    """Start a workload and kill it. Returns when."""
    moment, number = rng.random(), int(rng.integers(1, reference.operations + 1))
    if rng.random() < 0.7:
        Child(reference.workload.job, out, log, kill_at=number).ended()
        return f"before file operation {number} of {reference.operations}"
    child = Child(reference.workload.job, out, log)
    child.wait(moment * reference.seconds)
    child.kill()
    child.ended()
    return f"after {moment * reference.seconds:.2f} s"


def judged(
    how: str, tried: str, all_ended: list[Ended], expected: dict[str, bytes], found: dict[str, bytes]
) -> TrialResult:
    """What became of commands that should all have succeeded, and of their files."""
    failed = [ended for ended in all_ended if ended.code != 0]
    lost, different = differences(expected, found)
    told = [f"exit code {ended.code}: {ended.printed[-400:]}" for ended in failed]
    told += [f"lost {', '.join(lost[:5])}"] * bool(lost) + [f"different: {', '.join(different[:5])}"] * bool(different)
    return TrialResult(
        how,
        tried,
        lost=bool(lost) or bool(failed),
        different=bool(different),
        traceback=any(ended.traceback for ended in all_ended),
        told="; ".join(told),
    )
