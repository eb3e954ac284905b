"""How well objects are detected, tracked and aligned, as tables for a terminal, beside what is required."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from comphy.evaluation.intervals import Accuracy
from comphy.evaluation.perception.detection import DetectionScores
from comphy.evaluation.perception.tracking import TrackingScores
from comphy.evaluation.qa.tables import NOTHING

REQUIRED_AP50: Final = 0.99
REQUIRED_AP75: Final = 0.95
REQUIRED_IDF1: Final = 0.98
_WIDEST: Final = 1000


class AlignedBy(StrEnum):
    """What the tracks of references and targets were compared by."""

    FEATURES = "features alone"
    ATTRIBUTES = "learned attributes"


REQUIRED_ALIGNMENT: Final = {AlignedBy.ATTRIBUTES: 0.98}


class Figure(NamedTuple):
    """A measured share, and the least that is required of it, if anything is."""

    name: str
    measured: float | None
    required: float | None = None

    @property
    def met(self) -> bool | None:
        """By the value as measured, not as rounded; None if nothing is required. What was not measured is not met."""
        return None if self.required is None else self.measured is not None and self.measured >= self.required


def detection_table(scores: DetectionScores) -> Table:
    """Average precisions, then what holds from the chosen score on."""
    figures = (
        Figure("AP50", scores.ap50, REQUIRED_AP50),
        Figure("AP75", scores.ap75, REQUIRED_AP75),
        Figure("AP50:95", scores.ap50_95),
        Figure(f"precision from score {scores.score:g} on", scores.precision),
        Figure(f"recall from score {scores.score:g} on", scores.recall),
        Figure("mean IoU of these hits", scores.mean_iou),
    )
    return _table("Detection", figures, {}, f"{scores.true_boxes} true boxes in {scores.frames} frames.")


def tracking_table(scores: TrackingScores) -> Table:
    """Identity scores, then how often tracks go over to another object or break off."""
    figures = (
        Figure("IDF1", scores.idf1, REQUIRED_IDF1),
        Figure("identity precision", scores.idp),
        Figure("identity recall", scores.idr),
    )
    counts = {"identity switches": str(scores.switches), "fragments": str(scores.fragments)}
    return _table("Tracking", figures, counts, f"{scores.idtp + scores.idfn} true boxes in {scores.videos} videos.")


def alignment_table(scores: Mapping[AlignedBy, Accuracy | None]) -> Table:
    """Shares of reference tracks that were put to the right target track."""
    figures = [Figure(f"by {by}", one.value if one else None, REQUIRED_ALIGNMENT.get(by)) for by, one in scores.items()]
    intervals = {f"by {by}, 95 % interval": f"{one.low:.4f}–{one.high:.4f}" for by, one in scores.items() if one}
    known = next((one for one in scores.values() if one), None)
    caption = f"{known.count} reference tracks." if known else "No reference tracks."
    return _table("Tracks of references rightly aligned to the target's", figures, intervals, caption)


def _table(title: str, figures: Sequence[Figure], other: dict[str, str], caption: str) -> Table:
    """As wide as its content, however narrow the terminal: half a number misleads."""
    table = Table("", title=title, caption=caption, title_justify="left", caption_justify="left")
    for heading in ("measured", "required", "met"):
        table.add_column(heading, justify="right")
    for figure in figures:
        table.add_row(figure.name, Text(_share(figure.measured), "bold"), _share(figure.required), _met(figure))
    for name, text in other.items():
        table.add_row(name, text, NOTHING, NOTHING)
    table.width = Console(width=_WIDEST, markup=False, emoji=False).measure(table).maximum
    return table


def _share(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.4f}"


def _met(figure: Figure) -> Text:
    return Text(NOTHING) if figure.met is None else Text("yes", "green") if figure.met else Text("no", "bold red")
