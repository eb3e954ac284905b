"""How many shots win a template of Phy-Q with one bird, and win also when turned by 0.15 degrees, if one block is of another
material: where a template is hardly solvable, the least change that makes it so. Or if several blocks are, by their numbers.

    python -m tools.figures.phyq_materials 8.2
    python -m tools.figures.phyq_materials 12.1 7=ice,19=ice 7=ice,8=ice,19=ice
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from comphy.errors import ComphyError, ConfigError
from comphy.puzzles.phyq.templates.published import Template, find_template
from comphy.puzzles.phyq.world.catalog import Material
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.launch import Shot
from comphy.puzzles.phyq.world.level import Block, Level
from comphy.sim.bullet import Engine
from comphy.toolkit.reproduction.tables import markdown
from data_gen.phyq.solutions.solving import is_robust

SHOTS = [Shot.at(float(degrees), stretch) for stretch in (1.0, 0.9) for degrees in np.arange(-10.0, 80.0, 0.5)]


def changes(template: Template) -> Iterator[tuple[str, Level]]:
    """Each block of each other material."""
    for number, block in enumerate(template.published.things):
        for material in Material if isinstance(block, Block) else ():
            if isinstance(block, Block) and material is not block.material:
                name = f"{number}: {block.kind} of {material} instead of {block.material}"
                yield name, of_other_materials(template, {number: material})


def chosen_changes(template: Template, texts: Sequence[str]) -> Iterator[tuple[str, Level]]:
    """Several blocks at once: NUMBER=MATERIAL, with commas between them."""
    for text in texts:
        try:
            pairs = [one.split("=") for one in text.split(",")]
            materials = {int(number): Material(name) for number, name in pairs}
        except ValueError:
            known = ", ".join(Material)
            raise ConfigError(f"Expected NUMBER=MATERIAL, such as 7=ice,19=ice, of {known} (got '{text}').") from None
        yield text, of_other_materials(template, materials)


def of_other_materials(template: Template, materials: Mapping[int, Material]) -> Level:
    things = list(template.published.things)
    for number, material in materials.items():
        block = things[number] if 0 <= number < len(things) else None
        if not isinstance(block, Block):
            raise ConfigError(f"{template.id}: expected the number of a block, below {len(things)} (got {number}).")
        things[number] = replace(block, material=material)
    return replace(template.published, things=tuple(things))


def wins(level: Level, engine: Engine) -> tuple[int, int]:
    """How many of the shots win, and how many of these also when they are turned a little."""
    with Game(level, engine) as game:
        won = [shot for shot in SHOTS if game.play([shot]) is Status.WON]
        return len(won), sum(is_robust(game, (shot,)) for shot in won)


if __name__ == "__main__":
    try:
        chosen = find_template(sys.argv[1] if len(sys.argv) > 1 else "8.2")
        with Engine() as opened:
            others = chosen_changes(chosen, sys.argv[2:]) if len(sys.argv) > 2 else changes(chosen)
            levels = chain([("as published", chosen.published)], others)
            rows = [[name, *map(str, wins(level, opened))] for name, level in levels]
        print(markdown([f"{chosen.id}, {len(SHOTS)} shots", "win", "also when turned"], rows), end="")
    except ComphyError as error:
        sys.exit(f"error: {error}")
