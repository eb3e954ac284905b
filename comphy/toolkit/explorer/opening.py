"""Opens the site: builds it, says where it is, opens a browser at it, and serves until Ctrl-C."""

import webbrowser
from collections.abc import Sequence
from pathlib import Path

from comphy.command import console
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app
from comphy.toolkit.explorer.runs.runs import Runs, sort_runs
from comphy.toolkit.explorer.server import LOOPBACK, Server


def serve(
    roots: Sequence[Path],
    port: int,
    host: str,
    browser: bool,
    path: str = "",
    runs: Sequence[Path] = (),
    rounds: Path | None = None,
) -> None:
    """Show sources in the browser until Ctrl-C.

    Args:
        roots: folders of sources.
        port: 0 takes any that is free.
        host: address to serve at.
        browser: whether to open one.
        path: of the first page.
        runs: folders of runs that answered questions of the first source, submission files, or reasoners to ask: their
            folders or the names of weights that come along.
        rounds: folder of rounds of Phy-Q that were played; created by the first. Without it, out/phyq_rounds.

    Raises:
        DatasetError: a folder is no source.
        ConfigError: a path is no run, or the address cannot be served at."""
    library = Library(roots)
    compared, reasoners = sort_runs(runs)
    answered = Runs(compared, library.shelves[0].source if library.shelves else None)
    server = Server(build_app(library, answered, reasoners, rounds), port, host)
    address = server.address_of(path)
    if host != LOOPBACK and server.token is not None:
        console.print(
            f"Warning: other machines that reach {host} can read these datasets with the token in the address below.",
            style="yellow",
        )
    console.print(f"Open {address} in a browser. Ctrl-C ends it.", highlight=False)
    if browser:
        webbrowser.open(address)
    server.serve_forever()
