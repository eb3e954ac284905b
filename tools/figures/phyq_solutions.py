#!/usr/bin/env python
"""A film for the docs: a certified solution of every scenario of Phy-Q, side by side, in real time.

python -m tools.figures.phyq_solutions
"""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Annotated, Final

import typer
from PIL import Image

from comphy.command import build_app, console, working
from comphy.drawing.colors import INK, PAPER
from comphy.drawing.text import text
from comphy.errors import ComphyError
from comphy.files import write_bytes
from comphy.puzzles.phyq.pictures.drawing import WHOLE, View, draw_game, draw_level
from comphy.puzzles.phyq.tasks.task import Task, find_task
from comphy.puzzles.phyq.world.constants import RELEASE, TIMESTEP
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.level import corners
from comphy.sim.bullet import Engine

LIMIT: Final = 2_000_000  # bytes
# One of each scenario, whose certified solution shows what the scenario is about and does not take long.
TASKS: Final = (
    *("1.4:001", "2.2:001", "3.5:001", "4.4:001", "5.3:001"),
    *("6.3:001", "7.3:001", "8.2:001", "9.3:001", "10.2:001"),
    *("11.4:001", "12.2:001", "13.1:001", "14.2:001", "15.2:001"),
)
COLUMNS: Final = 3
WIDTH: Final = 300  # of a panel, in pixels
ASPECT: Final = 0.44  # height by width
MARGIN: Final = 1.0  # metres
LEAST: Final = 16.0  # metres from side to side
CAPTION: Final = 20
GAP: Final = 6
STRIDE: Final = 10  # steps from frame to frame
FIRST_MS: Final = 800
LAST_MS: Final = 2500
QUALITY: Final = 45


def main(out: Annotated[Path, typer.Option(help="The film.")] = Path("docs/pictures/phyq_solutions.webp")) -> None:
    """Film the certified solutions.

    Example: python -m tools.figures.phyq_solutions
    """
    with working("playing"), Engine() as engine:
        films = [panels(find_task(name), engine) for name in TASKS]
        frames = [together([film[min(k, len(film) - 1)] for film in films]) for k in range(max(map(len, films)))]
        data = webp(frames)
    if len(data) > LIMIT:
        raise ComphyError(f"{out}: expected at most {LIMIT:,} bytes (got {len(data):,}). Choose shorter solutions.")
    write_bytes(out, data)
    console.print(f"{out}: {len(data):,} bytes, {len(frames) * STRIDE * TIMESTEP:.0f} s")


def panels(task: Task, engine: Engine) -> list[Image.Image]:
    """The level, and what its solution does. The last picture is of the moment in which it is won."""
    view = from_the_sling(task)
    with Game(task.level, engine) as game:
        pictures = [draw_level(task.level, WIDTH, view)]

        def watch(now: Game) -> None:
            if now.world.steps % STRIDE == 0 or not now.pigs_left:
                pictures.append(draw_game(now, WIDTH, view))

        if game.play(task.solution, watch) is not Status.WON:
            raise ComphyError(f"{task.id}: expected its solution to win (it does not on this machine).")
    return [captioned(picture, f"{task.template.scenario} {task.template.scenario_name}") for picture in pictures]


def from_the_sling(task: Task) -> View:
    """From the slingshot to the end of the assembly, whatever distracts."""
    assembly = task.level.things[: len(task.template.level.things)]
    xs, ys = zip(*(corner for thing in assembly for corner in corners(thing)), strict=True)
    left, bottom = RELEASE[0] - MARGIN, WHOLE.bottom
    width = max(LEAST, max(xs) + MARGIN - left, (max(ys) + MARGIN - bottom) / ASPECT)
    return View(left, left + width, bottom, bottom + ASPECT * width)


def captioned(picture: Image.Image, words: str) -> Image.Image:
    panel = Image.new("RGB", (picture.width, picture.height + CAPTION), PAPER)
    panel.paste(picture, (0, CAPTION))
    text(panel, (2, CAPTION / 2), words, 12, INK, bold=True)
    return panel


def together(shown: Sequence[Image.Image]) -> Image.Image:
    width, height = (size + GAP for size in shown[0].size)
    rows = -(-len(shown) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * width - GAP, rows * height - GAP), PAPER)
    for number, panel in enumerate(shown):
        sheet.paste(panel, (number % COLUMNS * width, number // COLUMNS * height))
    return sheet


def webp(frames: Sequence[Image.Image]) -> bytes:
    times = [FIRST_MS, *[round(1000 * STRIDE * TIMESTEP)] * (len(frames) - 2), LAST_MS]
    file = BytesIO()
    frames[0].save(
        file, "WEBP", save_all=True, append_images=frames[1:], duration=times, loop=0, quality=QUALITY, method=5
    )
    return file.getvalue()


app = build_app(main)

if __name__ == "__main__":
    app()
