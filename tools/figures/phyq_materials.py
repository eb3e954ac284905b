"""How many shots win a template of Phy-Q with one bird, and win also when turned by 0.15 degrees, if one block is of another
material: where a template is hardly solvable, the least change that makes it so.

    python -m tools.figures.phyq_materials 8.2
"""

import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from comphy.errors import ComphyError
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
    """The published level first, then with each block of each other material."""
    level = template.published
    yield "as published", level
    for number, block in enumerate(level.things):
        for material in Material if isinstance(block, Block) else ():
            if material is not block.material:
                things = (*level.things[:number], replace(block, material=material), *level.things[number + 1 :])
                yield f"{number}: {block.kind} of {material} instead of {block.material}", replace(level, things=things)


def wins(level: Level, engine: Engine) -> tuple[int, int]:
    """How many of the shots win, and how many of these also when they are turned a little."""
    with Game(level, engine) as game:
        won = [shot for shot in SHOTS if game.play([shot]) is Status.WON]
        return len(won), sum(is_robust(game, (shot,)) for shot in won)


if __name__ == "__main__":
    try:
        chosen = find_template(sys.argv[1] if len(sys.argv) > 1 else "8.2")
        with Engine() as opened:
            rows = [[name, *map(str, wins(level, opened))] for name, level in changes(chosen)]
        print(markdown([f"{chosen.id}, {len(SHOTS)} shots", "win", "also when turned"], rows), end="")
    except ComphyError as error:
        sys.exit(f"error: {error}")
