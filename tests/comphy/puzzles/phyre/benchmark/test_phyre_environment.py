"""The Gymnasium environment: Gymnasium's own check, rewards, how episodes end, and the same again for the same seed."""

import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from comphy.puzzles.phyre.benchmark.environment import FEATURE_BOUND, PuzzleEnvironment, make_environment
from comphy.puzzles.phyre.benchmark.tasks import Task
from comphy.puzzles.phyre.templates.template import all_templates, candidates
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from tests.support.few_tasks import first_tasks, install, solved_task

pytestmark = pytest.mark.bullet

FAILING, INVALID = np.array((0.02, 0.02, 0.0), np.float32), np.array((0.0, 0.0, 1.0), np.float32)


@pytest.fixture(scope="module")
def solved() -> Task:
    return solved_task()


@pytest.fixture
def environment(solved: Task) -> Iterator[PuzzleEnvironment]:
    """Of three tasks, that with a solution first; three attempts on each."""
    tasks = [solved, *first_tasks("00013", 2)]
    simulator = ActionSimulator({task.id: task.scene() for task in tasks}, BALL)
    made = PuzzleEnvironment(simulator, attempts=3, render_mode="rgb_array")
    yield made
    made.close()


def test_gymnasium_accepts_it(environment: PuzzleEnvironment) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(environment, skip_render_check=True)


def test_gymnasium_makes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [task.id for task in install(tmp_path, monkeypatch)]
    name = "comphy.puzzles.phyre.benchmark.environment:comphy/PHYRE-v0"
    made = gymnasium.make(name, task_ids=ids, action_tier="two_balls", render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="(?!.*different from the unwrapped version)")
        check_env(made.unwrapped)
    made.reset(seed=1)
    assert made.action_space.shape == (6,)
    assert made.step(made.action_space.sample())[1] in (0.0, 1.0)
    made.close()


def test_several_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [task.id for task in install(tmp_path, monkeypatch)]
    many = gymnasium.vector.SyncVectorEnv([lambda: make_environment(ids, "ball", attempts=2) for _ in range(2)])
    observation, info = many.reset(seed=3)
    assert observation["image"].shape == (2, 256, 256)
    assert set(info["task_id"]) <= set(ids)
    _, reward, *_ = many.step(np.stack([FAILING, INVALID]))
    assert reward.shape == (2,)
    many.close()


def test_the_observation_is_the_task(environment: PuzzleEnvironment, solved: Task) -> None:
    observation, info = environment.reset(options={"task_index": 0})
    np.testing.assert_array_equal(observation["image"], environment.simulator.initial_scenes[0])
    features = environment.simulator.initial_featurized_objects[0].features[0]
    np.testing.assert_array_equal(observation["objects"][: len(features)], features)
    assert len(features) < len(observation["objects"]) and not observation["objects"][len(features) :].any()
    assert info == {
        "task_id": solved.id,
        "goal": "Make sure the green ball is touching the blue ball.",
        "attempts_left": 3,
    }
    picture = environment.render()
    assert picture is not None and picture.shape == (256, 256, 3)


def test_the_solution_is_rewarded_and_ends_the_episode(environment: PuzzleEnvironment, solved: Task) -> None:
    environment.reset(options={"task_index": 0})
    _, reward, terminated, truncated, info = environment.step(FAILING)
    assert (reward, terminated, truncated, info["attempts_left"]) == (0.0, False, False, 2)
    _, reward, terminated, truncated, info = environment.step(solved.solving_action.astype(np.float32))
    assert (reward, terminated, truncated, info["attempts_left"]) == (1.0, True, False, 1)
    assert info["status"] is SimulationStatus.SOLVED
    with pytest.raises(ValueError, match="Call reset"):
        environment.step(FAILING)


def test_attempts_are_used_up_but_not_by_invalid_actions(environment: PuzzleEnvironment) -> None:
    environment.reset(options={"task_index": 0})
    ends = [environment.step(action)[2] for action in (FAILING, INVALID, FAILING, INVALID, FAILING)]
    assert ends == [False, False, False, False, True]


def test_nothing_but_invalid_actions_is_cut_off(environment: PuzzleEnvironment) -> None:
    environment.reset()
    steps = [environment.step(np.full(3, np.nan, np.float32)) for _ in range(30)]
    assert [step[3] for step in steps] == [False] * 29 + [True]
    assert not any(step[2] for step in steps) and steps[-1][4]["attempts_left"] == 3


def test_the_seed_decides_the_tasks(environment: PuzzleEnvironment) -> None:
    def drawn(seed: int) -> list[str]:
        first = environment.reset(seed=seed)[1]["task_id"]
        return [first, *(environment.reset()[1]["task_id"] for _ in range(11))]

    assert drawn(1) == drawn(1) != drawn(2)
    assert set(drawn(1)) == set(environment.simulator.task_ids)


def test_features_of_all_templates_are_in_the_space() -> None:
    scenes = {template.id: next(candidates(template)).scene for template in all_templates()}
    with ActionSimulator(scenes, BALL) as simulator:
        assert all(np.abs(found.features).max() < FEATURE_BOUND for found in simulator.initial_featurized_objects)


def test_mistakes_are_explained(environment: PuzzleEnvironment) -> None:
    with pytest.raises(ValueError, match="Call reset"):
        environment.step(FAILING)
    with pytest.raises(ValueError, match=r"task_index from 0 to 2 \(got 3\)"):
        environment.reset(options={"task_index": 3})
    environment.reset()
    with pytest.raises(ValueError, match=r"actions \[N, 3\] in tier ball"):
        environment.step(np.zeros(6, np.float32))
    with ActionSimulator({}, TWO_BALLS) as empty, pytest.raises(ValueError, match="at least one task"):
        PuzzleEnvironment(empty)


def test_without_gymnasium_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import comphy.puzzles.phyre.benchmark.environment"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "MissingDependency" in done.stderr and "pip install 'comphy[puzzles]'" in done.stderr
