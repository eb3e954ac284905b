"""`eagles_wing`: every shot has a utility: pigs, several on one path first, most blocks, what holds high round things, and
buildings by their kind. After Eagle's Wing, which won the competitions of 2017 and 2018."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from comphy.puzzles.phyq.benchmark.contract import Agent, AgentKind
from comphy.puzzles.phyq.world.constants import Point
from comphy.puzzles.phyq.world.level import Platform
from models.agents.phyq.rules.ranking import Proposal, Rule, shoot_by_rules, where
from models.agents.phyq.rules.relations import Relations

SKYSCRAPER: Final = 1.8  # height by width
PYRAMID: Final = 0.6  # width of the upper half by that of the lower one


def pigs(scene: Relations) -> Iterator[Proposal]:
    """Pigs on the path up to the first platform; what is in the way before them costs."""
    for pig in scene.pigs:
        for shot, before in scene.shots_at(pig):
            if any(isinstance(scene.things[k], Platform) for k in before):
                continue
            hit = [k for k in _until_platform(scene, scene.first_touches(shot)) if k in scene.pigs]
            reason = f"{len(hit)} pigs on the path to {where(scene, pig)}, {len(before)} things before it"
            yield Proposal(shot, "pigs", reason, min(1.0, 0.7 + 0.1 * len(hit)) - 0.25 * len(before))


def most_blocks(scene: Relations) -> Iterator[Proposal]:
    """The path through most blocks."""
    for k in scene.blocks:
        for shot, _ in scene.shots_at(k):
            touched = _until_platform(scene, scene.first_touches(shot))
            blocks = [one for one in touched if one in scene.blocks]
            if blocks:
                yield Proposal(shot, "most_blocks", f"{len(blocks)} blocks on the path", min(0.6, 0.15 * len(blocks)))


def high_round_things(scene: Relations) -> Iterator[Proposal]:
    """Round things that are as high as a pig or higher and may roll to it; or what holds them."""
    for k in scene.round_blocks:
        x, y = scene.place(k)
        below = [pig for pig in scene.pigs if scene.place(pig)[1] < y + 0.3 and scene.place(pig)[0] > x - 0.5]
        for pig in below[:1]:
            for shot in scene.clear_shots_at_or_under(k):
                yield Proposal(shot, "high_round_things", f"{where(scene, k)} may roll to {where(scene, pig)}", 0.65)


def ledges(scene: Relations) -> Iterator[Proposal]:
    """The platform on which a pig stands out of reach: the bird rolls along it."""
    for pig in scene.pigs:
        for k in scene.bearers(pig):
            left, right, _, top = scene.box([k])
            for share in (0.1, 0.3, 0.5):
                x = left + share * (right - left)
                if isinstance(scene.things[k], Platform) and x < scene.place(pig)[0] - 1.0:
                    for shot in scene.clear_shots(k, (x, top)):
                        yield Proposal(shot, "ledges", f"along the {where(scene, k)} to {where(scene, pig)}", 0.4)


def buildings(scene: Relations) -> Iterator[Proposal]:
    """A building with pigs, where its kind is weak."""
    for group in scene.buildings:
        inside = [k for k in group if k in scene.pigs]
        if len(group) < 3 or not inside:
            continue
        kind, point = _weak_point(scene, group)
        for k in group:
            if k in scene.blocks and abs(scene.place(k)[1] - point[1]) < 0.6:
                for shot in scene.clear_shots(k):
                    reason = f"a {kind} of {len(group)} things with {len(inside)} pigs"
                    yield Proposal(shot, f"building: {kind}", reason, min(0.6, 0.4 + 0.05 * len(inside)))


def _weak_point(scene: Relations, group: Sequence[int]) -> tuple[str, Point]:
    left, right, bottom, top = scene.box(group)
    width, height = right - left, top - bottom
    if height > SKYSCRAPER * width:
        return "skyscraper", (left, bottom + 0.75 * height)
    upper = [k for k in group if scene.place(k)[1] > bottom + height / 2]
    if upper:
        upper_left, upper_right, _, _ = scene.box(upper)
        if upper_right - upper_left < PYRAMID * width:
            return "pyramid", (left, bottom + 0.25 * height)
    return "rectangle", (left, bottom + 0.5 * height)


def _until_platform(scene: Relations, touched: Sequence[int]) -> list[int]:
    found = []
    for k in touched:
        if isinstance(scene.things[k], Platform):
            break
        found.append(k)
    return found


RULES: Final[tuple[Rule, ...]] = (pigs, most_blocks, high_round_things, ledges, buildings)
EAGLES_WING: Final = Agent("eagles_wing", AgentKind.HEURISTIC, partial(shoot_by_rules, RULES))
