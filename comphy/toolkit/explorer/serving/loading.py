"""A site that is served while it is being loaded: first the grid, then everything else. Requests wait for their part."""

import asyncio
import re
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Final

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from comphy.errors import ComphyError
from comphy.toolkit.explorer.serving.pages import refusal

FIRST: Final = re.compile(r"/api/sources(/\d+/catalogue)?|/media/\d+/.*")  # addresses of the grid
SOON: Final = 2.0  # seconds
Load = Callable[[], Starlette]


class LoadedSite:
    """Args:
    first: loads the grid.
    rest: loads everything else. An error of either is told to whoever asks.
    failed: what to do then; a part that could not be loaded will not be tried again."""

    def __init__(self, first: Load, rest: Load, failed: Callable[[], None]) -> None:
        self._first, self._rest, self._failed = first, rest, failed
        self.error: BaseException | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        is_first = FIRST.fullmatch(scope["path"])
        if not is_first:
            self._wanted.set()
        part = self._loading_first if is_first else self._loading_rest
        try:
            app = await asyncio.shield(part)
        except ComphyError as error:
            await refusal(503, str(error))(scope, receive, send)
        else:
            await app(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        async with AsyncExitStack() as opened:
            await receive()  # that the server begins
            self._wanted = asyncio.Event()
            self._loading_first = asyncio.ensure_future(self._load(self._first, opened))
            self._loading_rest = asyncio.ensure_future(self._load_rest(opened))
            self._loading_rest.add_done_callback(self._loaded)
            await send({"type": "lifespan.startup.complete"})
            await receive()  # that it ends
            self._loading_rest.cancel()
        await send({"type": "lifespan.shutdown.complete"})

    async def _load_rest(self, opened: AsyncExitStack) -> Starlette:
        """When somebody asks for it, and else soon: the first page has the machine for itself."""
        await asyncio.shield(self._loading_first)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wanted.wait(), SOON)
        return await self._load(self._rest, opened)

    async def _load(self, load: Load, opened: AsyncExitStack) -> Starlette:
        app = await asyncio.to_thread(load)
        await opened.enter_async_context(app.router.lifespan_context(app))
        return app

    def _loaded(self, rest: "asyncio.Future[Starlette]") -> None:
        self.error = None if rest.cancelled() else rest.exception()
        if self.error is not None:
            self._failed()
