"""Short lists of tasks of Phy-Q, whatever the package's list has."""

from pathlib import Path

from comphy.puzzles.phyq.tasks.task import Task, find_task, write_tasks


def first_tasks(template_id: str, count: int) -> list[Task]:
    return [find_task(f"{template_id}:{number:03d}") for number in range(1, count + 1)]


def write_first_tasks(path: Path, **counts: int) -> Path:
    """The first tasks of templates as a list: `t8_1=6` for six tasks of 8.1."""
    templates = {name.removeprefix("t").replace("_", "."): count for name, count in counts.items()}
    write_tasks(path, [task for template_id, count in templates.items() for task in first_tasks(template_id, count)])
    return path
