"""What reasoners answer about sets, as a page is told it by the server, kept for a page without one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from comphy.command import working
from comphy.errors import ComphyError
from comphy.toolkit.asking import SeenSet, SetPlace, TrainedReasoner
from comphy.toolkit.explorer.asking.replies import read_record, reply_record
from models.pcr.asking.reply import Reply

Json = dict[str, Any]


@dataclass(frozen=True)
class AskedQuestion:
    """A question about a set with what `by` answered, in the lines that the server would send; `clip` shows what was
    imagined."""

    question: str
    by: str
    lines: Sequence[Json]
    clip: Path | None = None

    @staticmethod
    def of(question: str, by: str, seen: SeenSet, reply: Reply, clip: Path | None = None) -> "AskedQuestion":
        place = seen.place
        lines = [read_record(reply.query, place.data, place.index), reply_record(seen, reply)]
        return AskedQuestion(question, by, lines, clip)


def ask_all(
    reasoners: Mapping[str, TrainedReasoner], place: SetPlace, questions: Sequence[str], clips: Path | None = None
) -> Iterator[AskedQuestion]:
    """Ask every reasoner every question. What is not understood or cannot be answered is kept as the page would say it.

    Args:
        reasoners: by the names that the page shows.
        place: the set.
        questions: in English.
        clips: folder for clips of what is imagined; without, none are drawn."""
    for by, trained in reasoners.items():
        seen = trained.see(place)
        with working(f"{by} answers {len(questions)} questions about set {place.index}"):
            answered = [_ask(trained, by, seen, question) for question in questions]
        for asked, reply in answered:
            if clips is None or reply is None or not reply.can_be_drawn:
                yield asked
                continue
            clip = clips / f"{len(list(clips.iterdir()))}.mp4"
            seen.draw(reply, clip)
            yield replace(asked, clip=clip)


def _ask(trained: TrainedReasoner, by: str, seen: SeenSet, question: str) -> tuple[AskedQuestion, Reply | None]:
    read: list[Json] = []
    try:
        query = trained.read(question)
        read = [read_record(query, seen.place.data, seen.place.index)]
        reply = seen.ask(query)
    except ComphyError as error:
        return AskedQuestion(question, by, [*read, {"error": str(error)}]), None
    return AskedQuestion.of(question, by, seen, reply), reply
