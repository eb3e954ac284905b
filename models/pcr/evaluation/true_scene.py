"""Exact facts as a soft scene: every probability is zero or one. For tests, and for models that are told the truth.

Shapes: S sets, N objects, T frames, P pairs, E event slots, K slots of the same kind and objects.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from comphy.programs.event_handlers import premised_change
from comphy.programs.facts import Events, SceneFacts
from comphy.programs.types import Premise, Undefined
from comphy.scene.events import Event, EventKind
from comphy.scene.vocabulary import HEAVY_MASS, Color, Direction, Material, Shape
from models.pcr.executor.soft_scene import EVENT_KINDS, SoftEvents, SoftScene

Table = NDArray[np.float32]
_What = tuple[EventKind, tuple[int, ...]]
# What happens in one frame is told in this order: that of the exact executor.
_ORDER: Final = (EventKind.START, EventKind.COLLISION, EventKind.IN, EventKind.OUT, EventKind.END)


def true_scene(facts: Sequence[SceneFacts], room: int = 0) -> SoftScene:
    """The facts of some sets as one scene. Programs give the answers of the exact executor on it. Sets are padded to
    the most objects that one has, or to `room` if that is more."""
    frames = {one.visible_frames for one in facts}
    if len(frames) != 1 or any(one.shift for one in facts):
        raise ValueError(f"Expected facts of equally long videos, exactly seen (got frames {sorted(frames)}).")
    count = max(room, *(len(one.objects) for one in facts))
    rows = [_Row(one, count) for one in facts]
    return SoftScene(
        objects=_stack(row.flags(True for _ in row.facts.objects) for row in rows),
        color=_stack(row.one_hot([spec.color for spec in row.facts.objects], tuple(Color)) for row in rows),
        shape=_stack(row.one_hot([spec.shape for spec in row.facts.objects], tuple(Shape)) for row in rows),
        material=_stack(row.one_hot([spec.material for spec in row.facts.objects], tuple(Material)) for row in rows),
        shown=_stack(row.padded(row.facts.inside) for row in rows),
        moving=_stack(row.padded(row.facts.moving) for row in rows),
        direction=_stack(row.directions() for row in rows),
        ever_moving=_stack(row.flags(moves is True for moves in row.facts.ever_moving) for row in rows),
        main_direction=_stack(
            row.one_hot([row.facts.main_direction(i, None) for i in range(len(row.facts.objects))], tuple(Direction))
            for row in rows
        ),
        heavy=_stack(row.flags(spec.mass == HEAVY_MASS for spec in row.facts.objects) for row in rows),
        same=_stack(row.charges(1) for row in rows),
        opposite=_stack(row.charges(-1) for row in rows),
        events=_slots([one.video_events for one in facts], count),
        imagination=TrueImagination.of(facts, count),
    )


@dataclass(frozen=True)
class _Row:
    """The tables of one set, padded to `count` objects."""

    facts: SceneFacts
    count: int

    def flags(self, truths: Iterable[bool]) -> Table:
        found = list(truths)
        return np.array([*found, *[False] * (self.count - len(found))], np.float32)

    def padded(self, table: NDArray[np.bool_]) -> Table:
        return np.pad(table, ((0, 0), (0, self.count - table.shape[1]))).astype(np.float32)

    def one_hot(self, words: Sequence[str | None], vocabulary: Sequence[str]) -> Table:
        table = np.array([[word == other for other in vocabulary] for word in words], np.float32)
        return np.pad(table, ((0, self.count - len(table)), (0, 0)))

    def directions(self) -> Table:
        codes = self.facts.direction[..., None] == np.arange(len(Direction))
        return np.pad(codes, ((0, 0), (0, self.count - codes.shape[1]), (0, 0))).astype(np.float32)

    def charges(self, sign: int) -> Table:
        charges = [*(spec.charge for spec in self.facts.objects), *[0] * (self.count - len(self.facts.objects))]
        return np.array([a * b * sign > 0 for a, b in combinations(charges, 2)], np.float32)


@dataclass(frozen=True)
class TrueImagination:
    """What simulation found. A premise that changes nothing, or whose run is not at hand, leaves the video as it is.

    Rows of `after` are sets; those of the others are numbered by set, premise and object: [S * premises * N] and [S * N].
    """

    after: SoftEvents
    premised: SoftEvents
    removed: SoftEvents

    @classmethod
    def of(cls, facts: Sequence[SceneFacts], count: int) -> "TrueImagination":
        premised = [_premised(one, i, premise) for one in facts for premise in Premise for i in range(count)]
        removed = [_removed(one, i) for one in facts for i in range(count)]
        return cls(_slots([one.unseen for one in facts], count), _slots(premised, count), _slots(removed, count))

    def future(self, rows: Tensor) -> SoftEvents:
        return self.after.take(rows)

    def counterfactual(self, rows: Tensor, who: Tensor, premise: Tensor) -> SoftEvents:
        return _expected(self.premised, rows * len(Premise) + premise, who)

    def removal(self, rows: Tensor, who: Tensor) -> SoftEvents:
        return _expected(self.removed, rows, who)


def _expected(runs: SoftEvents, rows: Tensor, who: Tensor) -> SoftEvents:
    """Runs [R * N] for each object, in expectation over who [B, N] is meant; times are those of the likeliest object."""
    count = who.shape[1]
    probability = runs.probability.unflatten(0, (-1, count)).index_select(0, rows)
    likeliest = runs.time.index_select(0, rows * count + who.argmax(dim=1))
    return SoftEvents(runs.kind, runs.members, (who[:, None] @ probability)[:, 0], likeliest)


def _premised(facts: SceneFacts, index: int, premise: Premise) -> Events:
    try:
        key = premised_change(facts, index, premise).key if index < len(facts.objects) else ""
    except Undefined:
        key = ""
    return facts.counterfactual.get(key, _collisions(facts))


def _removed(facts: SceneFacts, index: int) -> Events:
    without = tuple(event for event in _collisions(facts) if index not in event.objects)
    return (facts.removal or {}).get(index, without)


def _collisions(facts: SceneFacts) -> Events:
    return tuple(event for event in facts.visible if event.kind is EventKind.COLLISION)


def _slots(rows: Sequence[Events], count: int) -> SoftEvents:
    """Lists of events in one layout: as many slots for each kind and objects as some row has of them."""
    needed: Counter[_What] = Counter()
    for events in rows:
        needed |= Counter(map(_what, events))
    whats = sorted(needed.elements(), key=lambda what: (_ORDER.index(what[0]), what[1]))
    places = {what: whats.index(what) for what in needed}
    members = np.zeros((len(whats), count), np.float32)
    for slot, (_, objects) in enumerate(whats):
        members[slot, list(objects)] = 1
    happens, time = (np.zeros((len(rows), len(whats)), np.float32) for _ in range(2))
    for row, events in enumerate(rows):
        for event, place in _placed(events, places):
            happens[row, place], time[row, place] = 1, event.frame
    kinds = torch.tensor([EVENT_KINDS.index(kind) for kind, _ in whats], dtype=torch.long)
    return SoftEvents(kinds, torch.from_numpy(members), torch.from_numpy(happens), torch.from_numpy(time))


def _placed(events: Events, places: Mapping[_What, int]) -> Iterable[tuple[Event, int]]:
    """Events with their slots: those of the same kind and objects take one after the other."""
    taken: Counter[_What] = Counter()
    for event in events:
        what = _what(event)
        yield event, places[what] + taken[what]
        taken[what] += 1


def _what(event: Event) -> _What:
    return event.kind, tuple(sorted(event.objects))


def _stack(tables: Iterable[Table]) -> Tensor:
    return torch.from_numpy(np.stack(list(tables)))
