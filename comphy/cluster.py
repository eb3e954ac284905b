"""Shares work on a Ray cluster, whose machines must see the same files."""

import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeVar

from comphy.errors import ComphyError, MissingDependency

_LOCAL: Final = "local"
Item = TypeVar("Item", contravariant=True)
Result = TypeVar("Result", covariant=True)


class Worker(Protocol[Item, Result]):
    """Opened once on each actor; makes one thing after the other."""

    def make(self, item: Item, /) -> Result: ...


def run_on_ray(
    worker: Callable[..., Worker[Item, Result]], given: Sequence[Any], items: Sequence[Item], workers: int, address: str
) -> Iterator[Result]:
    """Let actors, each a `worker` of what is given, make all items; yield results as they are finished. The address
    `local` starts Ray here."""
    ray = _ray()
    _check_reachable(address)
    try:
        ray.init(address=address, log_to_driver=False, include_dashboard=False)
    except Exception as error:  # a plain one, where its processes take more than 30 s to start
        raise _no_cluster(address, error) from error
    try:
        actors = [ray.remote(num_cpus=1)(worker).remote(*given) for _ in range(min(workers, len(items)))]
        waiting = list(reversed(items))
        running: dict[Any, Any] = {actor.make.remote(waiting.pop()): actor for actor in actors}
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
    if address == _LOCAL:
        return ComphyError(
            f"Ray does not start here ({error}). Run the same command again when the machine is less busy, or without --ray."
        )
    return ComphyError(
        f"No Ray cluster answers at '{address}' ({error}). Start one with `ray start --head`, or use --ray local."
    )


def _result(ray: Any, reference: Any) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        if isinstance(cause, ComphyError):
            raise cause from None
        raise
    except ray.exceptions.RayActorError as error:
        raise ComphyError(
            f"A Ray worker was lost ({error}). What is finished is kept; run the same command again to go on."
        ) from error


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingDependency("--ray needs Ray: pip install 'comphy[ray]'") from error
    return ray
