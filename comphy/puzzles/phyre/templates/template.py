"""Templates of tasks: a template is a function from parameters to a scene, with the domain of each parameter.

A task is a template id with a value for each parameter. Values are numbers and booleans, so a task can be stored as JSON.
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
    """Criteria that a candidate must meet to become a task of the benchmark.

    Attributes:
        NONE: every candidate may.
        SOLVABLE: some action of the template's tier solves it stably, that is, also when slightly perturbed.
        NOT_TRIVIAL: few random actions solve it.
        NEEDS_TWO_BALLS: no single ball solves it stably.
        DIVERSE: of candidates that the same action solves, only some are kept."""

    NONE = 0
    SOLVABLE = auto()
    NOT_TRIVIAL = auto()
    NEEDS_TWO_BALLS = auto()
    DIVERSE = auto()


@dataclass(frozen=True, eq=False)
class Template:
    """A family of tasks.

    Attributes:
        id: such as `00001`.
        tier: how many balls the player places.
        name: in words.
        description: a sentence about what is to be done.
        domain: the values of each parameter.
        rules: what a candidate must meet to become a task.
        build: takes the parameters as keywords and makes a scene; it returns None to skip a combination."""

    id: str
    tier: Tier
    name: str
    description: str
    domain: Mapping[str, tuple[Value, ...]]
    rules: Rule
    build: Callable[..., Scene | None]

    @property
    def combinations(self) -> int:
        """How many combinations of parameters the domain has."""
        return math.prod(len(values) for values in self.domain.values())

    def parameters(self, index: int) -> dict[str, Value]:
        """Look up a combination; the last parameter varies fastest.

        Args:
            index: from 0 to the number of combinations.

        Returns:
            The values of the parameters by name."""
        places = np.unravel_index(index, [len(values) for values in self.domain.values()])
        return {name: values[k] for (name, values), k in zip(self.domain.items(), places, strict=True)}

    def distance(self, one: Parameters, other: Parameters) -> float:
        """Measure how far apart two combinations are.

        Args:
            one: values of the parameters.
            other: those of another combination.

        Returns:
            The sum over parameters of the rank difference in the domain, each scaled to 0 to 1."""
        apart = (abs(values.index(one[name]) - values.index(other[name])) for name, values in self.domain.items())
        return sum(steps / max(1, len(values) - 1) for steps, values in zip(apart, self.domain.values(), strict=True))

    def scene(self, parameters: Parameters) -> Scene | None:
        """Build the scene of one combination.

        Args:
            parameters: a value for each parameter of the domain.

        Returns:
            The scene; None if `build` skips it or a moving body would initially overlap another.

        Raises:
            ConfigError: if the parameters are not those of the domain."""
        if set(parameters) != set(self.domain):
            raise ConfigError(
                f"Expected values of {', '.join(self.domain)} for template {self.id}"
                f" (got {', '.join(parameters) or 'none'})."
            )
        scene = self.build(**parameters)
        return None if scene is None or deepest_overlap(scene) > OVERLAP_TOLERANCE else scene


@dataclass(frozen=True)
class Candidate:
    """A valid combination of a template's parameters, with its scene.

    Attributes:
        template_id: of its template.
        parameters: the values by name.
        scene: what they make."""

    template_id: str
    parameters: Parameters
    scene: Scene


def template(
    template_id: str, tier: Tier, domain: Mapping[str, tuple[Value, ...]], rules: Rule = Rule.NONE
) -> Callable[[Callable[..., Scene | None]], Template]:
    """Decorate a build function to turn it into a template; its name and docstring become name and description.

    Args:
        template_id: such as `00001`.
        tier: how many balls the player places.
        domain: the values of each parameter, which the function takes as keywords.
        rules: what a candidate must meet to become a task.

    Returns:
        The decorator."""

    def made(build: Callable[..., Scene | None]) -> Template:
        name = build.__name__.replace("_", " ")
        description = " ".join((build.__doc__ or name).split())
        return Template(template_id, tier, name, description, domain, rules, build)

    return made


def spaced(count: int, low: float, high: float) -> tuple[float, ...]:
    """Space values equally for a domain.

    Args:
        count: how many.
        low: the first value.
        high: the last value.

    Returns:
        The values, rounded to six decimals for the task files."""
    return tuple(round(float(value), 6) for value in np.linspace(low, high, count))


def candidates(of: Template) -> Iterator[Candidate]:
    """List all valid combinations in a fixed pseudo-random order, that of the md5 of their indices.

    Args:
        of: the template.

    Yields:
        The combinations with their scenes."""
    for index in sorted(range(of.combinations), key=lambda i: md5(str(i).encode()).digest()):
        parameters = of.parameters(index)
        scene = of.scene(parameters)
        if scene is not None:
            yield Candidate(of.id, parameters, scene)


def rebuilt(template_id: str, parameters: Parameters) -> Candidate:
    """Rebuild a candidate from its parameters.

    Args:
        template_id: of its template.
        parameters: the values by name.

    Returns:
        The candidate.

    Raises:
        ConfigError: if there is no such template, or the parameters make no scene."""
    scene = find_template(template_id).scene(parameters)
    if scene is None:
        raise ConfigError(f"Expected parameters that make a scene of template {template_id} (got {dict(parameters)}).")
    return Candidate(template_id, parameters, scene)


@cache
def all_templates() -> tuple[Template, ...]:
    """All templates, found in the modules of the template packages, sorted by id."""
    packages = [importlib.import_module(name) for name in _PACKAGES]
    modules = [
        importlib.import_module(f"{package.__name__}.{found.name}")
        for package in packages
        for found in pkgutil.iter_modules(package.__path__)
    ]
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Template)]
    return tuple(sorted(found, key=lambda t: t.id))


def templates_of(tier: Tier) -> tuple[Template, ...]:
    """List the templates of a tier.

    Args:
        tier: how many balls the player places.

    Returns:
        The templates, sorted by id."""
    return tuple(t for t in all_templates() if t.tier == tier)


def find_template(template_id: str) -> Template:
    """Look up a template.

    Args:
        template_id: such as `00001`.

    Returns:
        The template.

    Raises:
        ConfigError: if there is none of this id."""
    by_id = {t.id: t for t in all_templates()}
    if template_id not in by_id:
        raise ConfigError(
            f"Expected the id of a PHYRE template (got '{template_id}'); {did_you_mean(template_id, by_id)}"
        )
    return by_id[template_id]
