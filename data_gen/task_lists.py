"""Shares the templates of a puzzle benchmark out over processes or machines, each of which chooses tasks."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass

from comphy.cluster import run_on_ray
from comphy.processes import process_pool


@dataclass(frozen=True)
class BuildProgress:
    """How far a template is: tasks found of those that are wanted, and candidates tried."""

    template_id: str
    tasks: int
    wanted: int
    tried: int


@dataclass(frozen=True)
class TemplateWorker:
    """Chooses the tasks of one template after the other; what one process or actor does.

    Attributes:
        choose: goes on with the template of an id, and tells how far it is after each candidate."""

    choose: Callable[[str], Iterator[BuildProgress]]

    def make(self, template_id: str) -> BuildProgress:
        *_, last = self.choose(template_id)
        return last


def choose_tasks(
    worker: TemplateWorker,
    template_ids: Sequence[str],
    workers: int,
    report: Callable[[BuildProgress], None],
    ray_address: str | None = None,
) -> None:
    """Choose the tasks of all templates, each in one process, or in one actor of a Ray cluster.

    Args:
        worker: is sent to the processes.
        template_ids: the templates.
        workers: how many processes or actors. One alone also tells how far it is within a template.
        report: is told how far they are.
        ray_address: of the cluster."""
    if ray_address is not None:
        for progress in run_on_ray(TemplateWorker, (worker.choose,), template_ids, workers, ray_address):
            report(progress)
        return
    if workers == 1:
        for template_id in template_ids:
            for progress in worker.choose(template_id):
                report(progress)
        return
    with process_pool(workers) as pool:
        running = [pool.submit(worker.make, template_id) for template_id in template_ids]
        for finished in as_completed(running):
            report(finished.result())
