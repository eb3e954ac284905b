"""PHYRE: place one or two balls so that two bodies touch for three seconds.

The names are those of the published package, so that code for it finds them here; docs/phyre.md says what differs. New
ones: `load_tasks`, `find_task` and `FoldRule`; and `comphy.puzzles.phyre.benchmark.environment`, which needs Gymnasium.

    simulator = initialize_simulator(get_fold("ball_cross_template", 0).test, "ball")
    simulator.simulate_action(0, (0.5, 0.9, 0.3)).status
"""

from typing import Final

from comphy.puzzles.phyre import simulation_cache, vis
from comphy.puzzles.phyre.benchmark.api import initialize_simulator
from comphy.puzzles.phyre.benchmark.auccess import MAX_TEST_ATTEMPTS
from comphy.puzzles.phyre.benchmark.cache import SimulationCache
from comphy.puzzles.phyre.benchmark.evaluator import Evaluator
from comphy.puzzles.phyre.benchmark.folds import (
    MAIN_EVAL_SETUPS,
    FoldRule,
    eval_setup_to_action_tier,
    get_fold,
    list_eval_setups,
)
from comphy.puzzles.phyre.benchmark.tasks import find_task, load_tasks
from comphy.puzzles.phyre.simulation_cache import get_default_100k_cache
from comphy.puzzles.phyre.vis import observations_to_float_rgb, observations_to_uint8_rgb
from comphy.puzzles.phyre.world.actions import ACTION_TIERS
from comphy.puzzles.phyre.world.constants import SCENE_PIXELS
from comphy.puzzles.phyre.world.observations.features import FeaturizedObjects, featurized_objects_vector_to_raster
from comphy.puzzles.phyre.world.observations.observation import NUM_COLORS
from comphy.puzzles.phyre.world.simulation import Simulation, SimulationStatus
from comphy.puzzles.phyre.world.simulator import ActionSimulator

SCENE_HEIGHT: Final = SCENE_PIXELS
SCENE_WIDTH: Final = SCENE_PIXELS

__all__ = [
    "ACTION_TIERS",
    "MAIN_EVAL_SETUPS",
    "MAX_TEST_ATTEMPTS",
    "NUM_COLORS",
    "SCENE_HEIGHT",
    "SCENE_WIDTH",
    "ActionSimulator",
    "Evaluator",
    "FeaturizedObjects",
    "FoldRule",
    "Simulation",
    "SimulationCache",
    "SimulationStatus",
    "eval_setup_to_action_tier",
    "featurized_objects_vector_to_raster",
    "find_task",
    "get_default_100k_cache",
    "get_fold",
    "initialize_simulator",
    "list_eval_setups",
    "load_tasks",
    "observations_to_float_rgb",
    "observations_to_uint8_rgb",
    "simulation_cache",
    "vis",
]
