"""What the first page asks for: the sources, what the grid shows of their sets, and videos. It imports little, so that the
grid is there while the rest of the site is still being loaded."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from comphy.toolkit.explorer.library import Library, LoadedSource, site_record
from comphy.toolkit.explorer.posters import Posters
from comphy.toolkit.explorer.serving.endpoints import Answer, Json, answering, number_in, set_of

_BATCH: Final = 25  # lines of a catalogue that are sent at once


def grid_routes(library: Library, runs: Sequence[str], answerers: Sequence[str]) -> list[BaseRoute]:
    """All that has an address of `loading.FIRST`.

    Args:
        library: the sources.
        runs: names of the runs that are compared.
        answerers: names of those who can be asked."""
    posters = Posters()

    def sources(request: Request) -> Json:
        if any(loaded.source.has_videos for loaded in library.sources):
            posters.prepare()
        return site_record(library, runs, answerers)

    def catalogue(request: Request) -> Response:
        lines = _loaded(request).catalogue.lines(number_in(request, "from"))
        return StreamingResponse(_batches(lines), media_type="application/x-ndjson")

    def video(request: Request) -> Response:
        path = _loaded(request).video(set_of(request), request.path_params["video"])
        return FileResponse(path, media_type="video/mp4")

    def poster(request: Request) -> Response:
        path = _loaded(request).video(set_of(request), "target")
        return Response(posters.jpeg(path, number_in(request, "frame")), media_type="image/jpeg")

    def _loaded(request: Request) -> LoadedSource:
        return library.source(request.path_params["source"])

    answers: dict[str, Answer] = {
        "/api/sources": sources,
        "/api/sources/{source:int}/catalogue": catalogue,
        "/media/{source:int}/{set:int}/poster.jpg": poster,
        "/media/{source:int}/{set:int}/{video}.mp4": video,
    }
    return [Route(path, answering(answer)) for path, answer in answers.items()]


def _batches(lines: Iterator[bytes]) -> Iterator[bytes]:
    batch = BytesIO()
    for number, line in enumerate(lines, 1):
        batch.write(line)
        if number % _BATCH == 0:
            yield batch.getvalue()
            batch = BytesIO()
    yield batch.getvalue()
