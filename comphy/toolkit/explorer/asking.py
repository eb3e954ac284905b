"""Questions in plain words: read by the model's parser, answered by the model from the videos and by the executor from the
truth, and the steps of both side by side.

Questions are read in one process and models look at videos in another, so that the server stays small, and what the truth
says comes at once while a model looks."""

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import cache, cached_property
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, Final

from comphy.command import console
from comphy.dataset.dataset import open_dataset
from comphy.dataset.submission import short_names
from comphy.errors import Busy, ComphyError, ConfigError
from comphy.files import require
from comphy.processes import ProcessPool, process_pool
from comphy.programs.executor import trace
from comphy.programs.facts import SceneFacts
from comphy.programs.program import Node, Program
from comphy.programs.trace_text import SOURCES, numbered
from comphy.programs.types import ValueType
from comphy.resources import find_weights

if TYPE_CHECKING:
    from comphy.toolkit.asking import SeenSet, TrainedReasoner
    from models.pcr.asking.question import Query
    from models.pcr.asking.reply import Reply
    from models.pcr.asking.words import Item
    from models.pcr.parser.interface import QuestionParser

Json = dict[str, Any]
WEIGHTS: Final = "pcr"  # those that come along
SIMULATOR: Final = "the simulator alone"
LIKELY: Final = 0.5
SAME_FRAME: Final = 3  # frames by which the model and the truth may differ on when something happens
_LONGEST: Final = 400  # characters of a question or program
_WAITING: Final = 4  # questions that may wait for the model
_SEPARATORS: Final = {ValueType.EVENTS: "; ", ValueType.OBJECTS: ", ", ValueType.PAIR: ", "}
_MASSES: Final = {"mass 5": "heavy", "mass 1": "light"}


class Asking:
    """Answers questions about sets, one at a time.

    Args:
        reasoners: folders of runs, one of which answers; without, the weights that come along."""

    def __init__(self, reasoners: Sequence[Path] = ()) -> None:
        runs = list(reasoners) or [Path(WEIGHTS)]
        self._runs = dict(zip(short_names(runs), runs, strict=True))
        self._places = BoundedSemaphore(_WAITING)

    @property
    def names(self) -> list[str]:
        """Who can be asked, the first one if none is named."""
        return [*self._runs, SIMULATOR]

    @cached_property
    def _reader(self) -> ProcessPool:
        return process_pool(1)

    @cached_property
    def _model(self) -> ProcessPool:
        return process_pool(1)

    def answer(self, root: Path, index: int, question: Json) -> Iterator[Json]:
        """What is found out, as it is: `stage` (what is being done), `read` (the program, and what the truth says), `reply`
        (what the model says); or `error`, with `readings` where a sentence was not understood. The simulator needs no model,
        but for one that reads the words."""
        if not self._places.acquire(blocking=False):
            yield {"error": "Other questions wait for the model. Try again when they are answered."}
            return
        try:
            asked, by = read_asked(question), self._asked_of(question)
            run = self._runs.get(by) or next(iter(self._runs.values()))
            yield {"stage": "Reading the question. At first the parser is loaded."}
            read = self._do("_reader", read_in_process, run, root, index, asked)
            yield read
            if "read" in read and by != SIMULATOR:
                yield {"stage": f"{by} looks at the videos. This takes a minute or more, once for each set."}
                yield self._do("_model", reply_in_process, run, root, index, asked)
        except ComphyError as error:
            yield {"error": str(error)}
        finally:
            self._places.release()

    def _asked_of(self, question: Json) -> str:
        by = question.get("by", self.names[0])
        if by not in self.names:
            raise ConfigError(f"expected one of {', '.join(self.names)} as 'by' (got {by!r:.40}).")
        return str(by)

    def _do(self, pool: str, work: Callable[..., Json], *given: Any) -> Json:
        try:
            found: Json = getattr(self, pool).submit(work, *given).result()
        except BrokenProcessPool:
            self.__dict__.pop(pool, None)
            raise Busy(
                "The model's process ended early, perhaps for want of memory. Another is started: ask again."
            ) from None
        return found

    def close(self) -> None:
        for pool in ("_reader", "_model"):
            if pool in self.__dict__:
                getattr(self, pool).end()


def read_asked(question: Json) -> tuple[str, bool]:
    """The words, and whether they are a program."""
    kind = "program" if "program" in question else "question"
    words = require(question, kind, str, "request").strip()
    if not 0 < len(words) <= _LONGEST:
        raise ConfigError(f"expected a {kind} of 1 to {_LONGEST} characters (got {len(words)}).")
    return words, kind == "program"


@cache
def _parser(run: Path) -> "QuestionParser":
    from models.pcr.parser.opening import open_parser

    return open_parser(find_weights(run))


@cache
def _trained(run: Path) -> "TrainedReasoner":
    from comphy.toolkit.asking import TrainedReasoner

    console.quiet = True
    return TrainedReasoner.load(run)


def _query(run: Path, asked: tuple[str, bool]) -> "Query":
    from models.pcr.asking.question import query_of_program
    from models.pcr.asking.reading import read_question

    words, is_program = asked
    return query_of_program(words) if is_program else read_question(_parser(run), words)


def read_in_process(run: Path, root: Path, index: int, asked: tuple[str, bool]) -> Json:
    """Runs in the process that reads."""
    from models.pcr.asking.reading import NotUnderstoodError

    try:
        query = _query(run, asked)
    except NotUnderstoodError as error:
        return {"error": error.refusal.complaint, "readings": list(error.refusal.readings)}
    return read_record(query, root, index)


def reply_in_process(run: Path, root: Path, index: int, asked: tuple[str, bool]) -> Json:
    """Runs in the model's process."""
    from comphy.toolkit.asking import SetPlace

    seen = _trained(run).see(SetPlace(root, index))
    return reply_record(seen, seen.ask(_query(run, asked)))


def read_record(query: "Query", root: Path, index: int) -> Json:
    """How a question was read, and what the truth says."""
    return {
        "read": {
            "program": " ".join(query.program.tokens),
            "certainty": query.certainty,
            "reading": query.reading,
            **truth(query, root, index),
        }
    }


def reply_record(seen: "SeenSet", reply: "Reply") -> Json:
    """What the model says, and in which steps it is as the truth."""
    told = truth(reply.query, seen.place.data, seen.place.index)
    by_truth = {step["number"]: step for step in told["steps"]}
    steps = [
        {
            "number": step.number,
            "call": step.call,
            "takes": list(step.takes),
            "items": [{"words": item.words, "chance": item.chance} for item in step.items],
            "same": _same(step.call, _likely(step.items), by_truth.get(step.number)),
        }
        for step in reply.steps
    ]
    return {
        "reply": {
            "sentence": reply.sentence,
            "sure": reply.sure,
            "several": len(reply.verdicts) + len(reply.pairs) > 1,
            "others": [{"words": item.words, "chance": item.chance} for item in reply.answers[1:]],
            "remarks": [*reply.remarks, *(f"Assumed: {words}." for words in seen.assumptions)],
            "steps": steps,
            "imagined": imagined(seen, reply),
        }
    }


def _likely(items: Sequence["Item"]) -> list[str]:
    return [item.words for item in items if item.chance is None or item.chance > LIKELY]


def truth(query: "Query", root: Path, index: int) -> Json:
    """What the executor finds on the set's annotations: every step, and the answer in the last one."""
    try:
        facts = open_dataset(root)[index].facts
        return {"steps": truth_steps(query, facts), "problem": ""}
    except (ComphyError, IndexError) as error:
        return {"steps": [], "problem": str(error)}


def truth_steps(query: "Query", facts: SceneFacts) -> list[Json]:
    """Numbered as the model's: the parts of an open question that do not depend on a choice, one after the other."""
    parts = [Program(node) for node in query.closed_parts()] if query.is_open else [query.program]
    steps: list[Json] = []
    for part in parts:
        for (node, number, takes), step in zip(numbered(part, len(steps) + 1), trace(part, facts), strict=True):
            items = _items(node, step.call, step.result)
            steps.append({"number": number, "call": step.call, "takes": list(takes), "items": items})
    return steps


def _items(node: Node, call: str, result: str) -> list[str]:
    separator = _SEPARATORS.get(node.type)
    items = result.split(separator) if separator else [result]
    return [SOURCES[call].format(len(items))] if call in SOURCES else items


def _same(call: str, model: list[str], step: Json | None) -> bool | None:
    """Whether both found the same; None where that cannot be told from their words."""
    if step is None or call in SOURCES:
        return None
    if any(item.startswith("masses") for item in step["items"]):
        return None
    return _agree(sorted(map(_plain, model)), sorted(map(_plain, step["items"])))


def _plain(words: str) -> tuple[str, int]:
    """Words without articles and in one order, and the frame that they name, 0 if none."""
    words = _MASSES.get(words, words)
    frame = re.search(r" ?(?:at )?frame (\d+)$", words)
    bare = words[: frame.start()] if frame else words
    bare = re.sub(r"\bthe ", "", bare).strip()
    pair = re.fullmatch(r"(.+) and (.+) collide", bare)
    if pair:
        bare = " and ".join(sorted(pair.groups())) + " collide"
    return ("" if bare == "none" else bare), int(frame[1]) if frame else 0


def _agree(first: list[tuple[str, int]], second: list[tuple[str, int]]) -> bool:
    ours, theirs = ([one for one in found if one != ("", 0)] for found in (first, second))
    return len(ours) == len(theirs) and all(
        a == b and abs(f - g) <= SAME_FRAME for (a, f), (b, g) in zip(ours, theirs, strict=True)
    )


def imagined(seen: "SeenSet", reply: "Reply") -> Json | None:
    """The motion that the model has imagined, for the objects as the target numbers them. Objects that it calls otherwise
    than they look, and frames before those that it imagines, are left as they were recorded."""
    motion = reply.imagining.motion if reply.imagining is not None else None
    if motion is None:
        return None
    import numpy as np

    from comphy.scene.vocabulary import OBJECT_RADIUS

    try:
        target = seen.place.source.annotation(seen.place.index).target
    except ComphyError:
        return None
    end = motion.start + motion.position.shape[1]
    positions = np.repeat(target.locations[-1:], end, axis=0)
    known = min(end, len(target))
    positions[:known] = target.locations[:known]
    orientations = np.zeros((*positions.shape[:2], 4))
    orientations[..., 3] = 1.0
    names = [str(spec) for spec in target.objects]
    for number, one in enumerate(seen.interpreted.objects):
        if names.count(str(one.spec)) == 1:
            k, there = names.index(str(one.spec)), motion.there[0, :, number].numpy()
            places, yaw = motion.position[0, :, number].double().numpy(), motion.yaw[0, :, number].double().numpy()
            positions[motion.start :, k][there] = np.column_stack([places, np.full(len(places), OBJECT_RADIUS)])[there]
            orientations[motion.start :, k, 2:] = np.column_stack([np.sin(yaw / 2), np.cos(yaw / 2)])
    return {"positions": np.round(positions, 3).tolist(), "orientations": np.round(orientations, 3).tolist()}
