#!/usr/bin/env python
"""Take the pictures of the explorer's pages in the docs, in a Chromium without a window.

comphy generate comphy --out out/show --sets 96 --seed 3 --render none
comphy train frequent --data out/show --out out/runs/frequent
comphy train random --data out/show --out out/runs/random
python -m tools.figures.explorer_pages out/show:1 --run out/runs/frequent --run out/runs/random
comphy demo
python -m tools.figures.explorer_pages demo:2 --only explore_seen --only explore_ask \\
    --question "What color is the first object to collide with the sphere?"
"""

import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlencode

import typer
from PIL import Image

from comphy.command import build_app, console, working
from comphy.errors import ComphyError, ConfigError
from comphy.files import write_bytes
from comphy.toolkit.asking import SetPlace
from comphy.toolkit.chromium import Page, chromium
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app as build_site
from comphy.toolkit.explorer.runs.runs import Runs, sort_runs
from comphy.toolkit.explorer.serving.server import Server

WIDTH: Final = 1200
QUALITY: Final = 82
PATIENCE: Final = 1800.0  # seconds: a model looks at the set first
BEGUN: Final = 3.0  # seconds in which what a script has set off is seen to begin
QUESTION: Final = "What will happen next?"
CHANGED: Final = {"1": {"mass": 8}}


@dataclass(frozen=True)
class Shot:
    """A page below the server's address, how high its picture is, what is waited for, what is scrolled to its top, and a
    script that runs before, after which is waited again: processes are started at first."""

    name: str
    address: str
    height: int
    shown: str
    top: str = "header"
    then: str = ""


def shots(index: int, world: str, question: str) -> list[Shot]:
    """Of every page; `world` is the key of a counterfactual run, `question` what is asked."""

    def of_set(**query: str) -> str:
        return f"#/set/0/{index}?{urlencode(query)}"

    return [
        Shot(
            "explore_browse", "#/browse/0", 760, "document.querySelectorAll('.poster canvas, .poster img').length > 8"
        ),
        Shot(
            "explore_set",
            of_set(frame="60", layers="numbers,boxes,tracks,velocities", run=world),
            1000,
            "document.querySelectorAll('.beside .stage').length === 1",
        ),
        Shot(
            "explore_what_if",
            of_set(frame="110", **{"if": json.dumps(CHANGED)}),
            1010,
            "document.querySelectorAll('.whatif .stage').length === 2 && "
            "!/at work/.test(document.querySelector('.whatif').textContent)",
            ".pair",
            "document.querySelector('.whatif input').dispatchEvent(new Event('input'))",
        ),
        Shot("explore_runs", "#/runs", 1150, "document.querySelectorAll('.matrix, .questions li').length > 3"),
        Shot(
            "explore_phyre",
            "phyre/",
            760,
            "document.querySelectorAll('#gallery button').length > 0",
            then="document.querySelector('#agents button').click()",
        ),
        Shot(
            "explore_seen",
            of_set(frame="60", layers="seen-boxes,seen-tracks,doubts"),
            860,
            "/ saw /.test(document.querySelector('.main > p')?.textContent)",
        ),
        Shot("explore_ask", of_set(frame="90", ask=question), 1300, "document.querySelector('.sentence') !== null"),
    ]


def main(
    videos: Annotated[str, typer.Argument(metavar="SET", help="DATASET:NUMBER, a set with four objects or so.")],
    run: Annotated[list[Path] | None, typer.Option(help="Runs that answered the dataset's questions.")] = None,
    out: Annotated[Path, typer.Option(help="Folder of the pictures.")] = Path("docs/pictures"),
    question: Annotated[str, typer.Option(help="What is asked.")] = QUESTION,
    only: Annotated[list[str] | None, typer.Option(help="Names of pictures, such as explore_set; all if none.")] = None,
) -> None:
    """Take pictures of the explorer's pages.

    Example: python -m tools.figures.explorer_pages out/show:1 --run out/runs/frequent --run out/runs/random
    """
    place = SetPlace.parse(videos)
    library = Library([place.data])
    worlds = library.source(0).set_record(place.index)["runs"]
    taken = choose(shots(place.index, worlds[0]["key"], question), only or ())
    compared, reasoners = sort_runs(run or [])
    site = build_site(library, Runs(compared, library.source(0).source), reasoners)
    with tempfile.TemporaryDirectory() as profile, Server(site) as server, chromium(Path(profile)) as page:
        page.send("Emulation.setScrollbarsHidden", hidden=True)
        for shot in taken:
            with working(f"taking {shot.name}"):
                write_bytes(out / f"{shot.name}.webp", take(page, server.address, shot))
            console.print(str(out / f"{shot.name}.webp"))


def choose(all_shots: Sequence[Shot], names: Sequence[str]) -> list[Shot]:
    """Raises `ConfigError` for a name that no picture has."""
    known = {shot.name for shot in all_shots}
    strange = [name for name in names if name not in known]
    if strange:
        raise ConfigError(f"expected names of pictures, {', '.join(sorted(known))} (got {strange[0]}).")
    return [shot for shot in all_shots if not names or shot.name in names]


def take(page: Page, address: str, shot: Shot) -> bytes:
    page.open("about:blank")
    page.open(f"{address}{shot.address}", WIDTH, shot.height)
    wait(page, shot)
    if shot.then:
        page.value(shot.then)
        end = time.monotonic() + BEGUN
        while page.value(shot.shown) and time.monotonic() < end:
            time.sleep(0.01)
        wait(page, shot)
    page.value(f"document.querySelector('{shot.top}').scrollIntoView()")
    time.sleep(1)  # drawn frames become finer when nothing moves
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        page.screenshot(Path(file.name))
        picture = Image.open(file.name).convert("RGB")
    buffer = BytesIO()
    picture.save(buffer, "WEBP", quality=QUALITY, method=6)
    return buffer.getvalue()


def wait(page: Page, shot: Shot) -> None:
    end = time.monotonic() + PATIENCE
    while not page.value(shot.shown):
        if time.monotonic() > end:
            raise ComphyError(f"{shot.name}: expected {shot.shown} within {PATIENCE:g} s.")
        time.sleep(0.2)


app = build_app(main)

if __name__ == "__main__":
    app()
