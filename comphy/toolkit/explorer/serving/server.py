"""Serves the pages over HTTP on one socket, until it is closed."""

import asyncio
import errno
import socket
import threading
import time
from types import TracebackType
from typing import Final, Self

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from comphy.errors import ConfigError
from comphy.toolkit.explorer.serving.guards import SLOWEST, Guard, new_token

LOOPBACK: Final = "127.0.0.1"
_LOOPBACKS: Final = (LOOPBACK, "localhost", "::1")
_PATIENCE: Final = 1  # seconds that open connections have to end in


_MOST_CONNECTIONS: Final = 100  # at once; a browser opens six


class _RequestTimeoutProtocol(H11Protocol):
    """Closes connections on which no whole request comes in time, so that nobody can hold them all. uvicorn itself waits
    for the headers of a request as long as a client likes."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def _wait(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(SLOWEST, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


class Server:
    """Answers with `app`, for this machine alone unless `host` says otherwise. Port 0 takes any that is free.

    Raises:
        ConfigError: the address is taken, or not one of this machine's."""

    def __init__(self, app: ASGIApp, port: int = 0, host: str = LOOPBACK) -> None:
        self._socket = _bound(host, port)
        self.port: int = self._socket.getsockname()[1]
        self.token = None if host in _LOOPBACKS else new_token()
        self._host = f"[{host}]" if ":" in host else host
        names = {f"{name}:{self.port}" for name in (LOOPBACK, "localhost", "[::1]", self._host)}
        guarded = Guard(app, names, self.token)
        config = uvicorn.Config(
            guarded,
            http=_RequestTimeoutProtocol,
            ws="none",
            log_level="critical",
            access_log=False,
            timeout_graceful_shutdown=_PATIENCE,
            limit_concurrency=_MOST_CONNECTIONS,
        )
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    @property
    def address(self) -> str:
        """With a slash at its end."""
        return f"http://{self._host}:{self.port}/"

    def address_of(self, path: str) -> str:
        """Of a page such as `phyre/`, with the token where there is one."""
        page, mark, fragment = path.partition("#")
        return f"{self.address}{page}{f'?token={self.token}' if self.token else ''}{mark}{fragment}"

    def serve_forever(self) -> None:
        """Until Ctrl-C, which is raised as KeyboardInterrupt."""
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """End serving, when what is under way is answered."""
        self._server.should_exit = True

    def __enter__(self) -> Self:
        """Serve beside what else is done."""
        self._thread = threading.Thread(target=self.serve_forever, daemon=True)
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.005)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(place)
            bound.listen()
        except OSError:
            bound.close()
            raise
    except OSError as error:
        hint = "Choose another --port." if error.errno == errno.EADDRINUSE else "Choose another --host or --port."
        raise ConfigError(f"{host}:{port}: cannot serve here ({error.strerror}). {hint}") from None
    return bound
