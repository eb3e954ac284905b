"""Words for times, charges, events and counterfactual worlds. A phrase mixes plain words with object numbers, which
pictures draw as tags."""

from dataclasses import dataclass

from comphy.drawing.colors import GAINED, LOST, MUTED, Rgb
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import FPS, Change, HiddenProperty, ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS
from data_gen.preview.scene import Run


@dataclass(frozen=True)
class Words:
    """Words of a phrase; without a colour of their own they take the phrase's. Bold ones begin a new item."""

    text: str
    color: Rgb | None = None
    bold: bool = False


Phrase = list[int | Words]

_VERBS = {
    EventKind.IN: "comes in",
    EventKind.OUT: "leaves",
    EventKind.COLLISION: "collide",
    EventKind.ATTRACTION: "attract",
    EventKind.REPULSION: "repel",
}


def seconds(frame: int) -> str:
    return f"{frame / FPS:.2f} s"


def charge_sign(charge: int) -> str:
    return {1: "+", -1: "−"}.get(charge, "0")


def event_phrase(event: Event, objects: tuple[ObjectSpec, ...]) -> Phrase:
    """`0 red metal cube and 2 blue rubber sphere collide`, with the numbers as tags."""
    first, last = event.objects[0], event.objects[-1]
    end: Phrase = [last, Words(f"{objects[last]} {_VERBS[event.kind]}")]
    return end if first == last else [first, Words(f"{objects[first]} and"), *end]


def short_event_phrase(event: Event) -> Phrase:
    """The same with numbers only."""
    return [*event.objects, Words(_VERBS[event.kind])]


def premise(change: Change) -> str:
    """What the changed object is in the other world."""
    if change.hidden is HiddenProperty.MASS:
        return "heavy" if change.value == HEAVY_MASS else "light"
    return "uncharged" if change.value == 0 else f"charged {charge_sign(round(change.value))}"


def consequence(run: Run) -> Phrase:
    """Which pairs collide only there, only here, and in both worlds but not equally often."""
    phrase: Phrase = []
    for sign, color, pairs in (("+", GAINED, run.gained()), ("−", LOST, run.lost())):
        for pair in pairs:
            phrase += [Words(sign, color, bold=True), *pair]
    for pair in run.recounted():
        count = f"{run.collisions[pair]}× instead of {run.real[pair]}×"
        phrase += [Words("·", MUTED, bold=True), *pair, Words(count, MUTED)]
    return phrase or [Words("the same collisions", MUTED)]
