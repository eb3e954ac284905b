"""Templates of puzzles: a template is a function from a few parameters to a scene, and the values they may take.

A task is a template's id and a value for each parameter; values are numbers and truth values, so a task fits in JSON
and is built again from there.
"""

import importlib
import math
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Flag, auto
from functools import cache
from hashlib import md5
from typing import Final

import numpy as np

from comphy.errors import ConfigError, did_you_mean
from comphy.puzzles.phyre.templates.overlaps import deepest_overlap
from comphy.puzzles.phyre.world.actions import Tier
from comphy.puzzles.phyre.world.scene import Scene

Value = float | int | bool
Parameters = Mapping[str, Value]

OVERLAP_TOLERANCE: Final = 0.05  # pixels
_PACKAGES: Final = ("comphy.puzzles.phyre.templates.ball", "comphy.puzzles.phyre.templates.two_balls")


class Rule(Flag):
    """What is asked of a candidate before it becomes a task of the benchmark."""

    NONE = 0
    SOLVABLE = auto()  # some action of the template's tier solves it stably
    NOT_TRIVIAL = auto()  # few random actions solve it
    NEEDS_TWO_BALLS = auto()  # no single ball solves it stably
    DIVERSE = auto()  # those that one action solves together are thinned out


@dataclass(frozen=True, eq=False)
class Template:
    """A family of puzzles. `build` takes the parameters of `domain` by name; None means: skip this combination."""

    id: str
    tier: Tier
    name: str
    description: str
    domain: Mapping[str, tuple[Value, ...]]
    rules: Rule
    build: Callable[..., Scene | None]

    @property
    def combinations(self) -> int:
        return math.prod(len(values) for values in self.domain.values())

    def parameters(self, index: int) -> dict[str, Value]:
        """The combination of this index; the last parameter changes fastest."""
        places = np.unravel_index(index, [len(values) for values in self.domain.values()])
        return {name: values[k] for (name, values), k in zip(self.domain.items(), places, strict=True)}

    def distance(self, one: Parameters, other: Parameters) -> float:
        """Of two combinations: how far apart their values stand in the domain, each parameter from 0 to 1, summed."""
        apart = (abs(values.index(one[name]) - values.index(other[name])) for name, values in self.domain.items())
        return sum(steps / max(1, len(values) - 1) for steps, values in zip(apart, self.domain.values(), strict=True))

    def scene(self, parameters: Parameters) -> Scene | None:
        """The scene of one combination, or None where there is none: something that moves would start inside another."""
        if set(parameters) != set(self.domain):
            raise ConfigError(
                f"Expected values of {', '.join(self.domain)} for template {self.id}"
                f" (got {', '.join(parameters) or 'none'})."
            )
        scene = self.build(**parameters)
        return None if scene is None or deepest_overlap(scene) > OVERLAP_TOLERANCE else scene


@dataclass(frozen=True)
class Candidate:
    """A combination of a template's parameters that makes a scene."""

    template_id: str
    parameters: Parameters
    scene: Scene


def template(
    template_id: str, tier: Tier, domain: Mapping[str, tuple[Value, ...]], rules: Rule = Rule.NONE
) -> Callable[[Callable[..., Scene | None]], Template]:
    """Makes a template of a build function: its name becomes the template's, its docstring the description."""

    def made(build: Callable[..., Scene | None]) -> Template:
        name = build.__name__.replace("_", " ")
        description = " ".join((build.__doc__ or name).split())
        return Template(template_id, tier, name, description, domain, rules, build)

    return made


def spaced(count: int, low: float, high: float) -> tuple[float, ...]:
    """Equally spaced values, both ends included; rounded, so that they read well in a task's file."""
    return tuple(round(float(value), 6) for value in np.linspace(low, high, count))


def candidates(of: Template) -> Iterator[Candidate]:
    """All combinations that make a scene, in an order that looks random and never changes: that of their md5."""
    for index in sorted(range(of.combinations), key=lambda i: md5(str(i).encode()).digest()):
        parameters = of.parameters(index)
        scene = of.scene(parameters)
        if scene is not None:
            yield Candidate(of.id, parameters, scene)


def rebuilt(template_id: str, parameters: Parameters) -> Candidate:
    """The candidate that was made with these parameters."""
    scene = find_template(template_id).scene(parameters)
    if scene is None:
        raise ConfigError(f"Expected parameters that make a scene of template {template_id} (got {dict(parameters)}).")
    return Candidate(template_id, parameters, scene)


@cache
def all_templates() -> tuple[Template, ...]:
    """Every template, one in each module of the packages of templates, by id."""
    packages = [importlib.import_module(name) for name in _PACKAGES]
    modules = [
        importlib.import_module(f"{package.__name__}.{found.name}")
        for package in packages
        for found in pkgutil.iter_modules(package.__path__)
    ]
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Template)]
    return tuple(sorted(found, key=lambda t: t.id))


def templates_of(tier: Tier) -> tuple[Template, ...]:
    return tuple(t for t in all_templates() if t.tier == tier)


def find_template(template_id: str) -> Template:
    by_id = {t.id: t for t in all_templates()}
    if template_id not in by_id:
        raise ConfigError(
            f"Expected the id of a PHYRE template (got '{template_id}'); {did_you_mean(template_id, by_id)}"
        )
    return by_id[template_id]
