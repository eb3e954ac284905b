"""Level files as tasks: which template a file is of, how far its assembly is moved, and what distracts.

The published tasks are such files, `C_SS_TT_NNNNN.xml`, and `comphy phyq write` makes them. They have no solutions.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from comphy.errors import DatasetError
from comphy.puzzles.phyq.level_xml import read_level
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.templates.published import Template, load_templates
from comphy.puzzles.phyq.templates.variation import DECIMALS, Placement, distractor, placed_level
from comphy.puzzles.phyq.world.level import Block, Level, Pig, Platform, Thing

NAME: Final = re.compile(r"(\d)_(\d\d?)_(\d\d?)_(\d{1,5})\.xml")
SAME: Final = 0.002  # metres and degrees; files have four or five decimals
LARGEST_NUMBER: Final = 999  # of a task: ids have three digits


def level_files(folder: Path) -> list[Path]:
    """The files of tasks in a folder and those below it, template by template.

    Raises `DatasetError` if there are none.
    """
    found = sorted(path for path in folder.rglob("*.xml") if NAME.fullmatch(path.name)) if folder.is_dir() else []
    if not found:
        raise DatasetError(
            f"{folder}: expected level files named C_SS_TT_NNNNN.xml, as the published tasks are (found none). "
            "`comphy phyq write` makes such a folder."
        )
    return found


def read_task(path: Path) -> Task:
    """The task of a file, without a solution.

    Raises `DatasetError` if the file is damaged, its name is of no template, or its level does not follow the template.
    """
    template, number = _named(path)
    level = read_level(path)
    return Task(f"{template.id}:{number:03d}", placement_in(template, level, str(path)), ())


def placement_in(template: Template, level: Level, where: str) -> Placement:
    """How a level follows from its template.

    Raises `DatasetError` if it does not.
    """
    if level.birds != template.level.birds:
        raise DatasetError(
            f"{where}: expected the birds of {template.id}, {_words(template.level.birds)} (got others)."
        )
    for dx, dy in _shifts(template, level.things):
        assembly = placed_level(template, Placement(dx, dy, ())).things
        others = _without(level.things, assembly)
        if others is not None:
            return Placement(dx, dy, tuple(_distractor(thing, where) for thing in others))
    why = f"It differs from the published one: {template.changed}" if template.changed else "Is it of another game?"
    raise DatasetError(
        f"{where}: expected the assembly of template {template.id} somewhere (found none that has all its things). {why}"
    )


def _named(path: Path) -> tuple[Template, int]:
    found = NAME.fullmatch(path.name)
    numbers = tuple(map(int, found.groups())) if found else ()
    for template in load_templates().values():
        if numbers[:3] == tuple(map(int, template.level_name.split("_")))[:3] and 1 <= numbers[3] <= LARGEST_NUMBER:
            return template, numbers[3]
    raise DatasetError(
        f"{path}: expected a name such as 2_02_01_00017.xml: category, scenario and template of a published level, and a "
        f"number up to {LARGEST_NUMBER}."
    )


def _shifts(template: Template, things: Sequence[Thing]) -> Iterator[tuple[float, float]]:
    """By which the assembly may have been moved: those that bring a thing that moves to one of its kind."""
    if template.variation.anchor is None:
        yield (0.0, 0.0)
        return
    moving = next(one for one in template.level.things if template.variation.moves != "pigs" or isinstance(one, Pig))
    for thing in things:
        if _alike(moving, replace(thing, x=moving.x, y=moving.y)):
            yield (round(thing.x - moving.x, DECIMALS), round(thing.y - moving.y, DECIMALS))


def _without(things: Sequence[Thing], assembly: Sequence[Thing]) -> list[Thing] | None:
    """What is left without one thing for each of the assembly, or None where one is missing."""
    left = list(things)
    for wanted in assembly:
        found = next((one for one in left if _alike(wanted, one)), None)
        if found is None:
            return None
        left.remove(found)
    return left


def _alike(one: Thing, other: Thing) -> bool:
    if type(one) is not type(other):
        return False
    words = all(getattr(one, name, None) == getattr(other, name, None) for name in ("kind", "material"))
    sizes = all(
        abs(getattr(one, name, 0.0) - getattr(other, name, 0.0)) < SAME for name in ("x", "y", "width", "height")
    )
    turned = (one.degrees - other.degrees + 180.0) % 360.0 - 180.0
    return words and sizes and abs(turned) < SAME


def _distractor(thing: Thing, where: str) -> Block | Platform:
    """Kept as what it is and where along the ground it stands."""
    if isinstance(thing, (Block, Platform)):
        material = thing.material if isinstance(thing, Block) else None
        kept = distractor(getattr(thing, "kind", "Platform"), material, thing.x)
        if _alike(kept, thing):
            return kept
    raise DatasetError(
        f"{where}: expected further blocks and platforms only where they distract, upright on the ground (got {thing})."
    )


def _words(names: Sequence[str]) -> str:
    return ", ".join(map(str, names)) or "none"
