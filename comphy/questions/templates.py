"""Factual templates: declarative data from `templates.yaml`, checked when they are loaded."""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

import yaml

from comphy.errors import ConfigError, did_you_mean
from comphy.questions.slots import DOMAINS


@dataclass(frozen=True)
class Template:
    """One family of factual questions. `slots` are those of the program; the phrasings use no others."""

    family: str
    weight: float
    program: str
    text: tuple[str, ...]

    @property
    def slots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(fields(self.program)))


def fields(pattern: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(pattern) if name]


@cache
def templates() -> tuple[Template, ...]:
    """All factual templates of the benchmark."""
    name = "templates.yaml"
    text = resources.files("comphy.questions").joinpath(name).read_text()
    return parse_templates(yaml.safe_load(text), name)


def parse_templates(records: Any, where: str) -> tuple[Template, ...]:
    if not isinstance(records, list):
        raise ConfigError(f"{where}: expected a list of templates (got {type(records).__name__}).")
    parsed = tuple(_parse(record, f"{where}: template {k}") for k, record in enumerate(records))
    families = [template.family for template in parsed]
    if repeated := sorted({family for family in families if families.count(family) > 1}):
        raise ConfigError(f"{where}: expected each family once (got {', '.join(repeated)} twice).")
    return parsed


def _parse(record: Any, where: str) -> Template:
    expected: dict[str, type | tuple[type, ...]] = {
        "family": str,
        "weight": (int, float),
        "program": str,
        "text": list,
    }
    if not isinstance(record, dict) or set(record) != set(expected):
        raise ConfigError(f"{where}: expected the keys {', '.join(expected)} (got {record!r}).")
    for key, kind in expected.items():
        if not isinstance(record[key], kind):
            raise ConfigError(f"{where}: unexpected value of '{key}' (got {record[key]!r}).")
    template = Template(record["family"], float(record["weight"]), record["program"], tuple(record["text"]))
    for slot in template.slots:
        if slot not in DOMAINS:
            raise ConfigError(f"{where} ({template.family}): unknown slot '{slot}'; {did_you_mean(slot, DOMAINS)}")
    if not template.text or template.weight <= 0:
        raise ConfigError(f"{where} ({template.family}): expected a positive weight and at least one phrasing.")
    return template
