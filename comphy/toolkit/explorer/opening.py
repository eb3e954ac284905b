"""Opens the site: says where it is, opens a browser at it, loads it, and serves until Ctrl-C. A page shows something before
all is loaded, since importing takes longer than anything else."""

import webbrowser
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette

from comphy.command import console
from comphy.dataset.sources.folder import require_folder
from comphy.toolkit.explorer.serving.loading import LoadedSite
from comphy.toolkit.explorer.serving.pages import Pages
from comphy.toolkit.explorer.serving.server import LOOPBACK, Server

if TYPE_CHECKING:
    from comphy.toolkit.explorer.library import Library
    from comphy.toolkit.explorer.runs.runs import Runs


def serve(
    roots: Sequence[Path],
    port: int,
    host: str,
    browser: bool,
    path: str = "",
    runs: Sequence[Path] = (),
    rounds: Path | None = None,
    results: Sequence[Path] = (),
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
        results: files of `comphy phyre evaluate --json`, whose attempts can be watched.

    Raises:
        DatasetError: a folder is no source.
        ConfigError: a path is no run, or the address cannot be served at."""
    for root in roots:
        require_folder(root)
    parts = _Parts(roots, runs, rounds, results)
    site = LoadedSite(parts.first, parts.rest, failed=lambda: server.stop())
    server = Server(Pages(site), port, host)
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
    if site.error is not None:
        raise site.error


class _Parts:
    """The parts of the site, in the order in which a page needs them. Each is imported when it is loaded."""

    def __init__(
        self, roots: Sequence[Path], runs: Sequence[Path], rounds: Path | None, results: Sequence[Path]
    ) -> None:
        self._roots, self._runs, self._rounds, self._results = roots, runs, rounds, results

    def first(self) -> Starlette:
        from comphy.toolkit.explorer.asking.answerers import answerers
        from comphy.toolkit.explorer.grid import grid_routes
        from comphy.toolkit.explorer.serving.endpoints import application

        answered, reasoners = self._sorted_runs
        return application(grid_routes(self._library, answered.names, answerers(reasoners)))

    def rest(self) -> Starlette:
        from comphy.toolkit.explorer.routes import build_site

        answered, reasoners = self._sorted_runs
        return build_site(self._library, answered, reasoners, self._rounds, self._results)

    @cached_property
    def _library(self) -> "Library":
        from comphy.toolkit.explorer.library import Library

        return Library(self._roots)

    @cached_property
    def _sorted_runs(self) -> "tuple[Runs, list[Path]]":
        from comphy.toolkit.explorer.runs.runs import Runs, sort_runs

        compared, reasoners = sort_runs(self._runs)
        sources = self._library.sources
        return Runs(compared, sources[0].source if sources else None), reasoners
