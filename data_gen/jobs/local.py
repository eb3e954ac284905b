"""Runs a job in processes of this machine."""

from collections.abc import Iterator, Sequence

from comphy.dataset.manifest import SetEntry
from comphy.processes import as_finished, process_pool
from data_gen.jobs.worker import Job, SetWorker

_worker: SetWorker | None = None  # one per worker process, opened by the pool's initialiser


def _open_worker(job: Job) -> None:
    global _worker
    _worker = SetWorker(job)


def _make(index: int) -> SetEntry | None:
    assert _worker is not None, "the pool's initialiser has not run"
    return _worker.make(index)


def run_local(job: Job, indices: Sequence[int], workers: int) -> Iterator[SetEntry | None]:
    """Make the sets and yield their entries as they are finished; None for one that another process makes."""
    if workers == 1:
        worker = SetWorker(job)
        try:
            yield from (worker.make(index) for index in indices)
        finally:
            worker.close()
        return
    yield from as_finished(process_pool(workers, _open_worker, job), _make, indices, "Finished sets are kept")
