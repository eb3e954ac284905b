"""Execution trace of one program: the soft value of every step."""

from dataclasses import dataclass

from torch import Tensor

from comphy.programs.program import Program
from comphy.programs.types import ValueType
from models.pcr.executor.compiled import compile_program
from models.pcr.executor.run import execute, taken
from models.pcr.executor.schedule import Scheduler
from models.pcr.executor.soft_scene import SoftEvents, SoftScene


@dataclass(frozen=True)
class SoftStep:
    """One executed operator: its name and literal, and its result.

    `value` by type: objects [N] membership probabilities; object [N], pair [P], frame [T], words [C] and count [6]
    distributions; yes/no and mass (heavy) a single probability; events [E], whose slots `events` (one row) describes.
    """

    position: int
    call: str
    type: ValueType
    value: Tensor
    events: SoftEvents | None = None


def trace(program: Program, scene: SoftScene, row: int) -> list[SoftStep]:
    """Execute a program on the set in one row of the scene; returns every step in the order of execution."""
    scheduler = Scheduler([compile_program(program)], [row])
    uses = [scheduler.use(scheduler.values[[place]]) for place in range(len(program.operators))]
    schedule = scheduler.schedule().to(scene.objects.device)
    values, parts = execute(schedule, scene), schedule.parts
    steps = []
    for node, use in zip(program.operators, uses, strict=True):
        value = taken(use, values, parts)
        if isinstance(value, SoftEvents):
            steps.append(SoftStep(node.position, node.call, node.type, value.probability[0], value))
        else:
            steps.append(SoftStep(node.position, node.call, node.type, value[0]))
    return steps
