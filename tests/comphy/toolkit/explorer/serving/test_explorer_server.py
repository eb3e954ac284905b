"""Who is answered: this machine's own pages alone, with strict headers, and by name only what belongs to the site."""

import re
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from comphy.errors import ConfigError
from comphy.toolkit.explorer.serving.guards import COOKIE, LONGEST_QUESTION
from comphy.toolkit.explorer.serving.pages import page_bytes
from comphy.toolkit.explorer.serving.server import Server
from tests.support.site import request, serving
from tests.support.waiting import HANG_S


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with serving() as server:
        yield server


def test_the_page_and_all_it_loads_are_served(site: Server) -> None:
    page = request(site, "/")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"http://" not in page.content.replace(b"http://www.w3.org/2000/svg", b""), "nothing from elsewhere"
    for path in (
        "/main.js",
        "/style.css",
        "/shared/base.css",
        "/shared/tracer.js",
        "/views/set.js",
        "/phyre/main.js",
        "/phyq/main.js",
        "/player/ask.js",
    ):
        assert request(site, path).status == 200, path


def test_scripts_and_styles_stay_small() -> None:
    assert 100_000 < page_bytes() < 300_000


@pytest.mark.parametrize(
    "path",
    ["/routes.py", "/__init__.py", "/../server.py", "/shared/", "/phyre/game.py", "/phyq/answers.py", "/etc/passwd"],
)
def test_nothing_else_is(site: Server, path: str) -> None:
    answer = request(site, path)
    assert (answer.status, "There is nothing at" in answer.json["error"]) == (404, True)


def test_every_answer_has_strict_headers(site: Server) -> None:
    for path in ("/", "/api/sources", "/nothing"):
        headers = request(site, path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_another_name_for_this_machine_gets_nothing(site: Server) -> None:
    """DNS rebinding: a page of evil.example has its name point to 127.0.0.1."""
    answer = request(site, "/api/sources", Host=f"evil.example:{site.port}")
    assert (answer.status, "Host 'evil.example" in answer.json["error"]) == (403, True)
    assert request(site, "/api/sources", Host=f"localhost:{site.port}").status == 200


def test_pages_of_other_sites_get_nothing(site: Server) -> None:
    assert request(site, "/phyre/api/tiers", "POST", b"{}", Origin="http://evil.example").status == 403
    assert request(site, "/phyre/api/tiers", "POST", b"{}", Origin=site.address.rstrip("/")).status == 200


def test_long_bodies_are_refused(site: Server) -> None:
    answer = request(site, "/phyre/api/check", "POST", b" " * (LONGEST_QUESTION + 1))
    assert (answer.status, str(LONGEST_QUESTION) in answer.json["error"]) == (400, True)


def test_deep_json_is_refused(site: Server) -> None:
    for body in (b"[" * 4000 + b"]" * 4000, b'{"a":' * 1000 + b"1" + b"}" * 1000):
        answer = request(site, "/phyre/api/tiers", "POST", body)
        assert (answer.status, "brackets" in answer.json["error"]) == (400, True)
    brackets_in_words = b'{"level": "' + b"[" * 4000 + b'"}'
    assert "brackets" not in request(site, "/phyre/api/tiers", "POST", brackets_in_words).content.decode()


@pytest.mark.parametrize(
    ("sent", "impatient", "told"),
    [
        (b"", "server", b""),
        (b"GET / HTTP/1.1\r\nHost: 127", "server", b""),
        (
            b"POST /phyre/api/tiers HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 9\r\n\r\n{",
            "guards",
            b"HTTP/1.1 408 ",
        ),
    ],
    ids=["nothing", "half-headers", "half-body"],
)
def test_connections_on_which_no_request_comes_are_closed(
    monkeypatch: pytest.MonkeyPatch, sent: bytes, impatient: str, told: bytes
) -> None:
    """By the part of the server that is impatient; the others wait as long as a busy machine takes."""
    modules = {name: f"comphy.toolkit.explorer.serving.{name}.SLOWEST" for name in ("guards", "server")}
    for name, slowest in modules.items():
        monkeypatch.setattr(slowest, 0.2 if name == impatient else HANG_S)
    with serving() as site, socket.create_connection(("127.0.0.1", site.port), timeout=HANG_S) as connection:
        connection.sendall(sent.replace(b"{port}", str(site.port).encode()))
        assert connection.recv(13) == told
        while connection.recv(4096):  # until the server closes it
            pass
        monkeypatch.setattr(modules[impatient], HANG_S)
        assert request(site, "/api/sources").status == 200


def test_too_many_connections_are_refused_and_the_server_goes_on(site: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("comphy.toolkit.explorer.serving.server._MOST_CONNECTIONS", 3)
    monkeypatch.setattr("comphy.toolkit.explorer.serving.server.SLOWEST", HANG_S)
    with serving() as few, ExitStack() as opened:
        for _ in range(3):
            opened.enter_context(socket.create_connection(("127.0.0.1", few.port), timeout=HANG_S))
        assert request(few, "/api/sources").status == 503
        opened.close()
        while request(few, "/api/sources").status == 503:
            pass


@pytest.mark.bullet
def test_clients_that_hang_up_leave_no_traceback(small_dataset: Path) -> None:
    """In the middle of a question, of an answer, and of a list."""
    command = [sys.executable, "-m", "comphy.cli", "explore", small_dataset, "--port", "0", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None and server.stderr is not None
    try:
        found = re.search(r"http://127.0.0.1:(\d+)/", server.stdout.readline())
        assert found is not None
        port = int(found[1])
        head = f"HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        for sent in (
            f"POST /api/sources/0/sets/1/what-if {head}Content-Length: 99\r\n\r\n{{",
            f"POST /api/sources/0/sets/1/what-if {head}Content-Length: 14\r\n\r\n" + '{"changes":{}}',
            f"POST /api/sources/0/sets/1/ask {head}Content-Length: 28\r\n\r\n" + '{"question": "What happens?"}',
            f"GET /api/sources/0/catalogue {head}\r\n",
            f"GET /api/sources/0/sets/1 {head}\r\n",
        ):
            with socket.create_connection(("127.0.0.1", port), timeout=HANG_S) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset
                connection.sendall(sent.encode())
        with socket.create_connection(("127.0.0.1", port), timeout=HANG_S) as connection:
            connection.sendall(f"GET /api/sources {head}Connection: close\r\n\r\n".encode())
            assert connection.recv(15) == b"HTTP/1.1 200 OK"
    finally:
        server.send_signal(signal.SIGINT)
        told = server.communicate(timeout=HANG_S)[1]
    assert told == ""


def test_only_this_machine_can_ask(site: Server) -> None:
    assert site.address.startswith("http://127.0.0.1:")
    assert site.token is None


def test_others_need_the_token() -> None:
    hello = Starlette(routes=[Route("/page", lambda request: PlainTextResponse("hello"))])
    with Server(hello, host="0.0.0.0") as server:
        assert server.token is not None
        refused = request(server, "/")
        assert (refused.status, "?token=" in refused.json["error"]) == (403, True)
        assert request(server, "/?token=wrong").status == 403
        led = request(server, f"/page?a=1&token={server.token}")
        assert (led.status, led.headers["location"]) == (307, "/page?a=1")
        cookie = led.headers["set-cookie"]
        assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
        assert request(server, "/page", Cookie=f"{COOKIE}={server.token}").content == b"hello"


def test_a_taken_port_is_explained(site: Server) -> None:
    with pytest.raises(ConfigError, match="Choose another --port"):
        Server(Starlette(), site.port)


def test_a_bug_is_told_and_the_server_goes_on(site: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("comphy.toolkit.explorer.library.Library.source", lambda self, number: 1 / 0)
    answer = request(site, "/api/sources/0/questions")
    assert (answer.status, "ZeroDivisionError" in answer.json["error"]) == (500, True)
    assert request(site, "/api/sources").status == 200
