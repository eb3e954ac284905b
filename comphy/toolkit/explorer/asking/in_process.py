"""What runs in processes beside the server, which stays small: reading words, looking at videos, drawing clips."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from comphy.command import console
from comphy.errors import ConfigError
from comphy.resources import find_weights
from comphy.toolkit.explorer.asking.replies import read_record, reply_record

if TYPE_CHECKING:
    from comphy.toolkit.asking import SeenSet, TrainedReasoner
    from models.pcr.asking.question import Query
    from models.pcr.dynamics.state import Predictor
    from models.pcr.parser.interface import QuestionParser

Json = dict[str, Any]


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
    seen = _seen(run, root, index)
    return reply_record(seen, seen.ask(_query(run, asked)))


def see_in_process(run: Path, root: Path, index: int) -> Json:
    """Runs in the model's process."""
    from comphy.toolkit.explorer.asking.seen import seen_record

    return seen_record(_seen(run, root, index))


def draw_in_process(run: Path, root: Path, index: int, asked: tuple[str, bool], path: Path) -> None:
    """Runs in the model's process. Raises `ConfigError` if nothing was imagined for the question."""
    seen = _seen(run, root, index)
    reply = seen.ask(_query(run, asked))
    if not reply.can_be_drawn:
        raise ConfigError("expected a question about what will or would happen (got one about the videos): no clip.")
    seen.draw(reply, path)


def learned_in_process(run: Path, root: Path, index: int, changes: Mapping[int, Json]) -> Json:
    """Runs in the process that reads, which is free soon."""
    from comphy.toolkit.explorer.worlds.learned import learned_future

    return learned_future(_dynamics(run), root, index, changes)


@cache
def _dynamics(run: Path) -> "Predictor":
    from models.pcr.reasoner.checkpoint import load_reasoner

    return load_reasoner(find_weights(run)).dynamics


def _seen(run: Path, root: Path, index: int) -> "SeenSet":
    from comphy.toolkit.asking import SetPlace

    return _trained(run).see(SetPlace(root, index))
