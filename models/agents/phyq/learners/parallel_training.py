"""Trains many small networks at once: those of several runs, in processes that share a device. One network leaves most of a
GPU idle."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path

from comphy.errors import ComphyError
from comphy.processes import process_pool
from comphy.puzzles.phyq.plays.store import PlayStore
from models.agents.phyq.learners.config import LearnerConfig
from models.agents.phyq.learners.runs import train_network, training_groups
from models.agents.phyq.learners.training import update_steps
from models.train.run import Run, claim_folder


@dataclass(frozen=True)
class NetworkJob:
    """One network of a run. `stop_at`: when it must stop, by the clock of `time.monotonic`."""

    config: LearnerConfig
    data: Path
    out: Path
    name: str
    stop_at: float | None = None

    @property
    def steps(self) -> int:
        return update_steps(self.config.learning, len(training_groups(self.config)[self.name]))[-1]


@dataclass(frozen=True)
class NetworkResult:
    """`share`: of its training tasks that its first shot wins; None if it is not finished. `problem`: why it cannot be."""

    job: NetworkJob
    share: float | None
    problem: str | None = None


def open_jobs(config: LearnerConfig, data: Path, out: Path, stop_at: float | None = None) -> list[NetworkJob]:
    """The networks of a run, whose folder is claimed as `comphy train` does it."""
    claim_folder(Run(data, out), config)
    return [NetworkJob(config, data, out, name, stop_at) for name in training_groups(config)]


def train_jobs(jobs: Sequence[NetworkJob], processes: int) -> Iterator[NetworkResult]:
    """Train networks, the longest first; results come as they are ready. What must stop keeps a checkpoint."""
    ordered = sorted(jobs, key=lambda job: -job.steps)
    if processes == 1:
        yield from map(_train, ordered)
        return
    with process_pool(min(processes, len(jobs))) as pool:
        for done in as_completed([pool.submit(_train, job) for job in ordered]):
            yield done.result()


def _train(job: NetworkJob) -> NetworkResult:
    now = time.monotonic()
    if job.stop_at is not None and now >= job.stop_at and not (job.out / job.name).is_dir():
        return NetworkResult(job, None)
    minutes = None if job.stop_at is None else max(job.stop_at - now, 0.0) / 60
    tasks = training_groups(job.config)[job.name]
    run = Run(job.data, job.out, minutes)
    try:
        return NetworkResult(job, train_network(job.config, run, job.name, tasks, PlayStore(job.data)))
    except ComphyError as error:  # of this network alone: the others go on
        return NetworkResult(job, None, str(error))
