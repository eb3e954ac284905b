"""Certifies tasks in the engine: each is not solved without an action, and is solved stably by its certified solution."""

from collections.abc import Callable, Iterator, Sequence

from comphy.processes import in_chunks
from comphy.puzzles.phyre.benchmark.tasks import Task
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from comphy.sim.bullet import Engine

CHUNK = 10  # tasks that a process checks before it reports


def flaws(task: Task, engine: Engine) -> Iterator[str]:
    """What is wrong with a task, in words; nothing, if it keeps what the benchmark promises."""
    for name, values in task.template.domain.items():
        if task.parameters[name] not in values:
            yield f"{name} = {task.parameters[name]} is not in the template's domain"
    simulator = ActionSimulator({task.id: task.scene()}, task.tier, engine)
    if simulator.simulate_action(0, None, need_images=False).status.is_solved():
        yield "it is solved by doing nothing"
    status = simulator.simulate_action(0, task.solving_action, need_images=False, stable=True).status
    if not status.is_stably_solved():
        yield f"its certified solution {task.solution} gives {status.name}"


def check_tasks(tasks: Sequence[Task], workers: int, report: Callable[[int, int], None]) -> list[str]:
    """All flaws of these tasks, each with the id before it."""
    return in_chunks(_flaws_of, tasks, CHUNK, workers, report)


def _flaws_of(tasks: Sequence[Task]) -> list[str]:
    with Engine() as engine:
        return [f"{task.id}: {flaw}" for task in tasks for flaw in flaws(task, engine)]
