"""PHYRE: verdicts per second, and whether early ones are right. Phy-Q: games per second, and whether quick ones end as they
should."""

import time
from itertools import islice
from typing import Any

import numpy as np

from comphy.puzzles.phyq.templates.published import load_templates
from comphy.puzzles.phyq.templates.variation import vary
from comphy.puzzles.phyq.world.constants import TIMESTEP
from comphy.puzzles.phyq.world.game import Game
from comphy.puzzles.phyre.templates.template import all_templates, candidates, templates_of
from comphy.puzzles.phyre.world.actions import ACTION_TIERS
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from comphy.sim.bullet import Engine
from data_gen.phyq.plain_players import shot_at_a_pig
from data_gen.phyq.play_agreement import Agreement, compare_plays
from data_gen.phyre.verdict_agreement import valid_actions, verdicts_that_differ


def phyre(tasks: int = 2, actions: int = 15) -> dict[str, Any]:
    """Verdicts per second on one core, of random valid actions on tasks of every template, and the slowest templates.

    The time of a template counts alike, whatever its number of actions; building its scene is left out.
    """
    result: dict[str, Any] = {"tasks_per_template": tasks, "actions_per_task": actions}
    for tier in ACTION_TIERS.values():
        milliseconds: dict[str, float] = {}
        for template in templates_of(tier):
            scenes = {str(k): task.scene for k, task in enumerate(islice(candidates(template), tasks))}
            with ActionSimulator(scenes, tier) as simulator:
                spent = 0.0
                for k, scene in enumerate(scenes.values()):
                    chosen = valid_actions(scene, tier, actions, np.random.default_rng(0))
                    simulator.simulate_action(k, chosen[0], need_images=False)
                    start = time.process_time()
                    simulator.statuses(k, chosen)
                    spent += time.process_time() - start
            milliseconds[template.id] = 1e3 * spent / (len(scenes) * actions)
        slowest = sorted(milliseconds, key=lambda name: -milliseconds[name])[:3]
        result[tier.name] = {
            "verdicts_per_cpu_second": 1e3 / float(np.mean(list(milliseconds.values()))),
            "median_template_per_cpu_second": 1e3 / float(np.median(list(milliseconds.values()))),
            "slowest_ms": {name: milliseconds[name] for name in slowest},
        }
    return result


def phyre_agreement(count: int = 10_000) -> dict[str, int]:
    """Verdicts reached early against whole runs judged at every step: random valid actions over all templates."""
    each = -(-count // len(all_templates()))
    tried = solved = different = 0
    with Engine() as engine:
        for template in all_templates():
            scene = next(candidates(template)).scene
            found = verdicts_that_differ(scene, template.tier, each, np.random.default_rng(1), engine)
            tried, solved, different = tried + found[0], solved + found[1], different + len(found[2])
    return {"tried": tried, "solved": solved, "different": different}


def phyq_agreement(count: int = 10_000, plays: int = 20, seed: int = 1) -> dict[str, int]:
    """Quick plays against the same ones step by step in an engine of their own: random shots, levels of all templates."""
    templates, agreement = list(load_templates().values()), Agreement()
    with Engine() as engine:
        for number in range(-(-count // plays)):
            rng = np.random.default_rng([seed, number])
            level = vary(templates[number % len(templates)], rng)
            compare_plays(level, min(plays, count - agreement.plays), rng, engine, agreement)
    return {"plays": agreement.plays, "won": agreement.won, "different": len(agreement.different)}


def phyq(levels: int = 2, plays: int = 2) -> dict[str, Any]:
    """Games of the published Pig Shooter on one core, levels of every template: seconds of the game for each CPU second,
    by scenario, and games per CPU second. Building a level counts; opening an engine does not."""
    simulated: dict[int, float] = {}
    spent: dict[int, float] = {}
    with Engine() as engine:
        for template in load_templates().values():
            numbers = [int(part) for part in template.id.split(".")]
            start = time.process_time()
            for level in range(levels):
                rng = np.random.default_rng([level, *numbers])
                with Game(vary(template, rng), engine) as game:
                    for _ in range(plays):
                        game.play([shot_at_a_pig(game.level, bird, rng) for bird in game.level.birds])
                        seconds = TIMESTEP * game.world.steps
                        simulated[template.scenario] = simulated.get(template.scenario, 0.0) + seconds
            spent[template.scenario] = spent.get(template.scenario, 0.0) + time.process_time() - start
    games = levels * plays * len(load_templates())
    return {
        "games": games,
        "games_per_cpu_second": games / sum(spent.values()),
        "times_real_time": {scenario: simulated[scenario] / spent[scenario] for scenario in sorted(spent)},
    }
