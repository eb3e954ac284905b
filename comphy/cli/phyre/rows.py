"""Rows of progress that the commands of PHYRE share."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


def row(bar: "Progress", description: str) -> Callable[[int, int], None]:
    """A row that is shown when its work begins."""
    task = bar.add_task(description, total=None, visible=False)
    return lambda done, total: bar.update(task, completed=done, total=total, visible=total > 0)
