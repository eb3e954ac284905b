"""Asks a model every question that has no reply yet, several at a time, and keeps each reply as it comes."""

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from models.baselines.lvlm.frames import Viewer
from models.baselines.lvlm.model import VisionLanguageModel
from models.baselines.lvlm.prompts import Conversation, digest
from models.baselines.lvlm.reply_log import ReplyKey, ReplyLog
from models.llm.replies import Reply
from models.train.run import Run


@dataclass(frozen=True)
class Asked:
    """A conversation that ends with a question."""

    key: ReplyKey
    conversation: Conversation

    @property
    def prompt(self) -> str:
        return digest(self.conversation)


def unanswered(all_asked: Sequence[Asked], log: ReplyLog) -> list[Asked]:
    """Raises `DatasetError` if the log has a reply to another prompt."""
    return [asked for asked in all_asked if not log.has(asked.key, asked.prompt)]


class ReplyCollector:
    """Frames are drawn here, in order; only `model` is asked by several threads."""

    def __init__(self, model: VisionLanguageModel, viewer: Viewer, log: ReplyLog, workers: int) -> None:
        self._model, self._viewer, self._log, self._workers = model, viewer, log, workers
        self._under_way: dict[Future[Reply], Asked] = {}

    def run(self, left: Sequence[Asked], total: int, run: Run) -> None:
        """Ask until all is asked or the run must stop; replies that are under way then are waited for and kept.

        Raises:
            ComphyError: the first failure, after the replies that were under way are kept."""
        waiting, done, failure = iter(left), total - len(left), None
        pool = ThreadPoolExecutor(self._workers)
        try:
            with run.stop.listening():
                self._begin(waiting, pool, 1)  # however little time there is, a run gets on
                while True:
                    if failure is None and not run.should_stop():
                        self._begin(waiting, pool, self._workers)
                    if not self._under_way:
                        break
                    for asked, future in self._finished():
                        error = future.exception()
                        if error is not None:
                            failure = failure or error
                            continue
                        self._log.add(asked.key, asked.prompt, future.result())
                        done += 1
                        run.report(done, total)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        if failure is not None:
            raise failure

    def _begin(self, waiting: Iterator[Asked], pool: ThreadPoolExecutor, most: int) -> None:
        while len(self._under_way) < most:
            asked = next(waiting, None)
            if asked is None:
                return
            future = pool.submit(self._model.ask, self._viewer.messages(asked.conversation))
            self._under_way[future] = asked

    def _finished(self) -> list[tuple[Asked, Future[Reply]]]:
        finished, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
        return [(self._under_way.pop(future), future) for future in finished]
