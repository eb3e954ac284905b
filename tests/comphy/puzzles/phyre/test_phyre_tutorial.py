"""What the tutorials of the published package do, step by step, with nothing but the import changed."""

import random
from pathlib import Path

import numpy as np
import pytest

from comphy.puzzles import phyre

pytestmark = pytest.mark.bullet

SETUP, FOLD = "ball_cross_template", 0
ATTEMPTS = 10  # of `phyre.MAX_TEST_ATTEMPTS`


@pytest.fixture(scope="module")
def dev() -> tuple[str, ...]:
    assert SETUP in phyre.MAIN_EVAL_SETUPS
    train, dev, test = phyre.get_fold(SETUP, FOLD)
    assert (len(train), len(dev), len(test)) == (1600, 400, 500)
    return dev


@pytest.fixture(scope="module")
def simulator(dev: tuple[str, ...]) -> phyre.ActionSimulator:
    return phyre.initialize_simulator(dev[::100], phyre.eval_setup_to_action_tier(SETUP))


def test_a_task_is_looked_at_before_anything_moves(dev: tuple[str, ...], simulator: phyre.ActionSimulator) -> None:
    assert simulator.task_ids == dev[::100]
    scene = simulator.initial_scenes[0]
    assert scene.shape == (phyre.SCENE_HEIGHT, phyre.SCENE_WIDTH) and scene.dtype == np.uint8
    assert scene.max() < phyre.NUM_COLORS
    picture = phyre.observations_to_float_rgb(scene)
    assert picture.shape == (256, 256, 3) and picture.dtype == np.float64
    np.testing.assert_array_equal(picture, phyre.vis.observations_to_float_rgb(scene))
    np.testing.assert_array_equal(np.rint(255 * picture), phyre.observations_to_uint8_rgb(scene))
    objects = simulator.initial_featurized_objects[0]
    assert objects.features.shape == (1, objects.num_scene_objects, 14) and objects.features.dtype == np.float32
    assert objects.num_user_inputs == 0


def test_an_action_is_tried_and_watched(simulator: phyre.ActionSimulator) -> None:
    actions = simulator.build_discrete_action_space(max_actions=100)
    assert len(actions) == 100 and len(random.choice(actions)) == simulator.action_space_dim == 3
    tried = (simulator.simulate_action(0, one, need_images=True, need_featurized_objects=True) for one in actions)
    seen = next(one for one in tried if not one.status.is_invalid())
    assert isinstance(seen.status, phyre.SimulationStatus)
    assert seen.status.is_solved() != seen.status.is_not_solved() and not seen.status.is_stably_solved()
    objects, images = seen.featurized_objects, seen.images
    assert objects is not None and images is not None
    frames, count = len(images), objects.num_objects
    assert images.shape == (frames, phyre.SCENE_HEIGHT, phyre.SCENE_WIDTH)
    assert phyre.observations_to_float_rgb(images[-1]).shape == (256, 256, 3)
    assert objects.num_user_inputs == 1 and objects.num_scene_objects == count - 1
    assert objects.features.shape == (frames, count, 14) and objects.states.shape == (frames, count, 3)
    assert objects.xs.shape == objects.ys.shape == objects.angles.shape == (frames, count)
    assert objects.diameters.shape == (count,)
    assert objects.shapes_one_hot.shape == (count, 4) and objects.colors_one_hot.shape == (count, 6)
    assert (objects.shapes[-1], objects.colors[-1]) == ("BALL", "RED")
    assert "GREEN" in objects.colors and all(isinstance(name, str) for name in objects.shapes + objects.colors)
    drawn = phyre.featurized_objects_vector_to_raster(objects.features[0])
    assert (drawn == images[0]).mean() > 0.999


def test_an_impossible_action_has_nothing_to_show(simulator: phyre.ActionSimulator) -> None:
    seen = simulator.simulate_action(0, [0.0, 0.0, 1.0], need_images=True, need_featurized_objects=True)
    assert seen.status == phyre.SimulationStatus.INVALID_INPUT and seen.status.is_invalid()
    assert seen.images is None and seen.featurized_objects is None


def test_a_random_agent_is_scored(simulator: phyre.ActionSimulator) -> None:
    tasks = simulator.task_ids[:2]
    evaluator = phyre.Evaluator(tasks)
    for task_index in range(len(tasks)):
        while evaluator.get_attempts_for_task(task_index) < ATTEMPTS:
            status = simulator.simulate_action(task_index, simulator.sample(), need_images=False).status
            assert evaluator.maybe_log_attempt(task_index, status) is not status.is_invalid()
    assert len(evaluator) == ATTEMPTS * len(tasks)
    assert 0.0 <= evaluator.get_aucess() == evaluator.get_auccess(phyre.MAX_TEST_ATTEMPTS) <= 1.0


def test_a_memorizing_agent_learns_from_the_cache(
    simulator: phyre.ActionSimulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    writer = phyre.SimulationCache(Path("out/phyre_cache/ball"), phyre.ACTION_TIERS["ball"])
    writer.get_sample(simulator.task_ids, 40)  # what `comphy phyre simulate` does

    cache = phyre.get_default_100k_cache("ball")
    assert cache.action_array.shape == (len(cache), 3) == (40, 3)
    task_index = 1
    statuses = cache.load_simulation_states(simulator.task_ids[task_index])
    valid = np.flatnonzero(statuses != phyre.simulation_cache.INVALID)
    again = simulator.simulate_action(task_index, cache.action_array[valid[0]], need_images=False).status
    assert again == statuses[valid[0]]

    train, test = simulator.task_ids[:3], simulator.task_ids[3:]
    known = cache.get_sample(train, None)["simulation_statuses"]
    assert known.shape == (3, 40)
    solved, failed = (known > 0).sum(axis=0), (known < 0).sum(axis=0)
    ranked = (solved / (solved + failed + 1)).argsort()[::-1]
    evaluator = phyre.Evaluator(test)
    for index, task_id in enumerate(test):
        outcomes = cache.load_simulation_states(task_id)
        for action in ranked:
            if evaluator.get_attempts_for_task(index) < ATTEMPTS:
                evaluator.maybe_log_attempt(index, phyre.SimulationStatus(outcomes[action]))
    assert evaluator.attempts_per_task_index == (ATTEMPTS,)
    metrics = evaluator.compute_all_metrics()
    assert metrics["independent_solved_by_aucs"][phyre.MAX_TEST_ATTEMPTS] == evaluator.get_auccess()
