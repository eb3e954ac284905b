"""`Task`: a level of a template, found by its id, with shots that are certified to win it. The list is one file.

The file is gzipped JSON. A task is how far its assembly is moved, what distracts, and the solution, shot by shot:

    {"format": 1, "templates": {"4.4": {"017": [[0.5, -0.25], [["Circle", "wood", 3.1]], [[12.3, 1.0, null, null]]]}}}

A distractor without a material is a platform. A shot is degrees, stretch, seconds to the tap and to the next shot.
"""

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from comphy.errors import ConfigError, DatasetError
from comphy.files import require, write_bytes
from comphy.puzzles.phyq.templates.published import Template, find_template
from comphy.puzzles.phyq.templates.variation import Placement, distractor, placed_level
from comphy.puzzles.phyq.world.catalog import Material
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Block, Level, Platform

FORMAT: Final = 1
TASKS_PER_TEMPLATE: Final = 100
FIRST_TEST: Final = 81  # the first task of each template that agents are tested on; they learn from those before it
TASKS_FILE: Final = Path(__file__).parent / "data" / "tasks.json.gz"


@dataclass(frozen=True)
class Task:
    """A level that is certified to be winnable.

    Attributes:
        id: the template's id and a three-digit number from 001 on, such as `4.4:017`.
        placement: how far the assembly is moved, and what distracts.
        solution: shots that win the level."""

    id: str
    placement: Placement
    solution: tuple[Shot, ...]

    @property
    def template_id(self) -> str:
        """Id of the template, such as `4.4`."""
        return template_of(self.id)

    @property
    def number(self) -> int:
        """Number of the task among those of its template, from 1."""
        return int(self.id[-3:])

    @property
    def split(self) -> str:
        """Of local generalisation: train or test."""
        return "train" if self.number < FIRST_TEST else "test"

    @property
    def template(self) -> Template:
        """The template after which the task is made."""
        return find_template(self.template_id)

    @cached_property
    def level(self) -> Level:
        """The level that is played."""
        return placed_level(self.template, self.placement)

    @property
    def file_name(self) -> str:
        """What the published benchmark calls the level: C_SS_TT_NNNNN.xml."""
        category, scenario, template = map(int, self.template.level_name.split("_"))
        return f"{category}_{scenario:02d}_{template:02d}_{self.number:05d}.xml"


def template_of(task_id: str) -> str:
    """Find the template id in a task id.

    Args:
        task_id: such as `4.4:017`.

    Returns:
        The template id, such as `4.4`.

    Raises:
        ConfigError: if the task id is malformed."""
    found = re.fullmatch(r"(\d{1,2}\.\d):(\d{3})", task_id)
    if not found:
        raise ConfigError(f"Expected the id of a task such as '4.4:017' (got '{task_id}').")
    return found[1]


def load_tasks() -> Mapping[str, Task]:
    """All tasks by id, template by template; cached.

    Raises:
        DatasetError: if the file is missing or damaged."""
    return _kept(TASKS_FILE)


def find_task(task_id: str) -> Task:
    """Look up a task.

    Args:
        task_id: such as `4.4:017`.

    Returns:
        The task.

    Raises:
        ConfigError: if there is none of this id."""
    template_id, tasks = find_template(template_of(task_id)).id, load_tasks()
    if task_id not in tasks:
        ids = [one for one in tasks if template_of(one) == template_id]
        there = f"{len(ids)} of them, from {ids[0]} to {ids[-1]}" if ids else "none of them"
        raise ConfigError(f"Expected the id of a task (got '{task_id}'). Its template has {there}.")
    return tasks[task_id]


def write_tasks(path: Path, tasks: Iterable[Task]) -> None:
    """Write a list of tasks; the bytes do not depend on their order.

    Args:
        path: of the file.
        tasks: what to write."""
    templates: dict[str, dict[str, Any]] = {}
    for task in sorted(tasks, key=lambda one: (*map(int, one.template_id.split(".")), one.number)):
        row = [*plain_placement(task.placement), [plain_shot(shot) for shot in task.solution]]
        templates.setdefault(task.template_id, {})[task.id[-3:]] = row
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as file:
        file.write(json.dumps({"format": FORMAT, "templates": templates}, separators=(",", ":")).encode())
    write_bytes(path, packed.getvalue())


def read_tasks(path: Path) -> dict[str, Task]:
    """Read a list of tasks.

    Args:
        path: of the file.

    Returns:
        The tasks by id.

    Raises:
        DatasetError: if the file is missing, damaged or of another version."""
    try:
        record = json.loads(gzip.decompress(path.read_bytes()))
    except FileNotFoundError:
        raise DatasetError(f"{path}: the tasks of Phy-Q are missing. Make them with: comphy phyq build") from None
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise DatasetError(f"{path}: expected JSON in gzip ({error}). The file is damaged; make it again.") from None
    found = require(record, "format", int, str(path))
    if found != FORMAT:
        raise DatasetError(f"{path}: expected format {FORMAT} (got {found}). Use the version of comphy that made it.")
    templates = require(record, "templates", dict, str(path))
    return {task.id: task for template_id in templates for task in _tasks_of(template_id, templates, str(path))}


def plain_shot(shot: Shot) -> list[float | None]:
    """Turn a shot into a row of the file.

    Args:
        shot: any shot.

    Returns:
        Degrees and stretch in metres, rounded to three decimals, then seconds to the tap and to the next shot."""
    return [round(shot.degrees, 3), round((shot.dx**2 + shot.dy**2) ** 0.5, 3), shot.tap, shot.watch]


def shot_of(row: Iterable[float | None]) -> Shot:
    """Undo `plain_shot`.

    Args:
        row: degrees, stretch, tap and watch.

    Returns:
        The shot.

    Raises:
        ValueError: for a row without degrees or stretch."""
    degrees, stretch, tap, watch = row
    if degrees is None or stretch is None:
        raise ValueError("a shot needs degrees and stretch")
    return Shot.at(degrees, stretch, tap, watch)


def plain_placement(placement: Placement) -> list[Any]:
    """Turn a placement into a row of the file.

    Args:
        placement: any placement.

    Returns:
        The shift [dx, dy] in metres, and the distractors as [kind, material, x]."""
    return [[placement.dx, placement.dy], [_plain_distractor(thing) for thing in placement.distractors]]


def placement_of(row: Any) -> Placement:
    """Undo `plain_placement`.

    Args:
        row: shift and distractors.

    Returns:
        The placement."""
    (dx, dy), things = row
    return Placement(dx, dy, tuple(distractor(kind, made and Material(made), x) for kind, made, x in things))


def _plain_distractor(thing: Block | Platform) -> list[Any]:
    return [thing.kind, thing.material.value, thing.x] if isinstance(thing, Block) else ["Platform", None, thing.x]


def _tasks_of(template_id: str, templates: Mapping[str, Any], where: str) -> Iterator[Task]:
    for number, row in require(templates, template_id, dict, where).items():
        try:
            shift, things, shots = row
            task = Task(f"{template_id}:{number}", placement_of((shift, things)), tuple(map(shot_of, shots)))
            template_of(task.id)
        except (TypeError, ValueError, KeyError, ConfigError) as error:
            raise DatasetError(
                f"{where}: expected a shift, distractors and shots of task {template_id}:{number} (got "
                f"{str(row)[:80]}: {error}). The file is damaged; make it again."
            ) from None
        yield task


@cache
def _kept(path: Path) -> Mapping[str, Task]:
    return MappingProxyType(read_tasks(path))
