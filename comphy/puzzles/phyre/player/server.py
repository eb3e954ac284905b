"""Serves the page and its questions over HTTP, with nothing but the standard library."""

import errno
import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from comphy.errors import ComphyError, ConfigError
from comphy.puzzles.phyre.player import page
from comphy.puzzles.phyre.player.answers import ANSWERS, answer
from comphy.puzzles.phyre.player.game import Game

LOOPBACK: Final = "127.0.0.1"
LONGEST_QUESTION: Final = 10_000  # bytes
QUESTIONS: Final = "/api/"
_TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
_JSON: Final = "application/json"


class PlayerServer(ThreadingHTTPServer):
    """Answers until it is shut down. Port 0 takes any that is free."""

    daemon_threads = True

    def __init__(self, game: Game, port: int, host: str = LOOPBACK) -> None:
        self.game = game
        self.files = {f"/{path.name}": path for path in Path(page.__path__[0]).iterdir() if path.suffix in _TYPES}
        self.files["/"] = self.files["/index.html"]
        try:
            super().__init__((host, port), _Handler)
        except OSError as error:
            hint = "Choose another --port." if error.errno == errno.EADDRINUSE else "Choose another --host or --port."
            raise ConfigError(f"{host}:{port}: cannot serve here ({error.strerror}). {hint}") from None

    @property
    def address(self) -> str:
        return f"http://{self.server_address[0]!s}:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: PlayerServer
    protocol_version = "HTTP/1.1"  # a page that asks on every move of the mouse keeps its connection

    def do_GET(self) -> None:
        path = self.server.files.get(self.path.partition("?")[0])
        if path is None:
            self._refuse(HTTPStatus.NOT_FOUND, f"There is nothing at {self.path}. The page is at /.")
        else:
            self._send(HTTPStatus.OK, path.read_bytes(), f"{_TYPES[path.suffix]}; charset=utf-8")

    def do_POST(self) -> None:
        name = self.path.removeprefix(QUESTIONS)
        try:
            question = self._question()
        except ComphyError as error:
            self.close_connection = True  # what was not read must not be taken for the next request
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
            return
        if name not in ANSWERS or name == self.path:
            self._refuse(
                HTTPStatus.NOT_FOUND, f"There is no {self.path}. Known: {', '.join(map(QUESTIONS.__add__, ANSWERS))}."
            )
            return
        try:
            self._send_json(HTTPStatus.OK, answer(self.server.game, name, question))
        except ComphyError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: a line for each move of the mouse helps nobody."""

    def _question(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LONGEST_QUESTION:
            raise ConfigError(f"Expected a Content-Length of at most {LONGEST_QUESTION} bytes (got '{length}').")
        try:
            question = json.loads(self.rfile.read(int(length)))
        except ValueError as error:
            raise ConfigError(f"Expected a JSON object as the body of the request ({error}).") from None
        if not isinstance(question, dict):
            raise ConfigError(f"Expected a JSON object as the body of the request (got {type(question).__name__}).")
        return question

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        self._send_json(status, {"error": message})

    def _send_json(self, status: HTTPStatus, content: dict[str, Any]) -> None:
        self._send(status, json.dumps(content, separators=(",", ":")).encode(), _JSON)

    def _send(self, status: HTTPStatus, content: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Content-Security-Policy", "default-src 'self'; img-src data:")
        self.end_headers()
        self.wfile.write(content)
