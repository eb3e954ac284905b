"""A disk that is full: generation on a tmpfs of too few bytes, which then grows."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np

from comphy.toolkit.torture.processes.children import Child
from comphy.toolkit.torture.processes.kills import Reference, judged
from comphy.toolkit.torture.processes.workloads import generation
from comphy.toolkit.torture.trial_result import TrialResult

_PAGE = 4096  # bytes
_ENOUGH = 1 << 26


class FullDisk:
    """The command says that the disk is full and exits 1; run again with more room, it ends with the expected bytes."""

    name = "full-disk"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reference: Reference | None = None

    def trial(self, rng: np.random.Generator) -> TrialResult:
        disk, log = self._folder / "disk", self._folder / "log"
        shutil.rmtree(disk, ignore_errors=True)
        disk.mkdir(parents=True)
        if os.geteuid() != 0 or not _mount(disk, _PAGE):
            return TrialResult("needs root", "a small tmpfs", skipped=True)
        try:
            if self._reference is None:
                self._reference = Reference(generation(), self._folder / "undisturbed")
            needed = sum(-(-len(content) // _PAGE) * _PAGE for content in self._reference.files.values())
            room = int(rng.integers(1, needed // _PAGE)) * _PAGE
            _mount(disk, room, "remount,")
            return self._starved(self._reference, disk, log, f"{room} of {needed} bytes")
        finally:
            subprocess.run(["umount", str(disk)], check=False, capture_output=True)

    def _starved(self, reference: Reference, disk: Path, log: Path, tried: str) -> TrialResult:
        out = disk / "data"
        full = Child(reference.workload.job, out, log).ended()
        _mount(disk, _ENOUGH, "remount,")
        ended = Child(reference.workload.job, out, log).ended()
        found = reference.workload.files(out)
        outcome = judged("told", tried, [ended], reference.files, found)
        if full.traceback or full.code != 1 or "the disk is full" not in full.printed:
            told = f"on the full disk, exit code {full.code}: {full.printed[-400:]}"
            return TrialResult("not told", tried, outcome.lost, not full.traceback, full.traceback, told=told)
        return outcome


def _mount(disk: Path, size: int, options: str = "") -> bool:
    command = ["mount", "-t", "tmpfs", "-o", f"{options}size={size}", "tmpfs", str(disk)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0
