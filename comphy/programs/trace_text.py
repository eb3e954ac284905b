"""Traces for people: numbered steps, the steps whose results each of them takes, and long results cut short.

The exact executor (`comphy.programs.executor.trace`) and the differentiable one tell of their steps in this form.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from rich.table import Table
from rich.text import Text

from comphy.programs.program import Node, Program

T = TypeVar("T")

# Where a program begins, nothing has been told apart yet: a number says as much as the list.
SOURCES: Final = {
    "objects": "all {} objects",
    "events": "all {} events of the video",
    "all_events": "all {} pairs of objects, as collisions",
}


@dataclass(frozen=True)
class TraceStep(Generic[T]):
    """One operator. `takes` are the numbers of the steps whose results it takes, `items` its own result."""

    number: int
    call: str
    takes: tuple[int, ...]
    items: tuple[T, ...]

    @property
    def takes_others(self) -> bool:
        """Whether it takes more than the result of the step before, which needs no telling."""
        return bool(self.takes) and self.takes != (self.number - 1,)


def numbered(program: Program, first: int = 1) -> Iterator[tuple[Node, int, tuple[int, ...]]]:
    """Each operator with its number and the numbers of the steps that it takes. The first step has the number `first`."""
    numbers = {node.position: number for number, node in enumerate(program.operators, first)}
    for node in program.operators:
        takes = tuple(numbers[argument.position] for argument in node.arguments if argument.op is not None)
        yield node, numbers[node.position], takes


def shortened(items: Sequence[T], most: int | None) -> tuple[list[T], list[str]]:
    """The items to show, and the line (or none) that says how many are left out: `most` lines in all, None means all."""
    if most is None or len(items) <= most:
        return list(items), []
    return list(items[: most - 1]), [f"… and {len(items) - most + 1} more"]


def grid() -> Table:
    """Aligned columns without lines."""
    return Table.grid(padding=(0, 2, 0, 0))


def steps_table(rows: Iterable[tuple[TraceStep[T], Text]], call_width: int) -> Table:
    """For a terminal: the number, the call, and the result of each step. The call says what the step takes where that is
    not the step before alone."""
    table = grid()
    table.add_column(justify="right", style="dim")
    table.add_column(max_width=call_width)
    for step, result in rows:
        takes = f" of {', '.join(map(str, step.takes))}" if step.takes_others else ""
        table.add_row(str(step.number), Text.assemble((step.call, "cyan"), (takes, "dim")), result)
    return table
