"""What clients send who are broken, curious or hostile: requests as bytes, most of which no browser would make."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from comphy.toolkit.torture.damaging import HOSTILE

_SET: Final = "/api/sources/0/sets/0"
_PAGES: Final = (
    "/", "/main.js", "/api/sources", "/api/sources/0/catalogue", "/api/sources/0/questions",
    "/api/sources/0/search?words=cube", _SET, f"{_SET}/runs/mass_0_5", "/api/runs", "/media/0/0/target.mp4",
    "/media/0/0/poster.jpg?frame=3", "/phyre/", "/phyre/main.js", "/phyq/",
    "/phyq/main.js", "/player/ask.js",
)  # fmt: skip
_ASKED: Final[dict[str, Any]] = {
    f"{_SET}/what-if": {"changes": {"0": {"mass": 5, "charge": 1, "start": [0.5, 0.5]}}},
    f"{_SET}/ask": {"question": "What color is the cube?", "by": "pcr"},
    "/phyre/api/tiers": {},
    "/phyre/api/task": {"task": "00011:000"},
    "/phyre/api/check": {"task": "00011:000", "balls": [[120, 200, 20]]},
    "/phyre/api/attempt": {"task": "00011:000", "balls": [[120, 200, 20]]},
    "/phyre/api/nothing": {},
    "/phyq/api/catalogue": {},
    "/phyq/api/task": {"task": "15.2:001"},
    "/phyq/api/aim": {"x": 1.5, "y": -1, "stretch": 0.9},
    "/phyq/api/play": {"task": "15.2:001", "shots": [[60, 1, 1.5, None]]},
    "/phyq/api/solution": {"task": "15.2:001"},
    "/phyq/api/agent": {"task": "1.5:001", "agent": "pig_shooter", "seed": 1},
    "/phyq/api/round": {"player": "mallory", "number": 1},
    "/phyq/api/begin": {"player": "mallory", "number": 1, "task": "1.4:001"},
    "/phyq/api/end": {
        "player": "mallory",
        "number": 1,
        "task": "1.4:001",
        "shots": [[60, 1, None, None]],
        "seconds": 2,
    },
}
_OUTSIDE: Final = (
    "/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/%2e%2e/secret.txt", "/%2e%2e%5csecret.txt", "//secret.txt",
    "/media/0/0/..%2f..%2fsecret.mp4", "/media/0/0/../../secret.txt", "/media/0/0/%00.mp4", "/shared/../../secret.txt",
    "/etc/passwd", "//etc/passwd", "/%2fetc%2fpasswd", "/../../../../../../etc/passwd", "/file:///etc/passwd",
    "/manifest.json", "/.git/config", "/routes.py", "/__init__.py",
)  # fmt: skip
_NUMBERS: Final = (
    "-1",
    "1",
    "9" * 5000,
    "0x0",
    "\u00b2",
    "%c2%b2",
    "1e9",
    "00",
    "0.5",
    "",
    "%00",
    "..",
    "nan",
    str(2**63),
)
_NAMES: Final = ("evil.example", "evil.example:{port}", "", "127.0.0.1", "127.0.0.1:1", "[::1", "localhost:{port}.evil",
    "localhost:{port}@evil", "\xff\xfe", "a" * 300, "0.0.0.0:{port}")  # fmt: skip
_ORIGINS: Final = (
    "http://evil.example",
    "null",
    "https://[",
    "http://127.0.0.1:1",
    "\xff",
    "http://localhost:{port}.evil",
)
_METHODS: Final = ("PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "OPTIONS", "HEAD", "get", "G E T", "", "X" * 9000)
_BODIES: Final = (
    b"",
    b"{",
    b"\xff\xfe{}",
    b"[]",
    b"null",
    b"[" * 5000,
    b'{"a":' * 900,
    b'{"changes":' * 900,
    b"\x00" * 100,
)


@dataclass(frozen=True)
class Attempt:
    """Bytes for a server. `refused`: nobody may get anything for them."""

    tried: str
    sent: bytes
    refused: bool = False


def attempt(rng: np.random.Generator, port: int) -> Attempt:
    """One of all that may be tried of a server at a port of this machine."""
    return _ATTEMPTS[rng.integers(len(_ATTEMPTS))](rng, port)


def cut(rng: np.random.Generator, whole: Attempt) -> Attempt:
    """The beginning of a request, whose end never comes."""
    size = int(rng.integers(max(1, len(whole.sent) - 1)))
    return replace(whole, tried=f"{whole.tried}, cut off after {size} bytes", sent=whole.sent[:size])


def plain(port: int, path: str = "/api/sources") -> bytes:
    """A request that nothing is wrong with."""
    return _request("GET", path, {"Host": f"127.0.0.1:{port}"})


def _foreign_host(rng: np.random.Generator, port: int) -> Attempt:
    name = _one(rng, _NAMES).format(port=port)
    return Attempt(f"Host {name[:40]!r}", _request("GET", _one(rng, _PAGES), {"Host": name}), refused=True)


def _no_host_or_two(rng: np.random.Generator, port: int) -> Attempt:
    hosts = ["evil.example", f"127.0.0.1:{port}"] if rng.random() < 0.5 else []
    lines = "".join(f"Host: {host}\r\n" for host in rng.permutation(hosts)) if hosts else ""
    return Attempt(f"{len(hosts)} Hosts", f"GET / HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode(), refused=True)


def _foreign_origin(rng: np.random.Generator, port: int) -> Attempt:
    origin = _one(rng, _ORIGINS).format(port=port)
    headers = {"Host": f"127.0.0.1:{port}", "Origin": origin}
    if rng.random() < 0.5:
        path = _one(rng, tuple(_ASKED))
        sent = _request("POST", path, headers, json.dumps(_ASKED[path]).encode())
    else:
        sent = _request("GET", _one(rng, _PAGES), headers)
    return Attempt(f"Origin {origin!r}", sent, refused=True)


def _method(rng: np.random.Generator, port: int) -> Attempt:
    method, path = _one(rng, _METHODS), _one(rng, (*_PAGES, *_ASKED, "*", f"127.0.0.1:{port}"))
    return Attempt(f"{method[:20]!r} of {path}", _request(method, path, {"Host": f"127.0.0.1:{port}"}))


def _outside(rng: np.random.Generator, port: int) -> Attempt:
    path = _one(rng, _OUTSIDE)
    return Attempt(path, _request("GET", path, {"Host": f"127.0.0.1:{port}"}))


def _odd_path(rng: np.random.Generator, port: int) -> Attempt:
    """A path of the site with other numbers, other bytes, or far too long."""
    path = _one(rng, _PAGES)
    match rng.integers(4):
        case 0:
            spots = [spot for spot, letter in enumerate(path) if letter.isdigit()]
            if spots:
                spot = int(rng.choice(spots))
                path = path[:spot] + _one(rng, _NUMBERS) + path[spot + 1 :]
        case 1:
            spot = int(rng.integers(len(path) + 1))
            path = path[:spot] + rng.bytes(int(rng.integers(1, 9))).decode("latin-1") + path[spot:]
        case 2:
            path += ("/" if rng.random() < 0.5 else "?a=") + "a" * int(rng.integers(1, 100_000))
        case _:
            path += "?" + "&".join(f"{name}={_one(rng, _NUMBERS)}" for name in ("from", "frame", "words", "stability"))
    return Attempt(path[:80], _request("GET", path, {"Host": f"127.0.0.1:{port}"}))


def _hostile_body(rng: np.random.Generator, port: int) -> Attempt:
    path = _one(rng, tuple(_ASKED))
    if rng.random() < 0.4:
        body = _BODIES[rng.integers(len(_BODIES))]
    else:
        text, hostile = json.dumps(_ASKED[path]), _one(rng, HOSTILE)
        spot = _one(
            rng, tuple(word for word in ('"mass": 5', "[0.5, 0.5]", '"00011:000"', "[[120", "{") if word in text)
        )
        key = spot.split(":")[0] + ": " if spot.startswith('"mass') else ""
        body = text.replace(spot, key + hostile, 1).encode()
    body = body if rng.random() < 0.9 else body + b" " * int(rng.integers(20_000))
    return Attempt(f"{path} with {body[:60]!r}", _request("POST", path, {"Host": f"127.0.0.1:{port}"}, body))


def _lying_length(rng: np.random.Generator, port: int) -> Attempt:
    """A length that is no number, is less than comes, or is told twice or by chunks. (More than comes: `cut`.)"""
    path = _one(rng, tuple(_ASKED))
    body = json.dumps(_ASKED[path]).encode()
    told = _one(rng, ("-1", "x", "1e9", "9" * 400, "0", "1", "1, 2", "\u00b2", "10001", "1000000000"))
    lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close", f"Content-Length: {told}"]
    match rng.integers(3):
        case 0:
            lines.append(f"Content-Length: {len(body)}")
        case 1:
            lines[-1] = "Transfer-Encoding: chunked"
            body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    return Attempt(f"{path}: {lines[-1]}", "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body)


def _odd_headers(rng: np.random.Generator, port: int) -> Attempt:
    match rng.integers(5):
        case 0:
            more = {f"x-{number}": "a" * 100 for number in range(rng.integers(1, 3000))}
        case 1:
            more = {"Cookie": "a" * int(rng.integers(1, 200_000))}
        case 2:
            more = {
                "Range": _one(rng, ("bytes=0-0", "bytes=-1", "bytes=9-1", "bytes=" + "0-1," * 3000, "x", "bytes=a-"))
            }
        case 3:
            more = {"Connection": "Upgrade", "Upgrade": _one(rng, ("websocket", "h2c", "x")), "Sec-WebSocket-Key": "x"}
        case _:
            more = {rng.bytes(6).decode("latin-1"): rng.bytes(6).decode("latin-1")}
    return Attempt(
        f"headers {str(more)[:60]}", _request("GET", _one(rng, _PAGES), {"Host": f"127.0.0.1:{port}", **more})
    )


def _garbage(rng: np.random.Generator, port: int) -> Attempt:
    sent = (
        rng.bytes(int(rng.integers(1, 5000))),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + rng.bytes(500),  # a TLS client
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /api/sources\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
        b"\r\n" * int(rng.integers(1, 3000)) + b"\r\n",
        b"A" * 100_000,
    )
    chosen = sent[rng.integers(len(sent))]
    return Attempt(f"no request: {chosen[:30]!r}", chosen + b"\r\n\r\n", refused=True)


def _several(rng: np.random.Generator, port: int) -> Attempt:
    """Requests one after the other, without waiting for answers."""
    parts = [_ATTEMPTS[rng.integers(len(_ATTEMPTS) - 1)](rng, port) for _ in range(rng.integers(2, 5))]
    kept_open = [part.sent.replace(b"Connection: close\r\n", b"") for part in parts[:-1]]
    return Attempt(" then ".join(part.tried for part in parts)[:200], b"".join([*kept_open, parts[-1].sent]))


_ATTEMPTS: Final[tuple[Callable[[np.random.Generator, int], Attempt], ...]] = (
    _foreign_host, _no_host_or_two, _foreign_origin, _method, _outside, _odd_path, _hostile_body, _lying_length,
    _odd_headers, _garbage, _several,
)  # fmt: skip


def _one(rng: np.random.Generator, words: tuple[str, ...]) -> str:
    return words[rng.integers(len(words))]


def _request(method: str, path: str, headers: dict[str, str], body: bytes | None = None) -> bytes:
    """`Connection: close`, so that the end of the answer is the end of the connection."""
    told = {"Connection": "close", **headers, **({} if body is None else {"Content-Length": str(len(body))})}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + (body or b"")
