"""Levels in the files of Science Birds, the game that Phy-Q was published with: read and written."""

import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Collection
from pathlib import Path
from typing import Final

from comphy.errors import DatasetError, did_you_mean
from comphy.files import write_bytes
from comphy.puzzles.phyq.world.catalog import BLOCKS, PIGS, Bird, Material
from comphy.puzzles.phyq.world.constants import SLINGSHOT
from comphy.puzzles.phyq.world.level import TNT, Block, Level, Pig, Platform, Thing
from comphy.puzzles.phyq.world.level_check import problems_of

PLATFORM_SIDE: Final = 0.64  # of scale 1
_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]*\?>")  # it names an encoding that the files do not have


def read_level(path: Path) -> Level:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path}: expected a level of Science Birds as text ({error}).") from error
    return parse_level(text, str(path))


def parse_level(text: str, where: str) -> Level:
    try:
        root = ElementTree.fromstring(_DECLARATION.sub("", text))
    except ElementTree.ParseError as error:
        raise DatasetError(f"{where}: expected a level of Science Birds in XML ({error}).") from error
    birds = tuple(_bird(element, where) for element in root.iterfind("Birds/Bird"))
    things = tuple(_thing(element, where) for element in root.iterfind("GameObjects/*"))
    if root.tag != "Level" or not birds or not things:
        raise DatasetError(
            f"{where}: expected <Level> with <Birds> and <GameObjects> (got <{root.tag}> with {len(birds)} birds and "
            f"{len(things)} objects)."
        )
    for element in root.iterfind("Slingshot"):
        if (place := tuple(_value(element, name, where) for name in ("x", "y"))) != SLINGSHOT:
            raise DatasetError(
                f"{where}: expected the slingshot at {SLINGSHOT} (got {place}), where all levels have it."
            )
    level = Level(birds, things)
    for problem in problems_of(level):
        raise DatasetError(f"{where}: {problem}.")
    return level


def write_level(path: Path, level: Level) -> None:
    write_bytes(path, level_text(level).encode())


def level_text(level: Level) -> str:
    root = ElementTree.Element("Level", width="2")
    ElementTree.SubElement(root, "Camera", x="0", y="-1", minWidth="25", maxWidth="35")
    ElementTree.SubElement(root, "Score", highScore="0")
    birds = ElementTree.SubElement(root, "Birds")
    for bird in level.birds:
        ElementTree.SubElement(birds, "Bird", type=f"Bird{bird.capitalize()}")
    ElementTree.SubElement(root, "Slingshot", x=str(SLINGSHOT[0]), y=str(SLINGSHOT[1]))
    objects = ElementTree.SubElement(root, "GameObjects")
    for thing in level.things:
        ElementTree.SubElement(objects, type(thing).__name__, _attributes(thing))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _attributes(thing: Thing) -> dict[str, str]:
    place = {"x": _number(thing.x), "y": _number(thing.y), "rotation": _number(thing.degrees)}
    match thing:
        case Block(kind, material):
            return {"type": kind, "material": material.value, **place}
        case Pig(kind):
            return {"type": kind, "material": "", **place}
        case Platform(_, _, width, height):
            scale = {"scaleX": _number(width / PLATFORM_SIDE), "scaleY": _number(height / PLATFORM_SIDE)}
            return {"type": "Platform", "material": "", **place, **scale}
        case _:
            return {"type": "", **place}


def _number(value: float) -> str:
    return f"{value:.5f}".rstrip("0").rstrip(".")


def _bird(element: ElementTree.Element, where: str) -> Bird:
    name = element.get("type", "").removeprefix("Bird").lower()
    if name not in list(Bird):
        raise DatasetError(
            f"{where}: expected a bird (got '{element.get('type')}'); {did_you_mean(name, [*map(str, Bird)])}"
        )
    return Bird(name)


def _thing(element: ElementTree.Element, where: str) -> Thing:
    kind = element.get("type", "")
    x, y, degrees = (_value(element, name, where) for name in ("x", "y", "rotation"))
    match element.tag:
        case "Block":
            material = _known(element.get("material", ""), list(Material), where)
            return Block(_known(kind, BLOCKS, where), Material(material), x, y, degrees)
        case "Pig":
            return Pig(_known(kind, PIGS, where), x, y, degrees)
        case "TNT":
            return TNT(x, y, degrees)
        case "Platform":
            width, height = (PLATFORM_SIDE * abs(_value(element, f"scale{axis}", where, 1.0)) for axis in "XY")
            return Platform(x, y, width, height, degrees)
    raise DatasetError(f"{where}: expected Block, Pig, TNT or Platform among the objects (got '{element.tag}').")


def _known(name: str, names: Collection[str], where: str) -> str:
    if name not in names:
        raise DatasetError(f"{where}: expected a known object (got '{name}'); {did_you_mean(name, list(names))}")
    return name


def _value(element: ElementTree.Element, name: str, where: str, default: float | None = 0.0) -> float:
    text = element.get(name)
    if text is None and default is not None and name not in ("x", "y"):
        return default
    try:
        value = float(text or "")
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DatasetError(f"{where}: expected a finite number as {name} of <{element.tag}> (got {text!r}).")
    return value
