"""Accuracy of a parser on the questions and choices of a dataset."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from comphy.evaluation.intervals import Accuracy, grouped_accuracy
from comphy.evaluation.qa.tables import in_full, percent_and_interval
from comphy.questions.model import SceneQuestions
from models.pcr.parser.interface import Parsed, QuestionParser
from models.pcr.parser.questions import means_same
from models.pcr.parser.sentences import Sentence, SentenceKind, scene_sentences

ScoredSentence = tuple[Sentence, Parsed]


@dataclass(frozen=True)
class KindScore:
    """Scores for one kind of sentence, with confidence intervals; None where nothing can be counted.

    `exact`: exact match of the program. `meant`: programs that mean the same, such as with conditions in another order.
    `exact_known`, `exact_unknown`: exact match on sentences without and with
    out-of-vocabulary words. `understood`: share not refused. `right_if_understood`: exact match among these.
    """

    exact: Accuracy | None
    meant: Accuracy | None
    exact_known: Accuracy | None
    exact_unknown: Accuracy | None
    understood: Accuracy | None
    right_if_understood: Accuracy | None

    def shares(self) -> dict[str, Accuracy | None]:
        return dict(vars(self))


@dataclass(frozen=True)
class ParserReport:
    """Scores by kind of sentence, for the kinds that occur."""

    kinds: Mapping[SentenceKind, KindScore]

    def record(self) -> dict[str, Any]:
        return {
            str(kind): {name: share.record() if share else None for name, share in score.shares().items()}
            for kind, score in self.kinds.items()
        }


def score_parser(parser: QuestionParser, scenes: Sequence[SceneQuestions]) -> ParserReport:
    """Score every question and choice with a known program; sentences of a set are one cluster of the intervals."""
    sentences = [list(scene_sentences(scene)) for scene in scenes]
    kinds: dict[SentenceKind, KindScore] = {}
    for kind in SentenceKind:
        of_kind = [[sentence for sentence in of_set if sentence.kind is kind] for of_set in sentences]
        texts = [sentence.text for of_set in of_kind for sentence in of_set]
        parsed = iter(parser.parse_questions(texts, kind))
        if texts:
            kinds[kind] = _score([[(sentence, next(parsed)) for sentence in of_set] for of_set in of_kind])
    return ParserReport(kinds)


def _score(sets: Sequence[Sequence[ScoredSentence]]) -> KindScore:
    def share(right: Callable[[ScoredSentence], bool], counted: Callable[[ScoredSentence], bool]) -> Accuracy | None:
        return grouped_accuracy([_tally(outcomes, right, counted) for outcomes in sets])

    return KindScore(
        exact=share(_right, lambda outcome: True),
        meant=share(lambda outcome: means_same(outcome[0], outcome[1].tokens), lambda outcome: True),
        exact_known=share(_right, lambda outcome: not outcome[1].unknown),
        exact_unknown=share(_right, lambda outcome: bool(outcome[1].unknown)),
        understood=share(lambda outcome: outcome[1].understood, lambda outcome: True),
        right_if_understood=share(_right, lambda outcome: outcome[1].understood),
    )


def _right(outcome: ScoredSentence) -> bool:
    sentence, parsed = outcome
    return parsed.tokens == sentence.program


def _tally(
    outcomes: Iterable[ScoredSentence],
    right: Callable[[ScoredSentence], bool],
    counted: Callable[[ScoredSentence], bool],
) -> tuple[int, int]:
    rights = [right(outcome) for outcome in outcomes if counted(outcome)]
    return sum(rights), len(rights)


def parser_table(report: ParserReport, title: str) -> Table:
    """Percentages with their intervals, one row for each kind of sentence."""
    columns = ("exact match", "as meant", "all words known", "unknown words", "understood", "right if understood")
    table = Table("", *columns, title=title)
    for kind, score in report.kinds.items():
        shares = score.shares().values()
        table.add_row(kind.replace("_", " "), *map(percent_and_interval, shares))
    return in_full(table)


def reading_table(shares: Mapping[SentenceKind, Accuracy], whose: str) -> Table:
    """How much was read as it is meant, one row for each kind of sentence."""
    table = Table("", "read as meant", "sentences", title=f"Sentences as {whose}, in % (95 % interval)")
    for kind, share in shares.items():
        table.add_row(kind.replace("_", " "), percent_and_interval(share), str(share.count))
    return in_full(table)
