"""The 75 templates of the published levels: what stands where, and how their tasks vary."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from comphy.errors import ConfigError, did_you_mean
from comphy.puzzles.phyq.world.catalog import Bird, Material
from comphy.puzzles.phyq.world.constants import Point
from comphy.puzzles.phyq.world.level import Block, Level, Pig, Platform, Thing

SCENARIOS: Final = (
    "single force",
    "multiple forces",
    "rolling",
    "falling",
    "sliding",
    "bouncing",
    "relative weight",
    "relative height",
    "relative width",
    "shape difference",
    "non-greedy actions",
    "structural analysis",
    "clearing paths",
    "adequate timing",
    "manoeuvring",
)


@dataclass(frozen=True)
class Variation:
    """How the tasks of a template differ from it.

    Attributes:
        sampler: the rule by which the anchor's place is drawn.
        range: numbers of that rule, in metres.
        anchor: (x, y) of the anchor in the template, in metres; None where nothing moves.
        moves: what moves along with it: all, pigs or none."""

    sampler: str
    range: tuple[float, ...]
    anchor: Point | None
    moves: str


@dataclass(frozen=True)
class Template:
    """A published level, after which tasks are made.

    Attributes:
        id: SCENARIO.NUMBER, such as `4.4`.
        level_name: what the published files call it.
        split: train or test.
        layout: a sentence about what stands where.
        level: what is played.
        variation: how tasks differ from it.
        published: what the published files have.
        changed: why `level` differs from `published`; empty where it does not."""

    id: str
    level_name: str
    split: str
    layout: str
    level: Level
    variation: Variation
    published: Level
    changed: str = ""

    @property
    def scenario(self) -> int:
        """Number of the scenario, 1 to 15."""
        return int(self.id.split(".")[0])

    @property
    def scenario_name(self) -> str:
        """Name of the scenario, such as `rolling`."""
        return SCENARIOS[self.scenario - 1]


@cache
def load_templates() -> Mapping[str, Template]:
    """All templates by id, scenario by scenario."""
    text = (files("comphy.puzzles.phyq.templates.data") / "templates.json").read_text(encoding="utf-8")
    return {record["id"]: _template(record) for record in json.loads(text)}


def find_template(template_id: str) -> Template:
    """Look up a template.

    Args:
        template_id: such as `4.4`.

    Returns:
        The template.

    Raises:
        ConfigError: if there is none of this id."""
    templates = load_templates()
    if template_id not in templates:
        raise ConfigError(f"Expected a template of Phy-Q (got '{template_id}'); {did_you_mean(template_id, templates)}")
    return templates[template_id]


def _template(record: Mapping[str, Any]) -> Template:
    variation = record["variation"]
    anchor = variation["anchor"]
    published = Level(tuple(map(Bird, record["birds"])), tuple(_thing(*row) for row in record["things"]))
    changed = record.get("changed", {"things": [], "why": ""})
    return Template(
        id=record["id"],
        level_name=record["level"],
        split=record["split"],
        layout=record["layout"],
        level=_with_others(published, dict(changed["things"])),
        variation=Variation(
            variation["sampler"],
            tuple(variation["range"]),
            None if anchor is None else (anchor[0], anchor[1]),
            variation["moves"],
        ),
        published=published,
        changed=changed["why"],
    )


def _with_others(level: Level, names: Mapping[int, str]) -> Level:
    """A level in which some things are others, in the same places."""
    things = list(level.things)
    for number, name in names.items():
        old = things[number]
        things[number] = _thing(name, old.x, old.y, old.degrees)
    return replace(level, things=tuple(things))


def _thing(name: str, x: float, y: float, degrees: float, *size: float) -> Thing:
    if name == "Platform":
        width, height = size
        return Platform(x, y, width, height, degrees)
    if made := re.fullmatch(r"(wood|stone|ice) (\w+)", name):
        return Block(made[2], Material(made[1]), x, y, degrees)
    return Pig(name, x, y, degrees)
