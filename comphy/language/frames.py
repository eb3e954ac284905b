"""The sentence frames of `frames.yaml`, checked when they are loaded, and how their slots are filled."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

import yaml

from comphy.language.options import Options, read_options

Slots = Mapping[str, Callable[[], str]]


def frames(path: str) -> Options:
    """The frames at a path such as `exist/ask`; no options where there are none."""
    return _frames().get(path, Options())


@cache
def _frames() -> dict[str, Options]:
    record: dict[str, Any] = yaml.safe_load(resources.files("comphy.language").joinpath("frames.yaml").read_text())
    found: dict[str, Options] = {}
    for name, below in record.items():
        if isinstance(below, list) or "train" in below:
            found[name] = read_options(below, f"frames.yaml: {name}")
        else:
            for style, options in below.items():
                found[f"{name}/{style}"] = read_options(options, f"frames.yaml: {name}/{style}")
    return found


@cache
def slots_of(frame: str) -> frozenset[str]:
    return frozenset(name.lower() for _, name, _, _ in Formatter().parse(frame) if name)


def fitting(options: Options, slots: Slots) -> Options:
    """The frames whose slots all have words."""
    return options.where({frame for frame in options.all if slots_of(frame) <= slots.keys()})


def fill(frame: str, slots: Slots) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: slots[match[1].lower()](), frame)
