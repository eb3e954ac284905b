"""How long somebody waits for the explorer's pages in a real Chromium, and how much memory its server takes."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

from comphy.choices import RendererName
from comphy.cli.benchmarks.many_sets import repeat_sets
from comphy.toolkit.chromium import Page, chromium
from comphy.toolkit.explorer.asking.answerers import WEIGHTS
from comphy.toolkit.explorer.serving.pages import page_bytes
from data_gen.config import DatasetConfig
from data_gen.jobs.generate import generate
from data_gen.jobs.worker import Job

Json = dict[str, Any]
SETS: Final = 24
MANY: Final = 12_000
VISITED: Final = 100  # sets whose pages are opened before memory is read
GRID: Final = """[...document.querySelectorAll('.poster')]
  .some((one) => one.querySelector('canvas') || one.querySelector('img')?.complete)"""
PLAYS: Final = """((all) => all.length === 5 && all.every((one) => one.readyState > 1))
  ([...document.querySelectorAll('.stage video')])"""
_IS_PAINTED: Final = "getContext('2d').getImageData(one.width / 2, one.height / 2, 1, 1).data[3]"
DRAWN: Final = f"""((all) => all.length === 5 && all.every((one) => !one.hidden && one.width > 1 && one.{_IS_PAINTED}))
  ([...document.querySelectorAll('.drawn')])"""


def explore(repeats: int = 3) -> Json:
    """Seconds until the first page shows a set, from the start of the command, of a dataset with videos, which the demo's
    has, and of one whose pictures are drawn; until a set's page shows its five videos, and
    until it has drawn the frames of five that were not rendered; of a changed world by Bullet and by the learned dynamics of
    the weights that come along. Of `repeats` the least. Memory of the server after a page of 12,000 sets, which repeat 24
    generated ones, was read, its questions searched, and 100 sets opened. And the bytes of all scripts and styles."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        drawn, filmed = folder / "drawn", folder / "filmed"
        generate(Job(drawn, 0, RendererName.NONE, DatasetConfig()), sets=SETS)
        generate(Job(filmed, 0, RendererName.RAYTRACE, DatasetConfig()), sets=1)
        with chromium(folder / "profile") as page:
            first, first_cpu = map(min, zip(*(_first_page(page, filmed, folder) for _ in range(repeats)), strict=True))
            first_drawn = min(_first_page(page, drawn, folder)[0] for _ in range(repeats))
            with _serving([filmed, drawn], folder) as server:
                page.open(f"{server.address}#/browse/0")
                page.wait(GRID)
                plays = min(_opened(page, f"{server.address}#/set/0/0", PLAYS) for _ in range(repeats))
                draws = min(_opened(page, f"{server.address}#/set/1/{k}", DRAWN) for k in range(repeats))
                bullet, learned = (_what_if(server, by, repeats) for by in (None, WEIGHTS))
        repeat_sets(drawn, folder / "many", MANY)
        memory = _memory(folder)
    return {
        "first_page_s": first,
        "first_page_server_cpu_s": first_cpu,
        "first_page_drawn_s": first_drawn,
        "set_with_videos_s": plays,
        "set_drawn_s": draws,
        "what_if_bullet_s": bullet,
        "what_if_learned_s": learned,
        **memory,
        "scripts_and_styles_bytes": page_bytes(),
    }


class _Served:
    """`comphy explore` in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self.process, self.port = process, port
        self.address = f"http://127.0.0.1:{port}/"

    def ask(self, path: str, question: Json | None = None) -> bytes:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=600)
        body = None if question is None else json.dumps(question)
        connection.request("GET" if body is None else "POST", path, body)
        answer = connection.getresponse()
        found = answer.read()
        connection.close()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {found[:200]!r}")
        return found

    def cpu_seconds(self) -> float:
        """Of all its threads; nan where the system does not tell."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            return math.nan
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self, what: str) -> float | None:
        """VmRSS or VmHWM of the process; None where the system does not tell."""
        status = Path(f"/proc/{self.process.pid}/status")
        found = re.search(rf"{what}:\s+(\d+) kB", status.read_text()) if status.exists() else None
        return int(found[1]) / 1000 if found else None


@contextmanager
def _serving(roots: list[Path], cache: Path) -> Iterator[_Served]:
    command = [sys.executable, "-m", "comphy.cli", "explore", *map(str, roots), "--port", "0", "--no-browser"]
    surroundings = {**os.environ, "XDG_CACHE_HOME": str(cache / "cache")}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=surroundings)
    assert process.stdout is not None
    try:
        told = re.search(r"http://127.0.0.1:(\d+)/", process.stdout.readline())
        assert told is not None, "the server did not say where it is"
        yield _Served(process, int(told[1]))
    finally:
        process.send_signal(signal.SIGINT)  # as Ctrl-C does
        process.wait()
        process.stdout.close()


def _first_page(page: Page, data: Path, cache: Path) -> tuple[float, float]:
    """Seconds by the clock, and of them those that the server computed, which is steadier on a machine that others use."""
    page.open("about:blank")
    begin = time.perf_counter()
    with _serving([data], cache) as server:
        page.open(server.address)
        page.seconds_until(GRID)
        return time.perf_counter() - begin, server.cpu_seconds()


def _opened(page: Page, address: str, shown: str) -> float:
    page.open("about:blank")
    page.open(address)
    return page.seconds_until(shown)


def _what_if(server: _Served, by: str | None, repeats: int) -> float:
    """The first answer, for which processes are started and weights loaded, does not count."""
    times = []
    for mass in range(2, 3 + repeats):
        question = {"changes": {"0": {"mass": mass}}, **({"by": by} if by else {})}
        begin = time.perf_counter()
        server.ask("/api/sources/1/sets/1/what-if", question)
        times.append(time.perf_counter() - begin)
    return min(times[1:])


def _memory(folder: Path) -> Json:
    with _serving([folder / "many"], folder) as server:
        begin = time.perf_counter()
        lines = server.ask("/api/sources/0/catalogue").count(b"\n")
        read = time.perf_counter() - begin
        server.ask("/api/sources/0/questions")
        server.ask("/api/sources/0/search?words=collide")
        for index in range(0, lines, max(1, lines // VISITED)):
            server.ask(f"/api/sources/0/sets/{index}")
        return {
            "sets": lines,
            "catalogue_at_first_s": read,
            "server_mb": server.megabytes("VmRSS"),
            "server_peak_mb": server.megabytes("VmHWM"),
        }
