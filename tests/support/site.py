"""The explorer's server in a thread, and requests to it as other programs than browsers make them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app
from comphy.toolkit.explorer.serving.server import Server
from tests.support.waiting import HANG_S


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.content.splitlines()]


@contextmanager
def serving(*roots: Path) -> Iterator[Server]:
    with Server(build_app(Library(roots))) as server:
        yield server


def request(server: Server, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=HANG_S)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    found = Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
    connection.close()
    return found
