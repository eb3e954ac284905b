"""Questions in plain words: read by the model's parser, answered by the model from the videos and by the executor from the
truth, and the steps of both side by side.

Questions are read in one process and models look at videos in another, so that the server stays small, and what the truth
says comes at once while a model looks. A model that looks for a page that has gone is ended."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any, Final

from comphy.errors import Busy, ComphyError, ConfigError
from comphy.files import require
from comphy.toolkit.explorer.asking.answerers import SIMULATOR, answerers, named_reasoners
from comphy.toolkit.explorer.asking.clips import Clips
from comphy.toolkit.explorer.asking.in_process import (
    draw_in_process,
    learned_in_process,
    read_in_process,
    reply_in_process,
    see_in_process,
)
from comphy.toolkit.explorer.workers import Worker
from comphy.toolkit.explorer.worlds.what_if import read_changes

Json = dict[str, Any]
LOOKS: Final = "{} looks at the videos. This takes a minute or more, once for each set."
_LONGEST: Final = 400  # characters of a question or program
_MOST: Final = 4  # questions that may be under way, those that wait for the model included


class Asking:
    """Answers questions about sets, one at a time.

    Args:
        reasoners: folders of runs, one of which answers; without, the weights that come along."""

    def __init__(self, reasoners: Sequence[Path] = ()) -> None:
        self._runs, self.names = named_reasoners(reasoners), answerers(reasoners)
        self._under_way = 0
        self._reader, self._model = Worker(ended=False), Worker(ended=True)
        self.clips = Clips()

    def answer(self, root: Path, index: int, question: Json) -> AsyncIterator[Json]:
        """What is found out, as it is: `stage` (what is being done), `read` (the program, and what the truth says), `reply`
        (what the model says); or `error`, with `readings` where a sentence was not understood. The simulator needs no model,
        but for one that reads the words."""
        return self._bounded(self._answer(root, index, question))

    def see(self, root: Path, index: int, question: Json) -> AsyncIterator[Json]:
        """Stages, then `seen`: the boxes and tracks of a run, and how sure it is of them."""
        return self._bounded(self._see(root, index, question))

    def draw(self, root: Path, index: int, question: Json) -> AsyncIterator[Json]:
        """Stages, then `clip`: the address of a film of what the model imagines for a question."""
        return self._bounded(self._draw(root, index, question))

    async def learned(self, root: Path, index: int, question: Json) -> Json:
        """How the learned dynamics of a run, `by`, moves a changed world, see `worlds.learned`."""
        by, changes = self._asked_of(question), read_changes(question)
        run = self._require_run(by)
        with self._place():
            found: Json = await self._reader.do(learned_in_process, run, root, index, changes)
        return {**found, "by": by}

    async def _answer(self, root: Path, index: int, question: Json) -> AsyncGenerator[Json]:
        asked, by = read_asked(question), self._asked_of(question)
        run = self._runs.get(by) or next(iter(self._runs.values()))
        yield {"stage": "Reading the question. At first the parser is loaded."}
        read = await self._reader.do(read_in_process, run, root, index, asked)
        yield read
        if "read" in read and by != SIMULATOR:
            yield {"stage": LOOKS.format(by)}
            yield await self._model.do(reply_in_process, run, root, index, asked)

    async def _see(self, root: Path, index: int, question: Json) -> AsyncGenerator[Json]:
        by = self._asked_of(question)
        run = self._require_run(by)
        yield {"stage": LOOKS.format(by)}
        yield {"seen": {"by": by, **await self._model.do(see_in_process, run, root, index)}}

    async def _draw(self, root: Path, index: int, question: Json) -> AsyncGenerator[Json]:
        asked, by = read_asked(question), self._asked_of(question)
        run, (name, path) = self._require_run(by), self.clips.new()
        yield {"stage": "Drawing the clip. This takes some seconds, and a minute or more if the set was not looked at."}
        await self._model.do(draw_in_process, run, root, index, asked, path)
        yield {"clip": name}

    async def _bounded(self, told: AsyncGenerator[Json]) -> AsyncIterator[Json]:
        """What is told, with errors as its last words."""
        try:
            with self._place():
                async with aclosing(told) as lines:
                    async for one in lines:
                        yield one
        except ComphyError as error:
            yield {"error": str(error)}

    @contextmanager
    def _place(self) -> Iterator[None]:
        if self._under_way >= _MOST:
            raise Busy("Other questions wait for the model. Try again when they are answered.")
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    def _asked_of(self, question: Json) -> str:
        by = question.get("by", self.names[0])
        if by not in self.names:
            raise ConfigError(f"expected one of {', '.join(self.names)} as 'by' (got {by!r:.40}).")
        return str(by)

    def _require_run(self, by: str) -> Path:
        if by not in self._runs:
            raise ConfigError(f"expected a model as 'by', such as {next(iter(self._runs))} (got {by!r}).")
        return self._runs[by]

    def close(self) -> None:
        for worker in (self._reader, self._model):
            worker.close()
        self.clips.close()


def read_asked(question: Json) -> tuple[str, bool]:
    """The words, and whether they are a program."""
    kind = "program" if "program" in question else "question"
    words = require(question, kind, str, "request").strip()
    if not 0 < len(words) <= _LONGEST:
        raise ConfigError(f"expected a {kind} of 1 to {_LONGEST} characters (got {len(words)}).")
    return words, kind == "program"
