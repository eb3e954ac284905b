"""PHYRE's player as pages of the site: its files, and its questions, which one engine answers in turn."""

import json
from pathlib import Path
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from comphy.errors import ComphyError, ConfigError
from comphy.puzzles.phyre.player import page
from comphy.puzzles.phyre.player.answers import ANSWERS, answer
from comphy.puzzles.phyre.player.game import Game
from comphy.toolkit.explorer.pages import page_routes, refusal

PHYRE: Final = "/phyre/"
_QUESTIONS: Final = f"{PHYRE}api/"


def puzzle_routes() -> list[BaseRoute]:
    game = Game()

    async def ask(request: Request) -> Response:
        name = request.path_params["name"]
        try:
            question = await read_question(request)
            if name not in ANSWERS:
                known = ", ".join(map(_QUESTIONS.__add__, ANSWERS))
                return refusal(404, f"There is no {request.url.path}. Known: {known}.")
            return JSONResponse(await run_in_threadpool(answer, game, name, question))
        except ComphyError as error:
            return refusal(400, str(error))

    return [Route(f"{_QUESTIONS}{{name}}", ask, methods=["POST"]), *page_routes(Path(page.__path__[0]), PHYRE)]


async def read_question(request: Request) -> dict[str, Any]:
    """The JSON object that is the body of a request; the guard has bounded its size."""
    try:
        question = json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"Expected a JSON object as the body of the request ({error}).") from None
    if not isinstance(question, dict):
        raise ConfigError(f"Expected a JSON object as the body of the request (got {type(question).__name__}).")
    return question
