#!/usr/bin/env python
"""A picture of Phy-Q's player for the docs, in a Chromium without a window: a bird is pulled, and its flight is predicted.

python -m tools.figures.phyq_player 12.4:001
"""

import math
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Annotated, Final

import typer
from PIL import Image

from comphy.command import build_app, console, working
from comphy.files import write_bytes
from comphy.puzzles.phyq.player.scene import view_of
from comphy.puzzles.phyq.tasks.task import Task, find_task
from comphy.puzzles.phyq.world.constants import RELEASE
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app as build_site
from comphy.toolkit.explorer.serving.server import Server
from tests.support.chromium import Page, chromium

SIZE: Final = (1180, 730)  # of the window
WIDTH: Final = 1000  # of the picture
QUALITY: Final = 80
PULL: Final = 110  # pixels; more than the full stretch


def main(
    task: Annotated[str, typer.Argument(help="Whose first certified shot is pulled.")] = "12.4:001",
    out: Annotated[Path, typer.Option(help="The picture.")] = Path("docs/pictures/phyq_play.webp"),
) -> None:
    """Photograph the player.

    Example: python -m tools.figures.phyq_player 12.4:001
    """
    chosen = find_task(task)
    with (
        working("photographing"),
        tempfile.TemporaryDirectory() as profile,
        Server(build_site(Library([]))) as server,
        chromium(Path(profile)) as page,
    ):
        page.send("Emulation.setScrollbarsHidden", hidden=True)
        page.open(f"{server.address}phyq/#{task}", *SIZE)
        page.wait(f"document.title.includes('{task}')")
        pull(page, chosen)
        page.wait("document.querySelector('#status').textContent.includes('stretch')")
        write_bytes(out, picture(page))
    console.print(f"{out}: {out.stat().st_size:,} bytes")


def pull(page: Page, task: Task) -> None:
    left, top, width, height = page.value(
        "(b => [b.left, b.top, b.width, b.height])(document.querySelector('#board').getBoundingClientRect())"
    )
    view, angle = view_of(task.level.things), math.radians(task.solution[0].degrees)
    x = left + (RELEASE[0] - view["left"]) / (view["right"] - view["left"]) * width
    y = top + (view["top"] - RELEASE[1]) / (view["top"] - view["bottom"]) * height
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    for share in (0.5, 1.0):
        place = (x - share * PULL * math.cos(angle), y + share * PULL * math.sin(angle))
        page.mouse("mouseMoved", *place, button="left", buttons=1)


def picture(page: Page) -> bytes:
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        page.screenshot(Path(file.name))
        shot = Image.open(file.name).convert("RGB")
    buffer = BytesIO()
    height = round(shot.height * WIDTH / shot.width)
    shot.resize((WIDTH, height), Image.Resampling.LANCZOS).save(buffer, "WEBP", quality=QUALITY, method=6)
    return buffer.getvalue()


app = build_app(main)

if __name__ == "__main__":
    app()
