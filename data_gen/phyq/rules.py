"""The rule of each scenario, as a test on the record of a game that was won: was it won by what the scenario is about?

The words are those of the paper's tables 4 and 5. Some rules play the level again: in another order, without the tap.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from comphy.puzzles.phyq.templates.published import Template
from comphy.puzzles.phyq.world.constants import Point
from comphy.puzzles.phyq.world.game import FIRST_THING, Game, Status
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.puzzles.phyq.world.level import Block, Level, Pig, Thing
from comphy.puzzles.phyq.world.record import Contact, Death, Record

ROUND: Final = ("Circle", "CircleSmall")
ROLLED: Final = 0.5  # metres, at least
FELL: Final = 0.3
SLID: Final = 0.02  # the pig may stand right behind the block
MOVED: Final = 0.1
# Of the two things that a template sets beside each other: the one that must move, and the one that does not help.
# Numbers of things in the template.
RIGHT_AND_DECOY: Final[Mapping[str, tuple[int, int]]] = {
    "7.1": (1, 0), "7.2": (1, 0), "7.3": (1, 0), "7.4": (1, 0), "7.5": (1, 0),
    "8.1": (3, 2), "8.2": (0, 1), "8.3": (0, 3), "8.4": (2, 3),
    "9.1": (1, 0),
    "10.1": (1, 0), "10.2": (0, 1), "10.3": (1, 0), "10.4": (3, 7),
}  # fmt: skip


@dataclass(frozen=True)
class WonGame:
    """What is left of a game that was won: copied, so that the level can be played again."""

    template: Template
    level: Level
    first_bird: int
    record: Record
    ends: Mapping[int, Point | None]  # where things are at the end; None: no more

    @staticmethod
    def of(template: Template, game: Game) -> "WonGame":
        ends: dict[int, Point | None] = {}
        for body in range(FIRST_THING, game.first_bird):
            x, y, _ = game.world.position(body)
            ends[body] = None if body in game.world.absent else (x, y)
        return WonGame(template, game.level, game.first_bird, game.record, ends)

    def thing(self, body: int | None) -> Thing | None:
        """What a body is; None for birds, the ground and nothing."""
        if body is None or not FIRST_THING <= body < self.first_bird:
            return None
        return self.level.things[body - FIRST_THING]

    def is_bird(self, body: int | None) -> bool:
        return body is not None and body >= self.first_bird

    @property
    def killings(self) -> list[tuple[Death, Contact | None]]:
        """The deaths of pigs, each with the last blow."""
        found = []
        for death in self.record.deaths:
            if isinstance(self.thing(death.body), Pig):
                blows = [one for one in self.record.contacts if one.step == death.step and death.body in one.pair]
                found.append((death, next((one for one in blows if death.by in one.pair), None)))
        return found

    def travelled(self, death: Death, blow: Contact) -> Point:
        """How far a thing that killed has come from its place in the level."""
        assert death.by is not None
        thing, (x, y) = self.thing(death.by), blow.places[blow.pair.index(death.by)]
        assert thing is not None
        return (x - thing.x, y - thing.y)

    def bird_contacts(self, bird: int, until: int) -> list[Contact]:
        return [one for one in self.record.contacts if bird in one.pair and one.step <= until]


Play = Callable[[Sequence[Shot]], Status]


def flaws_by_rule(won: WonGame, shots: Sequence[Shot], play: Play) -> Iterator[str]:
    """In which ways a game was won otherwise than its scenario asks. `play` plays its level with other shots."""
    rules: Mapping[int, Callable[[], Iterator[str]]] = {
        1: lambda: _killed(won, _by_bird, "was not killed by the bird"),
        2: lambda: _hit_by_several(won),
        3: lambda: _killed(won, _by_rolling, "was not killed by something round that rolled"),
        4: lambda: _killed(won, _by_falling, "was not killed by a block that fell"),
        5: lambda: _killed(won, _by_sliding, "was not killed by a block that slid"),
        6: lambda: _killed(won, _by_bounce, "was not killed by the bird after it came off a platform"),
        11: lambda: _fails(play, shots[::-1], "it is won in the other order, too", len(shots) > 1),
        12: lambda: _collapsed(won),
        13: lambda: _neither_alone(play, shots),
        14: lambda: _fails(play, [replace(shot, watch=None) for shot in shots], "it is won without haste, too"),
        15: lambda: _fails(play, [replace(shot, tap=None) for shot in shots], "it is won without the tap, too"),
    }
    if won.template.scenario in rules:
        yield from rules[won.template.scenario]()
    elif won.template.id in RIGHT_AND_DECOY:
        yield from _right_one(won, shots, play)
    else:
        yield from _killed(won, _by_bird, "was not killed by the bird")


def _killed(won: WonGame, how: Callable[[WonGame, Death, Contact | None], bool], flaw: str) -> Iterator[str]:
    for death, blow in won.killings:
        if not how(won, death, blow):
            yield f"the pig that is thing {death.body - FIRST_THING} {flaw}"


def _by_bird(won: WonGame, death: Death, blow: Contact | None) -> bool:
    return won.is_bird(death.by)


def _by_rolling(won: WonGame, death: Death, blow: Contact | None) -> bool:
    if blow is None:
        return False
    if won.is_bird(death.by):
        before = won.bird_contacts(death.by or 0, death.step)[:-1]
        return bool(before) and abs(_place_of(blow, death.by) - _place_of(before[0], death.by)) >= ROLLED
    thing = won.thing(death.by)
    return isinstance(thing, Block) and thing.kind in ROUND and abs(won.travelled(death, blow)[0]) >= ROLLED


def _place_of(contact: Contact, body: int | None) -> float:
    return contact.places[contact.pair.index(body or 0)][0]


def _by_falling(won: WonGame, death: Death, blow: Contact | None) -> bool:
    return isinstance(won.thing(death.by), Block) and blow is not None and -won.travelled(death, blow)[1] >= FELL


def _by_sliding(won: WonGame, death: Death, blow: Contact | None) -> bool:
    thing = won.thing(death.by)
    if blow is None or not isinstance(thing, Block) or thing.kind in ROUND:
        return False
    dx, dy = won.travelled(death, blow)
    return abs(dx) >= SLID and abs(dx) > abs(dy)


def _by_bounce(won: WonGame, death: Death, blow: Contact | None) -> bool:
    """The bird's blow may also have thrown the pig against a platform."""
    if not won.is_bird(death.by) and isinstance(won.thing(death.by), Block):
        return False
    hits = [one for one in won.record.contacts if death.body in one.pair and won.is_bird(max(one.pair))]
    if not hits or hits[0].step > death.step:
        return False
    bird = max(hits[-1].pair)
    touched = [one for one in won.bird_contacts(bird, death.step) if death.body not in one.pair]
    return any(other != bird and not isinstance(won.thing(other), Pig) for one in touched for other in one.pair)


def _hit_by_several(won: WonGame) -> Iterator[str]:
    for death, _ in won.killings:
        birds = {max(one.pair) for one in won.record.contacts if death.body in one.pair and won.is_bird(max(one.pair))}
        if len(birds) < 2:
            yield f"the pig that is thing {death.body - FIRST_THING} was not hit by several birds"


def _collapsed(won: WonGame) -> Iterator[str]:
    if all(won.is_bird(death.by) for death, _ in won.killings):
        yield "no pig was killed by the collapse"


def _fails(play: Play, shots: Sequence[Shot], flaw: str, possible: bool = True) -> Iterator[str]:
    if not possible or play(shots) is Status.WON:
        yield flaw


def _neither_alone(play: Play, shots: Sequence[Shot]) -> Iterator[str]:
    if len(shots) < 2:
        yield "it is won by one shot"
    for number, shot in enumerate(shots, 1):
        if len(shots) > 1 and play([shot]) is Status.WON:
            yield f"shot {number} wins alone"


def _right_one(won: WonGame, shots: Sequence[Shot], play: Play) -> Iterator[str]:
    """The right one of two has moved, and the same shot at the other one fails."""
    right, decoy = RIGHT_AND_DECOY[won.template.id]
    thing, end = won.level.things[right], won.ends[right + FIRST_THING]
    if end is not None and math.dist((thing.x, thing.y), end) < MOVED:
        yield f"thing {right}, which should move, has not"
    other = won.level.things[decoy]
    contacts = [one for one in won.record.contacts if won.first_bird in one.pair]
    if not contacts:
        return
    x, y = contacts[0].places[contacts[0].pair.index(won.first_bird)]
    shot = shots[0]
    arcs = aimed_at((x + other.x - thing.x, y + other.y - thing.y), min(1.0, math.hypot(shot.dx, shot.dy)))
    nearest = min(arcs, key=lambda one: abs(one.degrees - shot.degrees), default=None)
    if nearest is not None and play([nearest, *shots[1:]]) is Status.WON:
        yield f"the same shot at thing {decoy}, which should not help, wins"
