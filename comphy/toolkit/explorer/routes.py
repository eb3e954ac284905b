"""What pages can ask for: files of the page, sources and their sets as JSON, and videos."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import wraps
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from comphy.errors import Busy, ComphyError, ConfigError
from comphy.toolkit.explorer import page
from comphy.toolkit.explorer.asking.asking import Asking
from comphy.toolkit.explorer.library import Library, NotFound, Shelf, site_record
from comphy.toolkit.explorer.pages import page_routes, refusal
from comphy.toolkit.explorer.posters import Posters
from comphy.toolkit.explorer.puzzles.players import puzzle_players
from comphy.toolkit.explorer.puzzles.serving import puzzle_routes, read_question
from comphy.toolkit.explorer.runs.runs import Runs
from comphy.toolkit.explorer.sets import run_record
from comphy.toolkit.explorer.worlds.what_if import Simulations

Json = dict[str, Any]
_BATCH: Final = 25  # lines of a catalogue that are sent at once
_LONGEST_SEARCH: Final = 200  # characters


def build_app(
    library: Library, runs: Runs | None = None, reasoners: Sequence[Path] = (), rounds: Path | None = None
) -> Starlette:
    """The site, of which the folders of the library and the page's own files are all that can be read, and the folder of
    `rounds` is all that is written to."""
    posters, simulations, asking = Posters(), Simulations(), Asking(reasoners)
    answered = runs or Runs([], None)

    def sources(request: Request) -> Json:
        return site_record(library, answered.names, asking.names)

    def catalogue(request: Request) -> Response:
        lines = _shelf(request).catalogue.lines(_number(request.query_params.get("from", "0"), "from"))
        return StreamingResponse(_batches(lines), media_type="application/x-ndjson")

    def asked(request: Request) -> Json:
        return _shelf(request).asked.record()

    def search(request: Request) -> Json:
        given = {
            name: request.query_params.get(name, "")[:_LONGEST_SEARCH] for name in ("words", "family", "stability")
        }
        return {"sets": _shelf(request).asked.search(**given)}

    def one_set(request: Request) -> Json:
        if _shelf(request).record()["simulated"]:
            simulations.prepare()
        return _shelf(request).set_record(_set(request))

    def run(request: Request) -> Json:
        shelf = _shelf(request)
        return run_record(shelf.source, shelf.require(_set(request)), request.path_params["run"])

    async def what_if(request: Request) -> Response:
        """By Bullet, or by the learned dynamics of the model that `by` names."""
        try:
            shelf, question = _shelf(request), await read_question(request)
            root = shelf.simulated(_set(request))
            if "by" in question:
                return _compact(await asking.learned(root, _set(request), question))
            return _compact(await run_in_threadpool(simulations.what_if, root, _set(request), question))
        except ComphyError as error:
            return _refused(error)

    def telling(tell: Callable[[Path, int, Json], AsyncIterator[Json]]) -> Callable[[Request], Awaitable[Response]]:
        """Answers with lines of JSON, as they come. They end when the page goes away."""

        async def endpoint(request: Request) -> Response:
            try:
                shelf, question = _shelf(request), await read_question(request)
                told = tell(shelf.source.root, shelf.require(_set(request)), question)
            except ComphyError as error:
                return _refused(error)
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
        return {"answers": answered.of_set(_set(request))}

    def video(request: Request) -> Response:
        return FileResponse(_shelf(request).video(_set(request), request.path_params["video"]), media_type="video/mp4")

    def poster(request: Request) -> Response:
        frame = _number(request.query_params.get("frame", "0"), "frame")
        path = _shelf(request).video(_set(request), "target")
        return Response(posters.jpeg(path, frame), media_type="image/jpeg")

    def _shelf(request: Request) -> Shelf:
        return library.shelf(request.path_params["source"])

    api: dict[str, Callable[[Request], Json | Response]] = {
        "/api/sources": sources,
        "/api/sources/{source:int}/catalogue": catalogue,
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
        "/media/{source:int}/{set:int}/poster.jpg": poster,
        "/media/{source:int}/{set:int}/{video}.mp4": video,
    }
    routes: list[BaseRoute] = [Route(path, answering(answer)) for path, answer in api.items()]
    of_set = "/api/sources/{source:int}/sets/{set:int}"
    routes.append(Route(f"{of_set}/what-if", what_if, methods=["POST"]))
    for name, tell in {"ask": asking.answer, "seen": asking.see, "clip": asking.draw}.items():
        routes.append(Route(f"{of_set}/{name}", telling(tell), methods=["POST"]))
    routes += [*puzzle_routes(puzzle_players(rounds)), *page_routes(Path(page.__path__[0]), "/")]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        simulations.close()
        asking.close()

    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _http_error, Exception: _bug})


def answering(answer: Callable[[Request], Json | Response]) -> Callable[[Request], Response]:
    """Makes an endpoint, which runs in a thread, of a function; its errors become a status with words for the reader."""

    @wraps(answer)
    def endpoint(request: Request) -> Response:
        try:
            found = answer(request)
        except ComphyError as error:
            return _refused(error)
        return found if isinstance(found, Response) else _compact(found)

    return endpoint


def _refused(error: ComphyError) -> Response:
    return refusal({NotFound: 404, Busy: 503}.get(type(error), 400), str(error))


def _compact(record: Json) -> Response:
    return Response(json.dumps(record, separators=(",", ":")), media_type="application/json")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return refusal(404, f"There is nothing at {request.url.path}. The page is at /.")
    return refusal(error.status_code, str(error.detail))


async def _bug(request: Request, error: Exception) -> Response:
    """The server goes on; the page says what to report."""
    return refusal(500, f"This is a bug of comphy ({type(error).__name__}: {str(error)[:200]}). Please report it.")


def _batches(lines: Iterator[bytes]) -> Iterator[bytes]:
    batch = BytesIO()
    for number, line in enumerate(lines, 1):
        batch.write(line)
        if number % _BATCH == 0:
            yield batch.getvalue()
            batch = BytesIO()
    yield batch.getvalue()


def _set(request: Request) -> int:
    found: int = request.path_params["set"]
    return found


def _number(text: str, name: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise ConfigError(f"expected a number as '{name}' (got '{text[:40]}').")
    return int(text)
