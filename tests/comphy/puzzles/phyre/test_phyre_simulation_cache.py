"""The cache in memory: what was simulated, as far as every task was, and errors that say how to simulate more."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from comphy.errors import ConfigError, DatasetError
from comphy.puzzles.phyre.benchmark.cache import SimulationCache
from comphy.puzzles.phyre.benchmark.tasks import Task
from comphy.puzzles.phyre.simulation_cache import INVALID, NOT_SOLVED, SOLVED, LoadedCache, get_default_100k_cache
from comphy.puzzles.phyre.world.actions import BALL
from tests.support.few_tasks import install

pytestmark = pytest.mark.bullet


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    monkeypatch.chdir(tmp_path)
    return install(tmp_path / "tasks", monkeypatch)[:3]


@pytest.fixture
def stored(tasks: list[Task]) -> SimulationCache:
    """The first task was tried with 30 actions, the second with 12, the third with none."""
    cache = SimulationCache(Path("out/phyre_cache/ball"), BALL)
    for task, count in zip(tasks, (30, 12), strict=False):
        cache.statuses(task, count)
    return cache


@pytest.fixture
def loaded(stored: SimulationCache) -> LoadedCache:
    return get_default_100k_cache("ball")


def test_it_has_the_actions_that_every_task_was_tried_with(
    loaded: LoadedCache, stored: SimulationCache, tasks: list[Task]
) -> None:
    assert len(loaded) == 12 and loaded.task_ids == {task.id for task in tasks[:2]}
    np.testing.assert_array_equal(loaded.action_array, stored.actions(12))
    statuses = loaded.load_simulation_states(tasks[0].id)
    np.testing.assert_array_equal(statuses, stored.known(tasks[0])[:12])
    assert set(statuses) <= {SOLVED, NOT_SOLVED, INVALID}
    elsewhere = get_default_100k_cache("ball", stored.folder.absolute())
    assert elsewhere.task_ids == loaded.task_ids


def test_a_sample_is_of_some_tasks_and_actions_or_of_all(loaded: LoadedCache, tasks: list[Task]) -> None:
    some = loaded.get_sample([tasks[1].id], 5)
    assert some["task_ids"] == (tasks[1].id,) and some["actions"].shape == (5, 3)
    np.testing.assert_array_equal(some["simulation_statuses"], [loaded.load_simulation_states(tasks[1].id)[:5]])
    everything = loaded.get_sample()
    assert everything["task_ids"] == tuple(sorted(loaded.task_ids))
    assert everything["simulation_statuses"].shape == (2, 12)


def test_processes_can_share_it(loaded: LoadedCache) -> None:
    sent = pickle.loads(pickle.dumps(loaded))
    np.testing.assert_array_equal(sent.get_sample()["simulation_statuses"], loaded.get_sample()["simulation_statuses"])


def test_what_is_missing_is_named_with_the_command_that_makes_it(loaded: LoadedCache, tasks: list[Task]) -> None:
    command = "comphy phyre simulate --setup ball_within_template --actions"
    with pytest.raises(DatasetError, match=rf"2 simulated tasks \(got '00000:002'\)\. .*{command} 12"):
        loaded.load_simulation_states(tasks[2].id)
    with pytest.raises(ValueError, match=rf"up to 12 actions, as simulated \(got 13\)\. .*{command} 13"):
        loaded.get_sample(num_actions=13)
    with pytest.raises(DatasetError, match=r"out/phyre_cache/two_balls: .*\(found none\)\. .*--setup two_balls_within"):
        get_default_100k_cache("two_balls")
    with pytest.raises(ConfigError, match="did you mean 'ball'"):
        get_default_100k_cache("bal")
