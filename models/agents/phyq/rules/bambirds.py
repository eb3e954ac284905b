"""`bambirds`: strategies on a qualitative scene, each with a confidence; the highest wins. After Bambirds, which won the
competitions of 2016 and 2019."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from comphy.puzzles.phyq.benchmark.contract import Agent, AgentKind
from comphy.puzzles.phyq.world.catalog import Bird, Material
from comphy.puzzles.phyq.world.launch import aimed_at
from comphy.puzzles.phyq.world.level import Block, Platform
from models.agents.phyq.rules.ranking import Proposal, Rule, shoot_by_rules, where
from models.agents.phyq.rules.relations import Relations, left_face

HEAVY: Final = 0.4  # kg
SLENDER: Final = 2.0  # height by width of what falls over
BEHIND: Final = 3.0  # metres between a pig and a platform off which birds bounce to it


def target_pig(scene: Relations) -> Iterator[Proposal]:
    """A pig that nothing protects."""
    for pig in scene.pigs:
        for number, shot in enumerate(scene.clear_shots(pig)):
            yield Proposal(shot, "target_pig", f"nothing is in the way of {where(scene, pig)}", 0.9 - 0.05 * number)


def bunker(scene: Relations) -> Iterator[Proposal]:
    """The block that protects a pig; the fewer there are, the better."""
    for pig in scene.pigs:
        protectors = scene.protectors(pig)
        for k in protectors:
            for shot in scene.clear_shots(k):
                reason = f"{where(scene, k)} protects {where(scene, pig)}"
                yield Proposal(shot, "bunker", reason, 0.5 / len(protectors) ** 0.5)


def domino(scene: Relations) -> Iterator[Proposal]:
    """A slender block that falls to the right, on a pig or on the next one."""
    for k in scene.blocks:
        width, height = scene.size(k)
        x, y = scene.place(k)
        if height < SLENDER * width:
            continue
        for pig in scene.pigs:
            px, py = scene.place(pig)
            if 0.0 < px - x < 3 * height and abs(py - y) < height:
                for shot in scene.clear_shots(k, (x, y + 0.4 * height)):
                    yield Proposal(shot, "domino", f"{where(scene, k)} falls towards {where(scene, pig)}", 0.6)


def heavy_object(scene: Relations) -> Iterator[Proposal]:
    """A heavy thing that may fall on a pig, or what bears it."""
    for k in scene.blocks:
        if scene.mass(k) < HEAVY:
            continue
        for pig in scene.pigs:
            if scene.may_fall_on(k, pig):
                for shot in scene.clear_shots_at_or_under(k):
                    yield Proposal(shot, "heavy_object", f"{where(scene, k)} may fall on {where(scene, pig)}", 0.65)


def collapse_structure(scene: Relations) -> Iterator[Proposal]:
    """What bears a pig, or what is over it, directly or not."""
    for pig in scene.pigs:
        below, new = set[int](), set(scene.bearers(pig))
        while new:
            below |= new
            new = {one for k in new for one in scene.bearers(k)} - below
        for k in sorted(below & set(scene.blocks)):
            for shot in scene.clear_shots(k):
                yield Proposal(shot, "collapse_structure", f"{where(scene, k)} bears {where(scene, pig)}", 0.5)


def defrost(scene: Relations) -> Iterator[Proposal]:
    """Ice, which breaks, if it bears or protects something; the blue bird's task."""
    for k in scene.blocks:
        thing = scene.things[k]
        if isinstance(thing, Block) and thing.material is Material.ICE and scene.borne(k):
            for shot in scene.clear_shots(k):
                yield Proposal(
                    shot, "defrost", f"{where(scene, k)} bears something", 0.7 if scene.bird is Bird.BLUE else 0.45
                )


def bounce(scene: Relations) -> Iterator[Proposal]:
    """Off a platform that stands behind a pig."""
    for k, thing in enumerate(scene.things):
        if isinstance(thing, Platform):
            for pig in scene.pigs:
                face = left_face(thing)
                if 0.0 < face[0] - scene.place(pig)[0] < BEHIND:
                    for shot in scene.clear_shots(k, face):
                        yield Proposal(shot, "bounce", f"off the {where(scene, k)} to {where(scene, pig)}", 0.3)


def powers(scene: Relations) -> Iterator[Proposal]:
    """Eggs over pigs, explosions near them."""
    for pig in scene.pigs:
        x, y = scene.place(pig)
        if scene.bird is Bird.WHITE:
            for shot in aimed_at((x, y + 2.5)):
                over = replace(shot, tap=(x - 0.3 - shot.start[0]) / max(shot.velocity[0], 1e-9))
                yield Proposal(over, "white_bird", f"an egg over {where(scene, pig)}", 0.7)
        if scene.bird is Bird.BLACK:
            for shot, before in scene.shots_at(pig):
                reason = f"an explosion near {where(scene, pig)}"
                yield Proposal(shot, "black_bird", reason, 0.9 - 0.05 * len(before))


def anything(scene: Relations) -> Iterator[Proposal]:
    """A block or pig, whatever is in the way."""
    for k in (*scene.pigs, *scene.blocks):
        for shot, before in scene.shots_at(k):
            yield Proposal(shot, "any_object", where(scene, k), 0.15 - 0.02 * len(before))


RULES: Final[tuple[Rule, ...]] = (
    target_pig, bunker, domino, heavy_object, collapse_structure, defrost, bounce, powers, anything,
)  # fmt: skip
BAMBIRDS: Final = Agent("bambirds", AgentKind.HEURISTIC, partial(shoot_by_rules, RULES))
