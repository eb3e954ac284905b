"""Files of pages, all in one frame, and refusals with words for the reader."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from comphy import puzzles
from comphy.toolkit.explorer import page

PAGE: Final = Path(page.__path__[0])
PUZZLES: Final = ("phyre", "phyq")  # each has scripts and styles of its own in its `player/page`
_PUZZLES_FOLDER: Final = Path(puzzles.__path__[0])
_PLAYER: Final = _PUZZLES_FOLDER / "player/page"
_FRAME: Final = "shared/frame.html"
_INDEX: Final = "index.html"
_EARLY: Final = '<script type="module" async src="shared/early.js"></script>'
_NOT_SERVED: Final = ("shared/recorded.js",)  # of exported pages
_TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


class Pages:
    """Answers with files by their names alone; everything else is asked of the `site`. Files are read when they are wanted,
    so that a change is seen when the page is loaded again."""

    def __init__(self, site: ASGIApp) -> None:
        self._site = site
        self._files = site_files()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wanted = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        path = self._files.get(scope["path"]) if wanted else None
        if path is None:
            await self._site(scope, receive, send)
            return
        text = self._framed(scope["path"], path) if path.name == _INDEX else path.read_text()
        await Response(text, media_type=_TYPES[path.suffix])(scope, receive, send)

    def _framed(self, address: str, body: Path) -> str:
        """The explorer's page names all its modules, which a browser would else find one after the other."""
        if address != "/":
            return framed(body, "../" * (address.count("/") - 1))
        modules = [name for name in page_files(PAGE) if name.endswith(".js") and name not in _NOT_SERVED]
        return framed(body, first=[_EARLY, *(f'<link rel="modulepreload" href="{name}">' for name in modules)])


def site_files() -> dict[str, Path]:
    """The files of all pages by their addresses; a page itself is at the address of its folder."""
    found = {f"/{name}": path for name, path in page_files(PAGE).items()}
    found |= {f"/player/{name}": path for name, path in page_files(_PLAYER).items()}
    for puzzle in PUZZLES:
        own = page_files(_PUZZLES_FOLDER / puzzle / "player/page")
        found |= {f"/{puzzle}/{name}": path for name, path in own.items()}
        found[f"/{puzzle}/"] = _PLAYER / _INDEX
    found["/"] = PAGE / _INDEX
    return found


def page_files(folder: Path) -> dict[str, Path]:
    """The scripts and styles of a page by their names below its folder."""
    found = sorted(path for path in folder.rglob("*") if path.suffix in (".js", ".css"))
    return {path.relative_to(folder).as_posix(): path for path in found}


def framed(body: Path, root: str = "", first: Sequence[str] = ()) -> str:
    """A whole page: the frame that all share, with links from `root`, around the lines of one. `first`: further lines of its
    head."""
    frame = (
        (PAGE / _FRAME).read_text().replace("{root}", root).replace("{first}\n", "".join(f"{one}\n" for one in first))
    )
    return frame.replace("{body}", body.read_text().rstrip("\n").replace("{root}", root))


def page_bytes() -> int:
    """Of all pages, their scripts and styles."""
    return sum(path.stat().st_size for path in {PAGE / _FRAME, *site_files().values()})


def refusal(status: int, message: str) -> Response:
    """In ASCII: a message may quote words of the request that cannot be encoded, such as half of a surrogate pair."""
    return Response(json.dumps({"error": message}), status, media_type="application/json")
