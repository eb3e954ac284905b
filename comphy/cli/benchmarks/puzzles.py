"""PHYRE: verdicts per second, and whether early ones are right."""

import time
from itertools import islice
from typing import Any

import numpy as np

from comphy.puzzles.phyre.templates.template import all_templates, candidates, templates_of
from comphy.puzzles.phyre.world.actions import ACTION_TIERS
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from comphy.sim.bullet import Engine
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
