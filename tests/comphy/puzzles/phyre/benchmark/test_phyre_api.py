"""The names of the published package, and bad input: a defined status or an error that says what to do."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from comphy.errors import ConfigError
from comphy.puzzles import phyre
from tests.support.few_tasks import install

pytestmark = pytest.mark.bullet


@pytest.fixture
def ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return [task.id for task in install(tmp_path, monkeypatch)]


@pytest.fixture
def simulator(ids: list[str]) -> Iterator[phyre.ActionSimulator]:
    with phyre.initialize_simulator(ids[:3], "ball") as simulator:
        yield simulator


PUBLISHED = """
    ACTION_TIERS MAIN_EVAL_SETUPS MAX_TEST_ATTEMPTS NUM_COLORS SCENE_HEIGHT SCENE_WIDTH ActionSimulator Evaluator
    FeaturizedObjects Simulation SimulationCache SimulationStatus eval_setup_to_action_tier
    featurized_objects_vector_to_raster get_default_100k_cache get_fold initialize_simulator list_eval_setups
    observations_to_float_rgb observations_to_uint8_rgb simulation_cache vis
"""


def test_every_published_name_is_there() -> None:
    assert set(PUBLISHED.split()) <= set(phyre.__all__)


def test_a_random_agent_is_written_as_ever(ids: list[str], simulator: phyre.ActionSimulator) -> None:
    evaluator = phyre.Evaluator(simulator.task_ids)
    actions = simulator.build_discrete_action_space(max_actions=60)
    for task_index in range(len(evaluator.task_ids)):
        for action in actions:
            if evaluator.get_attempts_for_task(task_index) == 20:
                break
            simulation = simulator.simulate_action(task_index, action, need_images=False)
            evaluator.maybe_log_attempt(task_index, simulation.status)
    assert evaluator.attempts_per_task_index == (20, 20, 20)
    assert 0.0 < evaluator.get_auccess() <= 1.0
    assert evaluator.compute_all_metrics()["independent_solved_by_aucs"][100] == evaluator.get_auccess()


def test_tasks_keep_their_order_and_any_tier_can_be_played(ids: list[str]) -> None:
    mixed = [ids[-1], ids[3], ids[0]]
    with phyre.initialize_simulator(mixed, "two_balls") as simulator:
        assert simulator.task_ids == tuple(mixed)
        assert simulator.action_space_dim == 6
        pictures = phyre.observations_to_uint8_rgb(simulator.initial_scenes)
        assert pictures.shape == (3, 256, 256, 3)
        np.testing.assert_array_equal(simulator.initial_scene(1), simulator.initial_scenes[1])


@pytest.mark.parametrize(
    "action",
    [
        (1.01, 0.5, 0.5),
        (0.5, -0.01, 0.5),
        (0.5, 0.5, 2.0),
        (float("nan"),) * 3,
        (0.5, float("inf"), 0.5),
        (0.0, 0.0, 1.0),
    ],
)
def test_an_impossible_action_is_invalid_input(simulator: phyre.ActionSimulator, action: tuple[float, ...]) -> None:
    assert simulator.simulate_action(0, action).status is phyre.SimulationStatus.INVALID_INPUT
    assert simulator.statuses(0, [action]).tolist() == [0]


@pytest.mark.filterwarnings("error")
def test_two_balls_at_no_place_are_invalid_input(ids: list[str]) -> None:
    with phyre.initialize_simulator(ids[:1], "two_balls") as simulator:
        for value in (float("inf"), float("nan")):
            assert simulator.statuses(0, [(value,) * 6]).tolist() == [0]


@pytest.mark.parametrize("action", [(0.5, 0.5), (0.5,) * 6, 0.5, ((0.5, 0.5, 0.5),)])
def test_an_action_of_another_dimension_is_refused(simulator: phyre.ActionSimulator, action: object) -> None:
    with pytest.raises(ValueError, match=r"Expected actions \[N, 3\] in tier ball"):
        simulator.simulate_action(0, action)  # type: ignore[arg-type]


@pytest.mark.parametrize("index", [3, -1])
def test_an_unknown_index_is_refused(simulator: phyre.ActionSimulator, index: int) -> None:
    with pytest.raises(ValueError, match="index from 0 to 2"):
        simulator.simulate_action(index, (0.5, 0.5, 0.1))
    with pytest.raises(ValueError, match="index from 0 to 2"):
        simulator.initial_scene(index)


def test_unknown_names_are_explained(ids: list[str]) -> None:
    with pytest.raises(ConfigError, match=r"action tier \(got 'bal'\); did you mean 'ball'"):
        phyre.initialize_simulator(ids, "bal")
    with pytest.raises(ConfigError, match="got '00000:777'"):
        phyre.initialize_simulator(["00000:777"], "ball")
    with pytest.raises(ConfigError, match="got 00000:001 more than once"):
        phyre.initialize_simulator([*ids, ids[1]], "ball")
    with pytest.raises(ConfigError, match="list of task ids"):
        phyre.initialize_simulator(ids[0], "ball")


def test_it_is_imported_without_engine_and_gymnasium() -> None:
    code = (
        "import sys; sys.modules['pybullet'] = sys.modules['gymnasium'] = None; import comphy.puzzles.phyre as phyre; "
        "assert all(hasattr(phyre, name) for name in phyre.__all__)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
