"""How many flat shots open template 11.2 of Phy-Q where its assembly is moved: the pig in front is dead, and the lid out of
the way of the other two. As it is, and with the block under the lid of wood.

    python -m tools.figures.phyq_lid
"""

from dataclasses import replace
from typing import Final

import numpy as np

from comphy.puzzles.phyq.templates.published import Template, find_template
from comphy.puzzles.phyq.templates.variation import Placement, draw_placement, placed_level
from comphy.puzzles.phyq.world.catalog import Material
from comphy.puzzles.phyq.world.game import FIRST_THING, Game
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.sim.bullet import Engine
from comphy.toolkit.reproduction.tables import markdown
from data_gen.phyq.candidates import candidate_rng
from tools.figures.phyq_materials import of_other_materials

LEVELS: Final = 3  # the first ones that `build` draws
BLOCK: Final = 0  # under the lid
LID: Final = (1, 4)  # its lowest and its highest plank
FRONT_PIG: Final = 5
BETWEEN: Final = ((-4.2, -2.05), (-4.2, -1.5))  # in the template: just above the front cup, as high as the block
STEP: Final = 0.15  # degrees
OUT_OF_THE_WAY: Final = -4.4  # in the template: left of the cup of the other two pigs


def opens(template: Template, placement: Placement, engine: Engine) -> list[bool]:
    """Of each flat shot at full stretch."""
    lowest, highest = (aimed_at((x + placement.dx, y + placement.dy))[0].degrees for x, y in BETWEEN)
    with Game(placed_level(template, placement), engine) as game:
        return [_opened(game, Shot.at(float(degrees)), placement) for degrees in np.arange(lowest, highest, STEP)]


def _opened(game: Game, shot: Shot, placement: Placement) -> bool:
    game.play([shot])
    dead = {death.body - FIRST_THING for death in game.record.deaths}
    places = [game.world.position(FIRST_THING + plank)[0] - placement.dx for plank in LID]
    return FRONT_PIG in dead and max(places) < OUT_OF_THE_WAY


def told(found: list[bool]) -> str:
    """Such as `2 of 21: 16, 17`: numbers of the directions from the lowest on."""
    numbers = ", ".join(str(number) for number, opened in enumerate(found, 1) if opened)
    return f"{sum(found)} of {len(found)}" + f": {numbers}" * bool(numbers)


if __name__ == "__main__":
    published = find_template("11.2")
    wooden = replace(published, level=of_other_materials(published, {BLOCK: Material.WOOD}))
    with Engine() as opened:
        rows = []
        for level in range(LEVELS):
            drawn = draw_placement(published, candidate_rng(published, level))
            rows.append([str(level + 1), *(told(opens(one, drawn, opened)) for one in (published, wooden))])
    print(markdown(["level", "as published", "block of wood"], rows), end="")
