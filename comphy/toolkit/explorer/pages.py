"""Files of pages, and refusals with words for the reader."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

PAGE_TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


def page_files(folder: Path) -> dict[str, Path]:
    """The files of a page by their names below its folder."""
    found = sorted(path for path in folder.rglob("*") if path.suffix in PAGE_TYPES)
    return {path.relative_to(folder).as_posix(): path for path in found}


def page_routes(folder: Path, base: str, index: Path | None = None) -> list[BaseRoute]:
    """The files of a page below `base`, by their names alone, and at `base` itself its index.html, or another."""
    files = page_files(folder)
    files[""] = index or files["index.html"]
    return [Route(f"{base}{name}", _sending(path)) for name, path in files.items()]


def refusal(status: int, message: str) -> Response:
    """In ASCII: a message may quote words of the request that cannot be encoded, such as half of a surrogate pair."""
    return Response(json.dumps({"error": message}), status, media_type="application/json")


def _sending(path: Path) -> Callable[[Request], Response]:
    return lambda request: FileResponse(path, media_type=PAGE_TYPES[path.suffix])
