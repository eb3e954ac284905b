"""Players of puzzles as pages of the site: their questions, which engines answer in turn."""

import json
from collections.abc import Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from comphy.errors import Busy, ComphyError, ConfigError
from comphy.puzzles.player.player import Player
from comphy.toolkit.explorer.serving.pages import refusal


def puzzle_routes(players: Sequence[Player]) -> list[BaseRoute]:
    return [_question_route(player) for player in players]


def _question_route(player: Player) -> BaseRoute:
    base = f"/{player.name}/api/"

    async def ask(request: Request) -> Response:
        name = request.path_params["name"]
        try:
            question = await read_question(request)
            if name not in player.answers:
                known = ", ".join(map(base.__add__, player.answers))
                return refusal(404, f"There is no {request.url.path}. Known: {known}.")
            return JSONResponse(await run_in_threadpool(player.answers[name], question))
        except ComphyError as error:
            return refusal(503 if isinstance(error, Busy) else 400, str(error))

    return Route(f"{base}{{name}}", ask, methods=["POST"])


async def read_question(request: Request) -> dict[str, Any]:
    """The JSON object that is the body of a request; the guard has bounded its size."""
    try:
        question = json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"Expected a JSON object as the body of the request ({error}).") from None
    if not isinstance(question, dict):
        raise ConfigError(f"Expected a JSON object as the body of the request (got {type(question).__name__}).")
    return question
