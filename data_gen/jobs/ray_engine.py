"""Runs a job on a Ray cluster. The dataset folder must be on a file system that all its machines share."""

import socket
from collections.abc import Iterator, Sequence
from typing import Any

from comphy.dataset.manifest import SetEntry
from comphy.errors import ComphyError, MissingDependency
from data_gen.jobs.worker import Job, SetWorker


def run_ray(job: Job, indices: Sequence[int], workers: int, address: str) -> Iterator[SetEntry]:
    """Make the sets on `workers` actors and yield their entries as they are finished. `local` starts Ray here."""
    ray = _ray()
    _check_reachable(address)
    try:
        ray.init(address=address, log_to_driver=False, include_dashboard=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise _no_cluster(address, error) from error
    try:
        actors = [ray.remote(num_cpus=1)(SetWorker).remote(job) for _ in range(workers)]
        waiting = list(reversed(indices))
        running: dict[Any, Any] = {}
        for actor in actors:
            if waiting:
                running[actor.make.remote(waiting.pop())] = actor
        while running:
            ready, _ = ray.wait(list(running), num_returns=1)
            actor = running.pop(ready[0])
            yield _result(ray, ready[0])
            if waiting:
                running[actor.make.remote(waiting.pop())] = actor
    finally:
        ray.shutdown()


def _check_reachable(address: str) -> None:
    """Ray itself waits many minutes for a cluster that is not there."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdigit()):
        return
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError as error:
        raise _no_cluster(address, error) from error


def _no_cluster(address: str, error: Exception) -> ComphyError:
    return ComphyError(
        f"No Ray cluster answers at '{address}' ({error}). Start one with `ray start --head`, or use --ray local."
    )


def _result(ray: Any, reference: Any) -> SetEntry:
    try:
        entry: SetEntry = ray.get(reference)
        return entry
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        if isinstance(cause, ComphyError):
            raise cause from None
        raise
    except ray.exceptions.RayActorError as error:
        raise ComphyError(
            f"A Ray worker was lost ({error}). Finished sets are kept; run the same command again to go on."
        ) from error


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingDependency("--ray needs Ray: pip install 'comphy[ray]'") from error
    return ray
