"""What keeps other pages and other machines out: the Host header, the origin of requests, a token, and strict headers. And
what bounds requests: their size, how deep their JSON is, and how long they take to come."""

import asyncio
import re
import secrets
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_QUESTION: Final = 10_000  # bytes of a request's body
SLOWEST: Final = 10.0  # seconds in which a request has to come
DEEPEST: Final = 20  # brackets within brackets in a body: far more would exhaust the stack of a parser
COOKIE: Final = "comphy_token"
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
LONGEST_PATH: Final = 1000  # letters; the numbers in longer ones may be too long for Python


def new_token() -> str:
    return secrets.token_urlsafe(16)


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # such as `http://[`
        return None


class Guard:
    """Answers only pages of this server. A page of another site that has its name point here (DNS rebinding) sends its own
    name as Host, and one that calls across origins its own Origin; neither gets anything.

    With a `token`, which is for servers that other machines reach, any Host is accepted, but requests must bring the token:
    once in the address, then in a cookie."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str | None = None) -> None:
        self._app, self._hosts, self._token = app, hosts, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # the server begins or ends
            await self._app(scope, receive, send)
            return
        refused = self._refusal(Headers(scope=scope), scope)
        if refused is None:
            body = await _body(receive)
            refused, receive = _refuse_body(body), _again(body, receive)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await (refused or self._app)(scope, receive, send_guarded)

    def _refusal(self, headers: Headers, scope: Scope) -> ASGIApp | None:
        host = headers.get("host", "")
        if self._token is None and host not in self._hosts:
            return _refuse(403, f"Expected the address {min(self._hosts)} (got Host '{host[:80]}').")
        origin = headers.get("origin")
        if origin is not None and _host_of(origin) != host:
            return _refuse(403, f"Requests of other sites are not answered (got Origin '{origin[:80]}').")
        if len(scope["path"]) > LONGEST_PATH:
            return _refuse(414, f"Expected a path of at most {LONGEST_PATH} letters (got {len(scope['path'])}).")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LONGEST_QUESTION or "transfer-encoding" in headers:
            return _refuse(400, f"Expected a Content-Length of at most {LONGEST_QUESTION} bytes (got '{length[:20]}').")
        return None if self._token is None else self._without_token(headers, scope)

    def _without_token(self, headers: Headers, scope: Scope) -> ASGIApp | None:
        assert self._token is not None
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = query.pop("token", [""])[0]
        if secrets.compare_digest(given.encode(), self._token.encode()):
            rest = urlencode(query, doseq=True)
            answer = RedirectResponse(f"{scope['path']}?{rest}" if rest else scope["path"])
            answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            return answer
        if secrets.compare_digest(_cookie(headers).encode(), self._token.encode()):
            return None
        return _refuse(
            403, "Expected the token. Open the whole address that the command has printed, ?token= included."
        )


async def _body(receive: Receive) -> bytes | None:
    """All of it, whose size `content-length` has bounded; None if it does not come in time."""
    found = b""
    try:
        async with asyncio.timeout(SLOWEST):
            while True:
                message = await receive()
                found += message.get("body", b"")
                if not message.get("more_body", False):
                    return found
    except TimeoutError:
        return None


def _again(body: bytes | None, receive: Receive) -> Receive:
    """Gives the application the body that was read, then what comes after it."""
    left = [body or b""]

    async def received() -> Message:
        return {"type": "http.request", "body": left.pop(), "more_body": False} if left else await receive()

    return received


def _refuse_body(body: bytes | None) -> ASGIApp | None:
    if body is None:
        return _refuse(408, f"Expected the whole request within {SLOWEST:g} s.", connection="close")
    return _refuse(400, f"Expected at most {DEEPEST} brackets within brackets.") if _depth(body) > DEEPEST else None


def _depth(body: bytes) -> int:
    """Of JSON; brackets in strings are no brackets."""
    most = depth = 0
    for byte in re.sub(rb'"(?:[^"\\]|\\.)*"', b"", body):
        depth += (byte in b"[{") - (byte in b"]}")
        most = max(most, depth)
    return most


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _refuse(status: int, message: str, **headers: str) -> ASGIApp:
    return JSONResponse({"error": message}, status, headers)
