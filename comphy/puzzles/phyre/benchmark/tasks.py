"""The tasks of the benchmark: parameters of a template and one certified solution each, in one file per tier.

A file is gzipped JSON. The names of the parameters are stored once per template, their values per task:

    {"format": 1, "tier": "ball",
     "templates": {"00002": {"parameters": ["length", "left", "bottom"],
                             "tasks": {"000": [[0.3, 0.2, 0.5], [40, 200, 12]]}}}}

The second list of a task is its solution: x, y and radius of each ball in whole pixels.
"""

import gzip
import io
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from comphy.errors import ConfigError, DatasetError
from comphy.files import require, write_bytes
from comphy.puzzles.phyre.templates.template import Parameters, Template, find_template, rebuilt
from comphy.puzzles.phyre.world.actions import Tier
from comphy.puzzles.phyre.world.scene import Scene

FORMAT: Final = 1
TASKS_FOLDER: Final = Path(__file__).parents[1] / "data"


@dataclass(frozen=True)
class Task:
    """A task of the benchmark. Its id is the template's id and a three-digit number: '00002:017'."""

    id: str
    parameters: Parameters
    solution: tuple[int, ...]  # x, y and radius of each ball in pixels

    @property
    def template_id(self) -> str:
        return template_of(self.id)

    @property
    def template(self) -> Template:
        return find_template(self.template_id)

    @property
    def tier(self) -> Tier:
        return self.template.tier

    @property
    def solving_action(self) -> NDArray[np.float64]:
        """The action [D] that places the balls of the certified solution."""
        return self.tier.actions_of([self.solution])[0]

    def scene(self) -> Scene:
        return rebuilt(self.template_id, self.parameters).scene


def template_of(task_id: str) -> str:
    """The template id in a task id. Raises `ConfigError` if it is malformed."""
    template_id, colon, number = task_id.partition(":")
    if not (colon and len(template_id) == 5 and len(number) == 3 and (template_id + number).isdecimal()):
        raise ConfigError(f"Expected the id of a task such as '00002:017' (got '{task_id}').")
    return template_id


def tasks_file(tier: Tier) -> Path:
    return TASKS_FOLDER / f"{tier.name}.json.gz"


def load_tasks(tier: Tier) -> Mapping[str, Task]:
    """All tasks of a tier by id, sorted by id; cached. Raises `DatasetError` if the file is missing or damaged."""
    return _kept(tasks_file(tier), tier)


def find_task(task_id: str) -> Task:
    """The task of this id. Raises `ConfigError` if there is none."""
    tier = find_template(template_of(task_id)).tier
    tasks = load_tasks(tier)
    if task_id not in tasks:
        ids = [one for one in tasks if template_of(one) == template_of(task_id)]
        there = f"{len(ids)} of them, from {ids[0]} to {ids[-1]}, with gaps" if ids else "none of them"
        raise ConfigError(f"Expected the id of a task (got '{task_id}'). Its template has {there}.")
    return tasks[task_id]


def write_tasks(path: Path, tier: Tier, tasks: Iterable[Task]) -> None:
    """Write the tasks of a tier; the bytes do not depend on their order.

    Raises `ConfigError` for a task of another tier.
    """
    templates: dict[str, Any] = {}
    for task in sorted(tasks, key=lambda t: t.id):
        if task.tier != tier or len(task.solution) != tier.dimensions:
            raise ConfigError(f"Expected tasks of tier {tier.name} with {tier.dimensions} numbers (got {task}).")
        names = list(task.template.domain)
        values = [task.parameters[name] for name in names]
        listed = templates.setdefault(task.template_id, {"parameters": names, "tasks": {}})
        listed["tasks"][task.id[6:]] = [values, list(task.solution)]
    content = {"format": FORMAT, "tier": tier.name, "templates": templates}
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as file:
        file.write(json.dumps(content, separators=(",", ":")).encode())
    write_bytes(path, packed.getvalue())


def read_tasks(path: Path, tier: Tier) -> dict[str, Task]:
    """Read the tasks of a tier by id. Raises `DatasetError` if the file is missing, damaged or of another tier."""
    try:
        record = json.loads(gzip.decompress(path.read_bytes()))
    except FileNotFoundError:
        raise DatasetError(
            f"{path}: the tasks of tier {tier.name} are missing. Make them with: comphy phyre build"
        ) from None
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise DatasetError(
            f"{path}: expected JSON in gzip ({error}). The file is damaged; install comphy again."
        ) from None
    where = str(path)
    found = (require(record, "format", int, where), require(record, "tier", str, where))
    if found != (FORMAT, tier.name):
        raise DatasetError(f"{where}: expected format {FORMAT} and tier {tier.name} (got {found[0]} and {found[1]}).")
    templates = require(record, "templates", dict, where)
    return {
        task.id: task for template_id in templates for task in _tasks_of(template_id, templates[template_id], where)
    }


def _tasks_of(template_id: str, record: Any, where: str) -> Iterator[Task]:
    names = require(record, "parameters", list, where)
    for number, listed in require(record, "tasks", dict, where).items():
        try:
            values, solution = listed
            yield Task(f"{template_id}:{number}", dict(zip(names, values, strict=True)), tuple(solution))
        except (TypeError, ValueError):
            raise DatasetError(
                f"{where}: expected values of {', '.join(names)} and a solution for task {template_id}:{number} "
                f"(got {str(listed)[:80]})."
            ) from None


@cache
def _kept(path: Path, tier: Tier) -> Mapping[str, Task]:
    return MappingProxyType(read_tasks(path, tier))
