"""Words for events and counterfactual worlds. A phrase mixes plain words with object numbers, which are drawn as tags."""

from dataclasses import dataclass

from PIL import Image

from comphy.scene.events import Event, EventKind
from comphy.scene.objects import Change, HiddenProperty, ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS
from data_gen.preview.pictures.canvas import GAINED, LOST, MUTED, Rgb, charge_sign, number_tag, text
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


def draw_phrase(
    image: Image.Image,
    place: tuple[float, float],
    phrase: Phrase,
    objects: tuple[ObjectSpec, ...],
    size: int,
    color: Rgb,
) -> float:
    """Write a phrase from `place`, vertically centred on it; returns the x at which it ends."""
    x, y = place
    before: int | Words | None = None
    for part in phrase:
        x += _gap(before, part, size)
        if isinstance(part, int):
            x = number_tag(image, (x, y), part, objects[part], size - 2)
        else:
            x = text(image, (x, y), part.text, size, part.color or color, bold=part.bold)
        before = part
    return x


def _gap(before: int | Words | None, part: int | Words, size: int) -> float:
    """Tags of one pair stand close together; items keep their distance."""
    if before is None:
        return 0.0
    if isinstance(part, int):
        return 2.0 if isinstance(before, int) else 0.4 * size
    return 1.1 * size if part.bold else 0.4 * size
