"""`datalab`: pigs, then round blocks, then buildings; which, is chosen by the paths, the bird and the birds that are left.
After Datalab, which won the competitions of 2014 and 2015."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from comphy.puzzles.phyq.benchmark.contract import Agent, AgentKind
from comphy.puzzles.phyq.world.catalog import Bird, Material
from comphy.puzzles.phyq.world.level import Block, Platform
from models.agents.phyq.rules.ranking import Proposal, Rule, shoot_by_rules, where
from models.agents.phyq.rules.relations import Relations

BREAKS: Final = {Bird.YELLOW: Material.WOOD, Bird.BLUE: Material.ICE, Bird.BLACK: Material.STONE}


def destroy_pigs(scene: Relations) -> Iterator[Proposal]:
    """A pig by the arc with the least in its way; with more birds left, a pig behind blocks is tried sooner."""
    for pig in scene.pigs:
        for shot, before in scene.shots_at(pig):
            if any(isinstance(scene.things[k], Platform) for k in before):
                continue
            patience = 0.2 if len(scene.level.birds) > 1 else 0.3
            reason = f"{where(scene, pig)}, {len(before)} blocks in the way"
            yield Proposal(shot, "destroy_pigs", reason, 0.95 - patience * len(before))


def round_blocks(scene: Relations) -> Iterator[Proposal]:
    """A round block left of a pig and as high: it rolls to it. Or the bird, along the platform of the pig."""
    for pig in scene.pigs:
        px, py = scene.place(pig)
        for k in scene.round_blocks:
            x, y = scene.place(k)
            if x < px + 0.5 and y > py - 0.3:
                for shot in scene.clear_shots(k):
                    yield Proposal(shot, "round_blocks", f"{where(scene, k)} rolls to {where(scene, pig)}", 0.6)
        for k in scene.bearers(pig):
            left, _, _, top = scene.box([k])
            if isinstance(scene.things[k], Platform) and px - left > 2.0:
                for x in (left + 0.5, (left + px) / 2):
                    for shot in scene.clear_shots(k, (x, top)):
                        yield Proposal(
                            shot, "roll_the_bird", f"along the {where(scene, k)} to {where(scene, pig)}", 0.5
                        )


def destroy_buildings(scene: Relations) -> Iterator[Proposal]:
    """A building near a pig, at a block that this bird breaks, or in its middle."""
    for group in scene.buildings:
        blocks = [k for k in group if k in scene.blocks]
        if not blocks or not any(k in scene.pigs for k in group):
            continue
        _, _, bottom, top = scene.box(group)
        for k in blocks:
            thing = scene.things[k]
            easy = isinstance(thing, Block) and thing.material is BREAKS.get(scene.bird)
            off = abs(scene.place(k)[1] - (bottom + top) / 2) / max(top - bottom, 0.1)
            for shot in scene.clear_shots(k):
                reason = f"{where(scene, k)} of a building of {len(group)} things"
                yield Proposal(shot, "destroy_buildings", reason, 0.45 + 0.15 * easy - 0.15 * off)


RULES: Final[tuple[Rule, ...]] = (destroy_pigs, round_blocks, destroy_buildings)
DATALAB: Final = Agent("datalab", AgentKind.HEURISTIC, partial(shoot_by_rules, RULES))
