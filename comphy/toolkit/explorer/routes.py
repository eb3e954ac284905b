"""All that pages can ask for: what `grid` has, sets, questions, changed worlds and runs as JSON, and puzzles."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from comphy.errors import ComphyError
from comphy.toolkit.explorer.asking.asking import Asking
from comphy.toolkit.explorer.grid import grid_routes
from comphy.toolkit.explorer.library import Library, LoadedSource, NotFound
from comphy.toolkit.explorer.puzzles.players import puzzle_players
from comphy.toolkit.explorer.puzzles.serving import puzzle_routes, read_question
from comphy.toolkit.explorer.runs.runs import Runs
from comphy.toolkit.explorer.serving.endpoints import Answer, Json, answering, application, compact, refused, set_of
from comphy.toolkit.explorer.serving.pages import Pages
from comphy.toolkit.explorer.sets import run_record
from comphy.toolkit.explorer.worlds.what_if import Simulations

_LONGEST_SEARCH: Final = 200  # characters


def build_app(
    library: Library,
    runs: Runs | None = None,
    reasoners: Sequence[Path] = (),
    rounds: Path | None = None,
    results: Sequence[Path] = (),
) -> ASGIApp:
    """The site with its pages, of which the folders of the library and the pages' own files are all that can be read, and
    the folder of `rounds` is all that is written to."""
    return Pages(build_site(library, runs or Runs([], None), reasoners, rounds, results))


def build_site(
    library: Library,
    answered: Runs,
    reasoners: Sequence[Path] = (),
    rounds: Path | None = None,
    results: Sequence[Path] = (),
) -> Starlette:
    """Without the files of its pages; see `opening.serve` for what is given."""
    simulations, asking = Simulations(), Asking(reasoners)

    def asked(request: Request) -> Json:
        return _loaded(request).asked.record()

    def search(request: Request) -> Json:
        given = {
            name: request.query_params.get(name, "")[:_LONGEST_SEARCH] for name in ("words", "family", "stability")
        }
        return {"sets": _loaded(request).asked.search(**given)}

    def one_set(request: Request) -> Json:
        if _loaded(request).record()["simulated"]:
            simulations.prepare()
        return _loaded(request).set_record(set_of(request))

    def run(request: Request) -> Json:
        loaded = _loaded(request)
        return run_record(loaded.source, loaded.require(set_of(request)), request.path_params["run"])

    async def what_if(request: Request) -> Response:
        """By Bullet, or by the learned dynamics of the model that `by` names."""
        try:
            loaded, question = _loaded(request), await read_question(request)
            root = loaded.simulated(set_of(request))
            if "by" in question:
                return compact(await asking.learned(root, set_of(request), question))
            return compact(await run_in_threadpool(simulations.what_if, root, set_of(request), question))
        except ComphyError as error:
            return refused(error)

    def telling(tell: Callable[[Path, int, Json], AsyncIterator[Json]]) -> Callable[[Request], Awaitable[Response]]:
        """Answers with lines of JSON, as they come. They end when the page goes away."""

        async def endpoint(request: Request) -> Response:
            try:
                loaded, question = _loaded(request), await read_question(request)
                told = tell(loaded.source.root, loaded.require(set_of(request)), question)
            except ComphyError as error:
                return refused(error)
            lines = (json.dumps(one, separators=(",", ":")).encode() + b"\n" async for one in told)
            return StreamingResponse(lines, media_type="application/x-ndjson")

        return endpoint

    def clip(request: Request) -> Response:
        path = asking.clips.find(request.path_params["name"])
        if path is None:
            raise NotFound("This clip is no longer kept. Ask for it again.")
        return FileResponse(path, media_type="video/mp4")

    def run_table(request: Request) -> Json:
        return answered.record() if answered.names else {"splits": []}

    def run_questions(request: Request) -> Json:
        return {"questions": list(answered.split(request.path_params["split"]).questions())}

    def run_confusion(request: Request) -> Json:
        return {"confusion": answered.split(request.path_params["split"]).confusion()}

    def run_curves(request: Request) -> Json:
        return {"curves": answered.curves()}

    def run_wrong(request: Request) -> Json:
        return {"sets": answered.wrong()}

    def run_set(request: Request) -> Json:
        return {"answers": answered.of_set(set_of(request))}

    def _loaded(request: Request) -> LoadedSource:
        return library.source(request.path_params["source"])

    api: dict[str, Answer] = {
        "/api/sources/{source:int}/questions": asked,
        "/api/sources/{source:int}/search": search,
        "/api/sources/{source:int}/sets/{set:int}": one_set,
        "/api/sources/{source:int}/sets/{set:int}/runs/{run}": run,
        "/api/runs": run_table,
        "/api/runs/wrong": run_wrong,
        "/api/runs/curves": run_curves,
        "/api/runs/sets/{set:int}": run_set,
        "/api/runs/splits/{split}": run_questions,
        "/api/runs/splits/{split}/confusion": run_confusion,
        "/media/clips/{name}": clip,
    }
    routes = grid_routes(library, answered.names, asking.names)
    routes += [Route(path, answering(answer)) for path, answer in api.items()]
    of_set = "/api/sources/{source:int}/sets/{set:int}"
    routes.append(Route(f"{of_set}/what-if", what_if, methods=["POST"]))
    for name, tell in {"ask": asking.answer, "seen": asking.see, "clip": asking.draw}.items():
        routes.append(Route(f"{of_set}/{name}", telling(tell), methods=["POST"]))
    routes += puzzle_routes(puzzle_players(rounds, results))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        simulations.close()
        asking.close()

    return application(routes, lifespan)
