"""`comphy explore`: datasets, answers and puzzles in the browser."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer

from comphy.command import build_app, console, when_interrupted
from comphy.errors import ConfigError

DEMO: Final = Path("demo")
LOOPBACK: Final = "127.0.0.1"
PortOption = Annotated[int, typer.Option(min=0, max=65535, help="0 takes any that is free.")]
HostOption = Annotated[str, typer.Option(help="Address to serve at; without it, only this machine can look.")]
BrowserOption = Annotated[bool, typer.Option(help="Open a browser at the page.")]


@when_interrupted("No site was written, and one that was there is as it was; what models saw is kept.")
def main(
    sources: Annotated[
        list[Path] | None, typer.Argument(metavar="[SOURCE]...", help="Folders of video sets; without: demo.")
    ] = None,
    run: Annotated[
        list[Path] | None,
        typer.Option(
            help="Folder of a run, a submission for the first source, or weights to ask (pcr_full); may be repeated."
        ),
    ] = None,
    port: PortOption = 8000,
    host: HostOption = LOOPBACK,
    browser: BrowserOption = True,
    export: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a site of some sets there, which opens from disk, and serve nothing."),
    ] = None,
    sets: Annotated[
        str | None, typer.Option(metavar="0-4,9", help="With --export: numbers of the sets; without, the first twelve.")
    ] = None,
    ask: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QUESTION",
            help="With --export: ask the reasoner of --run this about every set, and film what it imagines; may be "
            "repeated. Without, it is asked the sets' own questions.",
        ),
    ] = None,
) -> None:
    """Browse datasets, ask about them, compare runs and play puzzles in the browser, until Ctrl-C; or export sets.

    A source is a dataset of this toolkit, the published ComPhy release, CLEVRER, or a folder of your own videos. Without
    one, the demo's dataset is shown, which is made first if you want.

    Example: comphy explore out/comphy --port 8000
    """
    roots = sources or [_demo()]
    if export is None:
        if sets is not None or ask:
            raise ConfigError("expected --export with --sets and --ask: they choose what a site has.")
        open_site(roots, port, host, browser, runs=run or [])
        return
    from comphy.toolkit.explorer.export.exporting import export_sets

    page = export_sets(roots, export, run or [], sets, ask or [])
    console.print(page.absolute().as_uri())


def open_site(
    roots: Sequence[Path],
    port: int,
    host: str,
    browser: bool,
    path: str = "",
    runs: Sequence[Path] = (),
    rounds: Path | None = None,
    results: Sequence[Path] = (),
) -> None:
    """Serve sources and puzzles until Ctrl-C; `path` is of the first page, `rounds` the folder of rounds of Phy-Q, `results`
    what agents of PHYRE tried."""
    from comphy.toolkit.explorer.opening import serve

    with suppress(KeyboardInterrupt):
        serve(roots, port, host, browser, path, runs, rounds, results)


def _demo() -> Path:
    if DEMO.is_dir():
        return DEMO
    wanted = "comphy explore out/comphy, or make the demo's dataset first: comphy demo"
    if not sys.stdin.isatty():
        raise ConfigError(f"expected a source (got none, and there is no folder '{DEMO}'). Name one: {wanted}.")
    if not typer.confirm(f"There is no folder '{DEMO}'. Make a small dataset there now? It takes some minutes."):
        raise ConfigError(f"expected a source (got none). Name one: {wanted}.")
    from comphy.cli import demo

    demo.main(DEMO)
    return DEMO


app = build_app(main)
