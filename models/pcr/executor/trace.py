"""How the executor comes to an answer: the soft value of every step of one program."""

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

    `value` by type: objects [N] memberships, object [N], pair [P], frame [T], words [C] distributions, count [6],
    yes/no and mass (heavy) one probability. Of events it is [E], and `events` (one row) tells what the slots are.
    """

    position: int
    call: str
    type: ValueType
    value: Tensor
    events: SoftEvents | None = None


def trace(program: Program, scene: SoftScene, row: int) -> list[SoftStep]:
    """Every step of a program about the set in a row of the scene, in the order of execution."""
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
