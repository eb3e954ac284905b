"""Requests to the explorer's server that are hostile, damaged, slow, or hung up on."""

import logging
import re
import select
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, Self

import numpy as np

from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app
from comphy.toolkit.explorer.serving.server import LOOPBACK, Server
from comphy.toolkit.torture.clients import Attempt, attempt, cut, plain
from comphy.toolkit.torture.materials import make_materials
from comphy.toolkit.torture.trial_result import TrialResult

_SECRET: Final = b"what nobody outside may read"
_KEPT: Final = (_SECRET, b"root:x:0:0")  # of a file beside the dataset, and of one of the machine
_ANSWER_S: Final = 60.0  # only a server that hangs takes so long to answer
_SLOWEST_S: Final = 20.0  # in which a connection must be closed on which no whole request comes
_SLOW_CLIENTS: Final = 6
SLOW_SHARE: Final = 0.02  # of trials: each takes as long as the server is patient
_BUSY: Final = 503
_HANG_UP: Final = struct.pack("ii", 1, 0)  # closing then sends a reset


class Requests:
    """Whatever is sent, the server refuses it or answers, tells nothing that is not its own, closes connections that no
    request comes on, and still answers the next one as before."""

    name = "requests"

    def __init__(self, server: Server) -> None:
        self._server = server
        self._expected = self._answer(plain(server.port))
        self._errors = _Errors()

    @classmethod
    @contextmanager
    def opened(cls, folder: Path) -> Iterator[Self]:
        """With a server of a small dataset, beside which there is a secret."""
        root = make_materials(folder, videos=False)["manifest"][0].root
        for name in ("secret.txt", "secret.mp4"):
            (root.parent / name).write_bytes(_SECRET)
        with Server(build_app(Library([root]), rounds=folder / "rounds")) as server:
            kind = cls(server)
            with kind._errors.collected():
                yield kind

    def trial(self, rng: np.random.Generator) -> TrialResult:
        self._errors.found.clear()
        way = rng.random()
        tried = attempt(rng, self._server.port)
        if way < SLOW_SHARE:
            outcome = self._slow([cut(rng, tried) for _ in range(_SLOW_CLIENTS)])
        elif way < 0.2:
            outcome = self._hung_up(cut(rng, tried) if way < 0.1 else tried)
        else:
            outcome = self._answered(tried)
        return self._after(outcome)

    def _answered(self, tried: Attempt) -> TrialResult:
        try:
            answer = self._answer(tried.sent)
        except TimeoutError:
            return TrialResult("no answer", tried.tried, lost=True, told=f"nothing came within {_ANSWER_S:g} s")
        statuses = _statuses(answer)
        told = f"status {statuses}: {answer[-200:]!r}"
        if any(status >= 500 and status != _BUSY for status in statuses):
            return TrialResult("a bug", tried.tried, traceback=True, told=told)
        good = [status for status in statuses if status < 400]
        got = any(secret in answer for secret in _KEPT) or (tried.refused and bool(good))
        how = "closed" if not statuses else "answered" if good else "refused"
        return TrialResult(how, tried.tried, different=got, told=told if got else "")

    def _hung_up(self, tried: Attempt) -> TrialResult:
        """A client that goes away without reading the answer."""
        with closing(self._connection()) as client:
            _send(client, tried.sent)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _HANG_UP)
        return TrialResult("hung up", f"{tried.tried}, and hung up")

    def _slow(self, parts: list[Attempt]) -> TrialResult:
        """Clients that begin a request and then send nothing more."""
        clients = [self._connection() for _ in parts]
        end = time.monotonic() + _SLOWEST_S
        try:
            for client, part in zip(clients, parts, strict=True):
                _send(client, part.sent)
            open_still = set(clients)
            while open_still and time.monotonic() < end:
                readable, _, _ = select.select(list(open_still), [], [], 0.2)
                open_still -= {client for client in readable if _over(client)}
        finally:
            for client in clients:
                client.close()
        told = f"{len(open_still)} of {len(parts)} connections were not closed within {_SLOWEST_S:g} s"
        return TrialResult(
            "slow", f"{len(parts)} times {parts[0].tried}", lost=bool(open_still), told=told * bool(open_still)
        )

    def _after(self, outcome: TrialResult) -> TrialResult:
        """What became of the server."""
        try:
            after = self._answer(plain(self._server.port))
        except (TimeoutError, OSError) as error:
            return TrialResult(
                "down", outcome.tried, lost=True, told=f"afterwards the server does not answer: {error!r}"
            )
        if _content(after) != _content(self._expected):
            return TrialResult(
                "different", outcome.tried, different=True, told=f"afterwards it answers {after[:300]!r}"
            )
        if self._errors.found:
            return TrialResult("traceback", outcome.tried, traceback=True, told=self._errors.found[0][-600:])
        return outcome

    def _connection(self) -> socket.socket:
        return socket.create_connection((LOOPBACK, self._server.port), timeout=_ANSWER_S)

    def _answer(self, sent: bytes) -> bytes:
        """All that comes until the server closes the connection."""
        with closing(self._connection()) as client:
            _send(client, sent)
            return _rest(client)


class _Errors(logging.Handler):
    """What the server would have printed as tracebacks."""

    _LOGGERS: Final = ("uvicorn.error", "asyncio")

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.setFormatter(logging.Formatter())
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))

    @contextmanager
    def collected(self) -> Iterator[None]:
        loggers = [logging.getLogger(name) for name in self._LOGGERS]
        before = [(logger.level, logger.propagate) for logger in loggers]
        for logger in loggers:
            logger.addHandler(self)
            logger.setLevel(logging.ERROR)
            logger.propagate = False
        try:
            yield
        finally:
            for logger, (level, propagate) in zip(loggers, before, strict=True):
                logger.removeHandler(self)
                logger.setLevel(level)
                logger.propagate = propagate


def _send(client: socket.socket, sent: bytes) -> None:
    """A server may refuse a request before all of it has come."""
    with suppress(BrokenPipeError, ConnectionResetError):
        client.sendall(sent)


def _rest(client: socket.socket) -> bytes:
    found = b""
    with suppress(ConnectionResetError):  # it was refused and closed before all of it was read
        while part := client.recv(1 << 16):
            found += part
    return found


def _over(client: socket.socket) -> bool:
    """Whether the server has closed a connection that has something to read."""
    try:
        return not client.recv(1 << 16)
    except ConnectionResetError:
        return True


def _statuses(answer: bytes) -> list[int]:
    """Of all answers on a connection."""
    return [int(status) for status in re.findall(rb"^HTTP/1.1 (\d{3}) ", answer, re.MULTILINE)]


def _content(answer: bytes) -> bytes:
    """Without headers, of which one tells the time."""
    return answer.partition(b"\r\n\r\n")[2]
