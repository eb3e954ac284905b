"""Seeing and playing puzzles of PHYRE."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import TierName
from comphy.cli.explore import LOOPBACK, BrowserOption, HostOption, PortOption, open_site
from comphy.command import NOTHING_KEPT, console, when_interrupted

TierOption = Annotated[TierName, typer.Option(help="How many balls are placed.")]


def play(
    results: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RESULTS]...", help="What evaluate wrote with --json: attempts of agents to watch."),
    ] = None,
    port: PortOption = 8000,
    host: HostOption = LOOPBACK,
    browser: BrowserOption = True,
) -> None:
    """Play the puzzles in the browser, or watch how agents play them, until Ctrl-C.

    Example: comphy phyre play --port 8000
    """
    open_site([], port, host, browser, "phyre/", results=results or [])


@when_interrupted(NOTHING_KEPT)
def sheet(
    tier: TierOption = TierName.BALL,
    out: Annotated[Path, typer.Option(help="The PNG file.")] = Path("out/phyre.png"),
) -> None:
    """Draw a scene of each template of a tier.

    Example: comphy phyre sheet --tier two_balls --out out/two_balls.png
    """
    from comphy.drawing.files import png
    from comphy.files import disk_errors, write_bytes
    from comphy.puzzles.phyre.benchmark.puzzle import first_puzzle
    from comphy.puzzles.phyre.pictures.sheet import draw_sheet
    from comphy.puzzles.phyre.templates.template import templates_of
    from comphy.puzzles.phyre.world.actions import tier_named

    picture = draw_sheet([first_puzzle(one) for one in templates_of(tier_named(tier))])
    with disk_errors(out):
        write_bytes(out, png(picture))
    console.print(str(out))


@when_interrupted(NOTHING_KEPT)
def gif(
    task: Annotated[str, typer.Argument(metavar="TASK", help="Such as 00002:000.")],
    action: Annotated[
        str | None, typer.Option(help="x,y,r of each ball, from 0 to 1; without it, what happens by itself.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The GIF file.")] = Path("out/phyre.gif"),
    width: Annotated[int, typer.Option(min=64, max=1024, help="Pixels.")] = 384,
) -> None:
    """Film an attempt.

    Example: comphy phyre gif 00002:000 --action 0.6,0.9,0.5 --out out/attempt.gif
    """
    from comphy.files import disk_errors, write_bytes
    from comphy.puzzles.phyre.benchmark.puzzle import find_puzzle
    from comphy.puzzles.phyre.pictures.attempt import attempt, parsed_action
    from comphy.puzzles.phyre.pictures.film import film

    puzzle = find_puzzle(task)
    seen = attempt(puzzle, None if action is None else parsed_action(puzzle, action))
    with disk_errors(out):
        write_bytes(out, film(seen, width))
    console.print(f"{out}: {seen.verdict}")
