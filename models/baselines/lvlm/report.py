"""What a vision-language model's replies amount to: readable ones, accuracies, tokens and cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from comphy.dataset.submission import Answer, Submission
from comphy.evaluation.qa.accuracy import QAReport
from comphy.questions.model import SceneQuestions
from models.baselines.lvlm.config import Prices
from models.baselines.lvlm.parsing import read_loosely, read_strictly
from models.baselines.lvlm.reply_log import KeptReply, ReplyKey

if TYPE_CHECKING:
    from rich.table import Table

Replies = Mapping[ReplyKey, KeptReply]


class Reading(StrEnum):
    STRICT = "strict"
    LOOSE = "loose"


def read_replies(replies: Replies, split: str, scenes: Sequence[SceneQuestions], how: Reading) -> Submission:
    """The answers to questions of a split. Those that cannot be read are left out, and so count as wrong."""
    read = {Reading.STRICT: read_strictly, Reading.LOOSE: read_loosely}[how]
    found: dict[tuple[int, int], Answer] = {}
    for scene in scenes:
        for question in scene.questions:
            reply = replies.get(ReplyKey(split, scene.scene_index, question.question_id))
            answer = read(reply.text if reply else "", question)
            if answer is not None:
                found[scene.scene_index, question.question_id] = answer
    return found


@dataclass(frozen=True)
class SplitReading:
    """How many of a split's replies could be read, and how right they were if the answers are known."""

    split: str
    how: Reading
    readable: int
    asked: int
    report: QAReport | None

    def record(self) -> dict[str, Any]:
        columns = {name: one and one.record() for name, one in self.report.columns().items()} if self.report else {}
        return {"readable": self.readable, "asked": self.asked, "columns": columns}


def reading_table(readings: Sequence[SplitReading]) -> "Table":
    """One column per split and way of reading."""
    from comphy.evaluation.qa.tables import new_table, percent

    title = "Replies read strictly and loosely; accuracy in %, what cannot be read counts as wrong"
    heads = (f"{one.split},\n{one.how}" for one in readings)
    table = new_table(title, "", *heads)
    table.add_row("readable replies", *(f"{one.readable:,} of {one.asked:,}" for one in readings), end_section=True)
    reports = [one.report.columns() if one.report else {} for one in readings]
    for name in dict.fromkeys(name for report in reports for name in report):
        table.add_row(name.replace("_", " "), *(percent(report.get(name)) for report in reports))
    return table


@dataclass(frozen=True)
class TokenUsage:
    """Of all replies that are kept, also those of earlier commands."""

    replies: int
    tokens_read: int
    tokens_written: int
    cut_off: int
    prices: Prices

    @classmethod
    def of(cls, replies: Replies, prices: Prices) -> "TokenUsage":
        kept = replies.values()
        tokens = (sum(one.tokens_read for one in kept), sum(one.tokens_written for one in kept))
        return cls(len(kept), *tokens, sum(one.cut_off for one in kept), prices)

    @property
    def cost(self) -> float:
        return self.prices.cost(self.tokens_read, self.tokens_written)

    def record(self) -> dict[str, Any]:
        counts = {name: value for name, value in vars(self).items() if name != "prices"}
        return counts | {"cost": self.cost, "currency": self.prices.currency}

    def told(self) -> str:
        spent = f"{self.replies:,} replies: {self.tokens_read:,} tokens read, {self.tokens_written:,} written"
        if self.cost:
            spent += f"; {self.cost:,.2f} {self.prices.currency}"
        cut = f" {self.cut_off:,} were cut off at max_tokens." if self.cut_off else ""
        return f"{spent}.{cut}"
