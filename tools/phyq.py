"""Phy-Q: shoot birds at pigs, 15 physical scenarios.

python tools/phyq.py sheet --out sheet.png                            # all 75 templates
python tools/phyq.py level 4.4 --seed 7 --out level.xml               # a level after a template, for Science Birds
python tools/phyq.py gif 4.4 --shot 20 --out attempt.gif              # what a shot of 20 degrees does
python tools/phyq.py solve 9.3                                        # shots that win, found by trying
"""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from comphy.command import console, run_command
from comphy.dataset.files import disk_errors, write_bytes
from comphy.drawing.files import png
from comphy.errors import ComphyError, ConfigError
from comphy.puzzles.phyq.level_xml import read_level, write_level
from comphy.puzzles.phyq.pictures.film import film
from comphy.puzzles.phyq.pictures.sheet import draw_sheet
from comphy.puzzles.phyq.templates.published import find_template, load_templates
from comphy.puzzles.phyq.templates.variation import vary
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyq.world.launch import parsed_shot, written_shot
from comphy.puzzles.phyq.world.level import Level
from data_gen.phyq.solving import solve as search

LevelArgument = Annotated[str, typer.Argument(help="A template, such as 4.4, or a file of Science Birds.")]
SeedOption = Annotated[int | None, typer.Option(min=0, help="A variation of the template; without: as published.")]


def sheet(
    out: Annotated[Path, typer.Option(help="The picture.")] = Path("out/phyq.png"),
    scenario: Annotated[int | None, typer.Option(min=1, max=15, help="Only the templates of this one.")] = None,
) -> None:
    """Draw all templates, a row for each scenario.

    Example: python tools/phyq.py sheet --out out/phyq.png
    """
    chosen = [one for one in load_templates().values() if scenario in (None, one.scenario)]
    with disk_errors(out):
        write_bytes(out, png(draw_sheet(chosen)))
    console.print(f"{len(chosen)} templates: {out}")


def level(
    template: LevelArgument, seed: SeedOption = None, out: Annotated[Path, typer.Option()] = Path("out/level.xml")
) -> None:
    """Write a level as a file that Science Birds reads.

    Example: python tools/phyq.py level 4.4 --seed 7 --out out/level.xml
    """
    made, name = _level(template, seed)
    with disk_errors(out):
        write_level(out, made)
    console.print(f"{name}: {out}")


def gif(
    template: LevelArgument,
    shot: Annotated[
        list[str], typer.Option(help="DEGREES[,STRETCH[,TAP[,WATCH]]] of the next bird; one for each. Taps in seconds.")
    ],
    seed: SeedOption = None,
    out: Annotated[Path, typer.Option(help="The film.")] = Path("out/attempt.gif"),
    width: Annotated[int, typer.Option(min=200, max=2000, help="Pixels.")] = 760,
) -> None:
    """Film what shots do to a level.

    Example: python tools/phyq.py gif 12.4 --shot 12 --out out/attempt.gif
    """
    made, name = _level(template, seed)
    shots = [parsed_shot(one) for one in shot]
    if len(shots) > len(made.birds):
        raise ConfigError(f"{name}: expected at most {len(made.birds)} shots, one for each bird (got {len(shots)}).")
    with Game(made) as game, disk_errors(out):
        write_bytes(out, film(game, shots, name, width))
        console.print(f"{out}: {game.status}, {game.pigs_left} of {sum(1 for _ in made.pigs)} pigs left")


def solve(
    template: LevelArgument,
    seed: SeedOption = None,
    games: Annotated[int, typer.Option(min=1, help="Give up after so many.")] = 1000,
    hasty: Annotated[bool, typer.Option(help="Shoot the next bird before all is at rest.")] = False,
) -> None:
    """Look for shots that win a level, by trying.

    Example: python tools/phyq.py solve 9.3
    """
    made, name = _level(template, seed)
    with Game(made) as game:
        found = search(game, np.random.default_rng(0), games, hasty)
    if found is None:
        tried = "1 game" if games == 1 else f"{games} games"
        raise ComphyError(f"{name}: expected a solution within {tried} (found none). Allow more with --games.")
    options = " ".join(f"--shot {written_shot(shot)}" for shot in found.shots)
    console.print(f"{name}: won in game {found.games} with {options}")


def _level(name: str, seed: int | None) -> tuple[Level, str]:
    if name.endswith(".xml"):
        if seed is not None:
            raise ConfigError(f"Expected a template to vary (got the file {name}). Leave out --seed.")
        return read_level(Path(name)), Path(name).name
    found = find_template(name)
    title = f"{found.id}  {found.scenario_name}"
    return (found.level, title) if seed is None else (vary(found, np.random.default_rng(seed)), f"{title}, seed {seed}")


if __name__ == "__main__":
    run_command(sheet, level, gif, solve, about=__doc__)
