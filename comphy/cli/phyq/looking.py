"""Seeing, playing and solving levels of Phy-Q."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comphy.cli.explore import LOOPBACK, BrowserOption, HostOption, PortOption, open_site
from comphy.command import NOTHING_KEPT, console, when_interrupted, working
from comphy.errors import ComphyError, ConfigError

if TYPE_CHECKING:
    from comphy.puzzles.phyq.world.launch import Shot
    from comphy.puzzles.phyq.world.level import Level

LevelArgument = Annotated[
    str, typer.Argument(help="A template, such as 4.4, a task, such as 4.4:017, or a file of Science Birds.")
]
SeedOption = Annotated[int | None, typer.Option(min=0, help="A variation of the template; without: as published.")]


def play(
    port: PortOption = 8000,
    host: HostOption = LOOPBACK,
    browser: BrowserOption = True,
    rounds: Annotated[
        Path | None, typer.Option(help="Folder for results of rounds that you play; without: out/phyq_rounds.")
    ] = None,
) -> None:
    """Play the levels in the browser, alone or as a round with a score, until Ctrl-C.

    Example: comphy phyq play --port 8000
    """
    open_site([], port, host, browser, "phyq/", rounds=rounds)


@when_interrupted(NOTHING_KEPT)
def sheet(
    out: Annotated[Path, typer.Option(help="The picture.")] = Path("out/phyq.png"),
    scenario: Annotated[int | None, typer.Option(min=1, max=15, help="Only the templates of this one.")] = None,
) -> None:
    """Draw all templates, a row for each scenario.

    Example: comphy phyq sheet --out out/phyq.png
    """
    from comphy.drawing.files import png
    from comphy.files import disk_errors, write_bytes
    from comphy.puzzles.phyq.pictures.sheet import draw_sheet
    from comphy.puzzles.phyq.templates.published import load_templates

    chosen = [one for one in load_templates().values() if scenario in (None, one.scenario)]
    with disk_errors(out):
        write_bytes(out, png(draw_sheet(chosen)))
    console.print(f"{len(chosen)} templates: {out}")


@when_interrupted(NOTHING_KEPT)
def level(
    template: LevelArgument,
    seed: SeedOption = None,
    out: Annotated[Path, typer.Option(help="The XML file.")] = Path("out/level.xml"),
) -> None:
    """Write a level as a file that Science Birds reads.

    Example: comphy phyq level 4.4 --seed 7 --out out/level.xml
    """
    from comphy.files import disk_errors
    from comphy.puzzles.phyq.level_xml import write_level

    made, name = _level(template, seed)
    with disk_errors(out):
        write_level(out, made)
    console.print(f"{name}: {out}")


@when_interrupted(NOTHING_KEPT)
def gif(
    template: LevelArgument,
    shot: Annotated[
        list[str] | None,
        typer.Option(
            help="DEGREES[,STRETCH[,TAP[,WATCH]]] of the next bird; one for each. Taps in seconds. Without it: the "
            "certified solution of a task."
        ),
    ] = None,
    seed: SeedOption = None,
    out: Annotated[Path, typer.Option(help="The film.")] = Path("out/attempt.gif"),
    width: Annotated[int, typer.Option(min=200, max=2000, help="Pixels.")] = 760,
) -> None:
    """Film what shots do to a level.

    Example: comphy phyq gif 12.4 --shot 12 --out out/attempt.gif
    """
    from comphy.files import disk_errors, write_bytes
    from comphy.puzzles.phyq.pictures.film import film
    from comphy.puzzles.phyq.world.game import Game
    from comphy.puzzles.phyq.world.launch import parsed_shot

    made, name = _level(template, seed)
    shots = [parsed_shot(one) for one in shot] if shot else _solution(template)
    if len(shots) > len(made.birds):
        raise ConfigError(f"{name}: expected at most {len(made.birds)} shots, one for each bird (got {len(shots)}).")
    with Game(made) as game, disk_errors(out):
        write_bytes(out, film(game, shots, name, width))
        console.print(f"{out}: {game.status}, {game.pigs_left} of {sum(1 for _ in made.pigs)} pigs left")


@when_interrupted(NOTHING_KEPT)
def solve(
    template: LevelArgument,
    seed: SeedOption = None,
    games: Annotated[int, typer.Option(min=1, help="Give up after so many.")] = 1000,
    hasty: Annotated[bool, typer.Option(help="Shoot the next bird before all is at rest.")] = False,
) -> None:
    """Look for shots that win a level, by trying.

    Example: comphy phyq solve 9.3
    """
    import numpy as np

    from comphy.puzzles.phyq.world.game import Game
    from comphy.puzzles.phyq.world.launch import written_shot
    from data_gen.phyq.solutions.solving import solve as search

    made, name = _level(template, seed)
    with Game(made) as game, working(f"{name}: trying shots"):
        found = search(game, np.random.default_rng(0), games, hasty)
    if found is None:
        tried = "1 game" if games == 1 else f"{games} games"
        raise ComphyError(f"{name}: expected a solution within {tried} (found none). Allow more with --games.")
    options = " ".join(f"--shot {written_shot(shot)}" for shot in found.shots)
    console.print(f"{name}: won in game {found.games} with {options}")


def _solution(name: str) -> "list[Shot]":
    from comphy.puzzles.phyq.tasks.task import find_task

    if ":" not in name:
        raise ConfigError(f"Expected --shot, or a task with a certified solution, such as 4.4:017 (got '{name}').")
    return list(find_task(name).solution)


def _level(name: str, seed: int | None) -> "tuple[Level, str]":
    import numpy as np

    from comphy.puzzles.phyq.level_xml import read_level
    from comphy.puzzles.phyq.tasks.task import find_task
    from comphy.puzzles.phyq.templates.published import find_template
    from comphy.puzzles.phyq.templates.variation import vary

    is_file = name.endswith(".xml")
    if seed is not None and (is_file or ":" in name):
        raise ConfigError(
            f"Expected a template to vary (got the {'file' if is_file else 'task'} {name}). Leave out --seed."
        )
    if is_file:
        return read_level(Path(name)), Path(name).name
    if ":" in name:
        task = find_task(name)
        return task.level, f"{name}  {task.template.scenario_name}"
    found = find_template(name)
    title = f"{found.id}  {found.scenario_name}"
    return (found.level, title) if seed is None else (vary(found, np.random.default_rng(seed)), f"{title}, seed {seed}")
