"""Makes endpoints of functions: answers as JSON, errors as a status with words for the reader."""

import json
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import Lifespan

from comphy.errors import Busy, ComphyError, ConfigError
from comphy.toolkit.explorer.library import NotFound
from comphy.toolkit.explorer.serving.pages import refusal

Json = dict[str, Any]
Answer = Callable[[Request], Json | Response]


def application(routes: Sequence[BaseRoute], lifespan: Lifespan[Starlette] | None = None) -> Starlette:
    """Errors of the server itself are told, too."""
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _http_error, Exception: _bug})


def answering(answer: Answer) -> Callable[[Request], Response]:
    """Makes an endpoint, which runs in a thread, of a function; its errors become a status with words for the reader."""

    @wraps(answer)
    def endpoint(request: Request) -> Response:
        try:
            found = answer(request)
        except ComphyError as error:
            return refused(error)
        return found if isinstance(found, Response) else compact(found)

    return endpoint


def refused(error: ComphyError) -> Response:
    return refusal({NotFound: 404, Busy: 503}.get(type(error), 400), str(error))


def compact(record: Json) -> Response:
    return Response(json.dumps(record, separators=(",", ":")), media_type="application/json")


def set_of(request: Request) -> int:
    found: int = request.path_params["set"]
    return found


def number_in(request: Request, name: str) -> int:
    """A number of the query, 0 where there is none."""
    text = request.query_params.get(name, "0")
    if not text.isdecimal() or len(text) > 9:
        raise ConfigError(f"expected a number as '{name}' (got '{text[:40]}').")
    return int(text)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return refusal(404, f"There is nothing at {request.url.path}. The page is at /.")
    return refusal(error.status_code, str(error.detail))


async def _bug(request: Request, error: Exception) -> Response:
    """The server goes on; the page says what to report."""
    return refusal(500, f"This is a bug of comphy ({type(error).__name__}: {str(error)[:200]}). Please report it.")
