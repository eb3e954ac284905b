"""The Gymnasium environment of Phy-Q: Gymnasium's own check, rewards, episodes, the same again for the same seed."""

import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from comphy.errors import ConfigError
from comphy.puzzles.phyq.benchmark.actions import ACTIONS, ReleaseActions, action_of
from comphy.puzzles.phyq.benchmark.environment import ShootingEnvironment, make_environment
from comphy.puzzles.phyq.benchmark.observing.observations import OBSERVATIONS
from comphy.puzzles.phyq.benchmark.rewards import REWARDS, ShotResult
from comphy.puzzles.phyq.tasks.task import find_task
from comphy.puzzles.phyq.world.catalog import BIRDS, PIG_POINTS, Bird
from comphy.puzzles.phyq.world.launch import Shot

pytestmark = pytest.mark.bullet

NAME = "comphy.puzzles.phyq.benchmark.environment:comphy/Phy-Q-v0"
EASY, POWER = "1.1:001", "15.7:001"  # a red bird, and a white one
BACKWARDS = 0  # straight down
CHOICES = [(name, noise) for name, kind in OBSERVATIONS.items() for noise in (False, True)[: 1 + kind.can_be_noisy]]


@pytest.fixture
def environment() -> Iterator[ShootingEnvironment]:
    made = make_environment([EASY, POWER], "continuous", render_mode="rgb_array")
    yield made
    made.close()


@pytest.mark.parametrize("actions", ACTIONS)
@pytest.mark.parametrize(("observation", "noise"), CHOICES)
def test_gymnasium_accepts_it(observation: str, noise: bool, actions: str) -> None:
    made = gymnasium.make(
        NAME, task_ids=[EASY, POWER], actions=actions, observation=observation, noise=noise, render_mode="rgb_array"
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="(?!.*different from the unwrapped version)")
        check_env(made.unwrapped)
    made.close()


def outcomes(observation: str, seed: int) -> list[Any]:
    """All that is seen, got and told in two episodes."""
    made = make_environment([EASY, POWER], "discrete", observation)
    found: list[Any] = []
    for task_id in (EASY, POWER):
        found.append(made.reset(seed=seed, options={"task_id": task_id}))
        found.append(made.step(100))
    made.close()
    return found


@pytest.mark.parametrize("observation", ["symbolic", "image", "planes"])
def test_the_seed_decides_the_noise_bit_by_bit(observation: str) -> None:
    np.testing.assert_equal(outcomes(observation, 1), outcomes(observation, 1))
    with pytest.raises(AssertionError):
        np.testing.assert_equal(outcomes(observation, 1), outcomes(observation, 2))


@pytest.mark.slow
def test_processes_see_what_one_process_sees() -> None:
    many = gymnasium.make_vec(NAME, num_envs=2, vectorization_mode="async", task_ids=[EASY, POWER])
    first, told = many.reset(seed=3)  # and 4 in the second
    second, rewards, ends, *_ = many.step(np.array([100, 120]))
    many.close()
    for number, (seed, action) in enumerate(((3, 100), (4, 120))):
        alone = make_environment([EASY, POWER])
        observation, info = alone.reset(seed=seed)
        assert info["task_id"] == told["task_id"][number]
        np.testing.assert_equal({key: value[number] for key, value in first.items()}, observation)
        observation, reward, end, *_ = alone.step(action)
        np.testing.assert_equal({key: value[number] for key, value in second.items()}, observation)
        assert (reward, end) == (rewards[number], ends[number])
        alone.close()


@pytest.mark.parametrize("task_id", [EASY, POWER])
def test_the_certified_solution_is_rewarded_and_ends_the_episode(
    environment: ShootingEnvironment, task_id: str
) -> None:
    environment.reset(options={"task_id": task_id})
    steps = [environment.step(action_of(shot)) for shot in find_task(task_id).solution]
    *_, (_, reward, terminated, truncated, info) = steps
    assert (reward, terminated, truncated, info["status"], info["pigs_left"]) == (1.0, True, False, "won", 0)
    assert info["score"] >= PIG_POINTS and info["scenario"] == int(task_id.split(".")[0])
    with pytest.raises(ValueError, match="Call reset"):
        environment.step(action_of(Shot.at(0.0)))


def test_a_task_without_birds_left_is_lost() -> None:
    made = make_environment([EASY], reward="num_pigs_normalised")
    made.reset(seed=0)
    birds = len(find_task(EASY).level.birds)
    rows = [made.step(BACKWARDS)[1:3] for _ in range(birds)]
    assert rows == [(-1.0 / birds, False)] * (birds - 1) + [(-1.0 / birds, True)]
    made.close()


def test_rewards_are_the_published_ones() -> None:
    half = ShotResult(killed=1, pigs=2, birds=4, points=5300, won=False)
    won = ShotResult(killed=1, pigs=2, birds=4, points=25000, won=True)
    assert {name: (reward(half), reward(won)) for name, reward in REWARDS.items()} == {
        "passing": (0.0, 1.0),
        "num_pigs": (1.0, 1.0),
        "num_pigs_normalised": (0.25, 1.0),
        "score": (5300.0, 25000.0),
    }


def test_actions_are_shots() -> None:
    rng = np.random.default_rng(0)
    degrees, releases = ACTIONS["discrete"](), ReleaseActions()
    assert [round(degrees.shot(n, Bird.RED, rng).degrees, 6) for n in (0, 90, 179)] == [-90.0, 0.0, 89.0]
    taps = {bird: degrees.shot(135, bird, rng).tap for bird in BIRDS}
    assert {bird for bird, tap in taps.items() if tap} == {Bird.YELLOW, Bird.WHITE, Bird.BLUE}
    shot = Shot.at(33.0, 0.8, 1.25, 4.5)
    again = releases.shot(action_of(shot), Bird.RED, rng)
    assert [again.dx, again.dy, again.tap, again.watch] == pytest.approx([shot.dx, shot.dy, 1.25, 4.5], abs=1e-5)
    waits = releases.shot(action_of(Shot.at(33.0)), Bird.RED, rng)
    assert (waits.tap, waits.watch) == (None, None)


@pytest.mark.parametrize("action", [(0.5, 0.5, 0.0), (0.5, 0.5, 0.0, 1.1), (0.5, np.nan, 0.0, 1.0), "left", None])
def test_wrong_releases_are_explained(environment: ShootingEnvironment, action: object) -> None:
    environment.reset(options={"task_id": EASY})
    with pytest.raises(ValueError, match="four numbers from 0 to 1"):
        environment.step(action)
    assert environment.step(action_of(Shot.at(0.0)))[4]["birds_left"] == len(find_task(EASY).level.birds) - 1


@pytest.mark.parametrize("action", [-1, 180, 1.5, np.nan, "30", True, None, [3]])
def test_wrong_degrees_are_explained(action: object) -> None:
    made = make_environment([EASY])
    made.reset()
    with pytest.raises(ValueError, match="whole number from 0 to 179"):
        made.step(action)
    made.close()


def test_mistakes_are_explained(environment: ShootingEnvironment) -> None:
    with pytest.raises(ValueError, match="Call reset"):
        environment.step(action_of(Shot.at(0.0)))
    with pytest.raises(ConfigError, match=r"one of this environment's 2 tasks, 1.1:001 to 15.7:001 \(got '1.1:002'\)"):
        environment.reset(options={"task_id": "1.1:002"})
    with pytest.raises(ConfigError, match="did you mean 'planes'"):
        make_environment([EASY], observation="plane")
    with pytest.raises(ConfigError, match="did you mean 'passing'"):
        make_environment([EASY], reward="pasing")
    with pytest.raises(ConfigError, match="did you mean 'discrete'"):
        make_environment([EASY], actions="discreet")
    with pytest.raises(ConfigError, match="noise=False with the observation 'truth'"):
        make_environment([EASY], observation="truth")
    with pytest.raises(ConfigError, match="id of a task"):
        make_environment(["1.1:999"])
    with pytest.raises(ConfigError, match="at least one task"):
        make_environment([])


def test_without_gymnasium_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import comphy.puzzles.phyq.benchmark.environment"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "MissingDependency" in done.stderr and "pip install 'comphy[puzzles]'" in done.stderr
