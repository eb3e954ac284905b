"""The first page comes before the site is loaded, and what cannot be loaded is told by the page and by the command."""

import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from comphy.errors import DatasetError
from comphy.toolkit.explorer.serving.loading import LoadedSite
from comphy.toolkit.explorer.serving.pages import Pages
from comphy.toolkit.explorer.serving.server import Server
from tests.support.site import Answer, request
from tests.support.waiting import HANG_S


def saying(path: str, words: str) -> Starlette:
    return Starlette(routes=[Route(path, lambda request: PlainTextResponse(words))])


def test_pages_then_the_grid_then_the_rest() -> None:
    grid_may, rest_may = Event(), Event()
    told: dict[str, Answer] = {}

    def grid() -> Starlette:
        grid_may.wait()
        return saying("/api/sources", "grid")

    def rest() -> Starlette:
        rest_may.wait()
        return saying("/api/runs", "rest")

    site = LoadedSite(grid, rest, failed=lambda: None)
    with Server(Pages(site)) as server:

        def ask(path: str) -> None:
            told[path] = request(server, path)

        waiting = {path: Thread(target=ask, args=(path,)) for path in ("/api/sources", "/api/runs")}
        for thread in waiting.values():
            thread.start()
        assert request(server, "/").status == 200
        assert told == {}
        grid_may.set()
        waiting["/api/sources"].join()
        assert {path: one.content for path, one in told.items()} == {"/api/sources": b"grid"}
        rest_may.set()
        waiting["/api/runs"].join()
        assert told["/api/runs"].content == b"rest"
    assert site.error is None


def test_what_cannot_be_loaded_is_told_to_whoever_waits() -> None:
    asked, failed = Event(), Event()

    def broken() -> Starlette:
        asked.wait()
        raise DatasetError("here: expected a source.")

    site = LoadedSite(broken, lambda: saying("/", ""), failed.set)
    with Server(Pages(site)) as server:
        assert request(server, "/main.js").status == 200
        asked.set()
        answer = request(server, "/api/sources")
        assert (answer.status, answer.json["error"]) == (503, "here: expected a source.")
        assert request(server, "/api/runs").json["error"] == "here: expected a source."
        assert failed.wait(HANG_S)
    assert isinstance(site.error, DatasetError)


@pytest.mark.parametrize(
    ("folder", "told", "is_served"),
    [("missing", "no such folder", False), ("empty", "expected a source of video sets", True)],
)
def test_the_command_says_what_is_no_source(tmp_path: Path, folder: str, told: str, is_served: bool) -> None:
    (tmp_path / "empty").mkdir()
    command = [sys.executable, "-m", "comphy.cli", "explore", tmp_path / folder, "--port", "0", "--no-browser"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("error: ") and told in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ("Open http" in ended.stdout) == is_served, "a name that is wrong for sure opens no browser"
