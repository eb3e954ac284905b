#!/usr/bin/env python
"""Film the explorer for the README, in a Chromium without a window: sets, a video with layers, a question and its answer.

comphy generate comphy --out out/show --sets 12 --seed 21 --render none
python -m tools.figures.explorer_film out/show:9 "If the green object were heavier, what would happen?"

The film is made only if the model names every object rightly and its answer is the simulator's.
"""

import tempfile
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Annotated, Final

import typer
from PIL import Image

import comphy
from comphy.command import build_app, console, working
from comphy.errors import ComphyError
from comphy.files import write_bytes
from comphy.resources import find_weights
from comphy.toolkit.asking import SetPlace, TrainedReasoner, answer
from comphy.toolkit.chromium import Page, chromium
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app as build_site
from comphy.toolkit.explorer.serving.server import Server
from tools.figures.showcase import require_truth

LIMIT: Final = 1_500_000  # bytes
SIZE: Final = (960, 850)  # of the window
WIDTH: Final = 760  # of the film
STEP: Final = 6  # frames of a video from one picture to the next
MOMENT: Final = 110  # milliseconds of such a picture
QUALITY: Final = 62
PATIENCE: Final = 900.0  # seconds for an answer: the model looks at the set first

Shot = tuple[Image.Image, int]  # and its milliseconds


def main(
    videos: Annotated[str, typer.Argument(metavar="SET", help="DATASET:NUMBER.")],
    question: Annotated[str, typer.Argument(help="A question about what would happen.")],
    out: Annotated[Path, typer.Option(help="The film.")] = Path("docs/pictures/explorer.webp"),
) -> None:
    """Film the explorer.

    Example: python -m tools.figures.explorer_film out/show:9 "If the green object were heavier, what would happen?"
    """
    place = SetPlace.parse(videos)
    trained = TrainedReasoner.load(find_weights("pcr"), device="cpu")
    require_truth(*answer(trained, place, trained.read(question)), comphy.open_dataset(place.data)[place.index])
    with (
        working("filming"),
        tempfile.TemporaryDirectory() as profile,
        Server(build_site(Library([place.data]))) as server,
        chromium(Path(profile)) as page,
    ):
        film = webp(list(shots(page, server.address, place.index, question)))
    if len(film) > LIMIT:
        raise ComphyError(f"{out}: expected at most {LIMIT:,} bytes (got {len(film):,}). Take another set.")
    write_bytes(out, film)
    console.print(f"{out}: {len(film):,} bytes")


def shots(page: Page, address: str, index: int, question: str) -> Iterator[Shot]:
    page.send("Emulation.setScrollbarsHidden", hidden=True)
    page.open(f"{address}#/browse/0", *SIZE)
    page.wait("document.querySelectorAll('.poster canvas, .poster img').length > 8")
    yield shot(page, 1300)
    page.value(f"document.querySelector('.card[href=\"#/set/0/{index}\"]').focus()")
    yield shot(page, 700)
    page.key("Enter", "\r")
    page.wait("document.querySelectorAll('.stage').length === 5")
    page.value("scrollTo(0, document.querySelector('.title').offsetTop)")
    yield shot(page, 500)
    yield from playing(page, 0, 60)
    page.key("4", "4")  # tracks
    yield from playing(page, 60, 100)
    page.key("6", "6")  # hidden properties
    yield from playing(page, 100, 125)
    yield from asking(page, question)
    page.value("scrollTo(0, document.querySelector('.videos').offsetTop - 8)")
    yield shot(page, 1200)
    yield from playing(page, 0, page.value("Number(document.querySelector('.transport input').max)"))
    yield shot(page, 2200)


def playing(page: Page, first: int, end: int) -> Iterator[Shot]:
    for frame in range(first, end, STEP):
        page.value(
            f"(one => {{ one.value = {frame}; one.dispatchEvent(new Event('input')) }})"
            "(document.querySelector('.transport input'))"
        )
        yield shot(page, MOMENT)


def asking(page: Page, question: str) -> Iterator[Shot]:
    """The question is typed a few words at a time; how long the model looks is not shown."""
    page.value("document.querySelector('.asking input').focus({preventScroll: true})")
    words = question.split(" ")
    for number in range(0, len(words), 2):
        page.send("Input.insertText", text=" ".join(words[number : number + 2]) + " ")
        yield shot(page, 170)
    page.key("Enter", "\r")
    yield shot(page, 500)
    end = time.monotonic() + PATIENCE
    while not page.value("document.querySelector('.sentence, .answer [role=alert]') !== null"):
        if time.monotonic() > end:
            raise ComphyError(f"expected an answer within {PATIENCE:g} s (got none). Ask once with comphy ask first.")
        time.sleep(0.5)
    page.wait("document.querySelector('.beside .stage') !== null")


def shot(page: Page, milliseconds: int) -> Shot:
    """What the window shows, once it is drawn."""
    page.send(
        "Runtime.evaluate",
        expression="new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        awaitPromise=True,
    )
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        page.screenshot(Path(file.name))
        picture = Image.open(file.name).convert("RGB")
    height = round(picture.height * WIDTH / picture.width)
    return picture.resize((WIDTH, height), Image.Resampling.LANCZOS), milliseconds


def webp(film: list[Shot]) -> bytes:
    pictures, times = zip(*film, strict=True)
    buffer = BytesIO()
    pictures[0].save(
        buffer, "WEBP", save_all=True, append_images=pictures[1:], duration=list(times), quality=QUALITY, method=6
    )
    return buffer.getvalue()


app = build_app(main)

if __name__ == "__main__":
    app()
