"""Results on disk: the simulator's own, never made twice, resumed where they end, and made anew where they are damaged."""

import gzip
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from comphy.errors import DatasetError, MissingDependency
from comphy.puzzles.phyre.benchmark import cache as cache_module
from comphy.puzzles.phyre.benchmark.cache import MANIFEST, SimulationCache
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from tests.support.few_tasks import first_tasks, install
from tests.support.leftovers import half_written

pytestmark = pytest.mark.bullet

TASK, OTHER = first_tasks("00000", 2)
COUNT = 40


@pytest.fixture
def expected() -> np.ndarray:
    with ActionSimulator({TASK.id: TASK.scene()}, BALL) as simulator:
        return simulator.statuses(0, SimulationCache(Path("unused"), BALL).actions(COUNT))


@pytest.fixture
def cache(tmp_path: Path) -> SimulationCache:
    return SimulationCache(tmp_path / "cache", BALL)


def no_engine(*_: object) -> None:
    raise MissingDependency("simulated again")


def test_results_are_the_simulators_and_are_kept(
    cache: SimulationCache, expected: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(cache.known(TASK)) == 0 and not cache.folder.exists()
    np.testing.assert_array_equal(cache.statuses(TASK, COUNT), expected)
    assert set(expected) == {-1, 0, 1}
    monkeypatch.setattr(cache_module, "ActionSimulator", no_engine)
    again = SimulationCache(cache.folder, BALL)
    np.testing.assert_array_equal(again.statuses(TASK, COUNT), expected)
    np.testing.assert_array_equal(again.statuses(TASK, 7), expected[:7])
    np.testing.assert_array_equal(again.known(TASK), expected)
    with pytest.raises(MissingDependency, match="simulated again"):
        again.statuses(OTHER, 7)


def test_what_a_killed_simulation_left_is_cleared(cache: SimulationCache) -> None:
    left = half_written(cache._file(TASK)), half_written(cache.folder / MANIFEST)
    cache.statuses(TASK, 2)
    assert not any(path.exists() for path in left)


def test_a_longer_list_begins_with_the_shorter_one(cache: SimulationCache, expected: np.ndarray) -> None:
    np.testing.assert_array_equal(cache.actions(3000)[:COUNT], cache.actions(COUNT))
    cache.statuses(TASK, 10)
    assert len(cache.known(TASK)) == 10
    np.testing.assert_array_equal(cache.statuses(TASK, COUNT), expected)


def test_a_killed_process_is_resumed(
    cache: SimulationCache, expected: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every block is on disk before the next one begins."""
    monkeypatch.setattr(cache_module, "ACTIONS_PER_WRITE", 15)
    real, calls = ActionSimulator.statuses, []

    def killed_in_the_third_block(self: ActionSimulator, task_index: int, actions: np.ndarray) -> np.ndarray:
        calls.append(len(actions))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(self, task_index, actions)

    monkeypatch.setattr(ActionSimulator, "statuses", killed_in_the_third_block)
    with pytest.raises(KeyboardInterrupt):
        cache.statuses(TASK, COUNT)
    np.testing.assert_array_equal(cache.known(TASK), expected[:30])
    np.testing.assert_array_equal(cache.statuses(TASK, COUNT), expected)
    assert calls == [15, 15, 10, 10]


def test_a_damaged_file_is_made_anew(cache: SimulationCache, expected: np.ndarray) -> None:
    cache.statuses(TASK, COUNT)
    [file] = cache.folder.glob("00000/*.statuses")
    whole = file.read_bytes()
    head = whole[: whole.index(b"\n") + 1]
    flipped = bytearray(whole)
    flipped[-12] ^= 0xFF
    of_another_task = whole.replace(b"00000:000", b"00000:001")
    not_statuses = head + gzip.compress(b"status")
    for damaged in (b"", b"something else", whole[:-9], head, bytes(flipped), of_another_task, not_statuses):
        file.write_bytes(damaged)
        assert len(cache.known(TASK)) == 0
    np.testing.assert_array_equal(cache.statuses(TASK, COUNT), expected)
    assert file.read_bytes() == whole


def test_a_scene_that_changed_is_simulated_again(cache: SimulationCache) -> None:
    cache.statuses(TASK, 5)
    changed = replace(TASK, parameters=OTHER.parameters)
    assert len(cache.known(changed)) == 0


@pytest.mark.parametrize(("field", "value"), [("comphy", "0.0.1"), ("pybullet", "1.0"), ("first_actions", "0")])
def test_results_of_another_version_are_refused(cache: SimulationCache, field: str, value: str) -> None:
    cache.statuses(TASK, 1)
    file = cache.folder / "cache.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {field: value}))
    with pytest.raises(
        DatasetError, match=rf"cache\.json: expected results of .*got .*{field} {value}.*another folder"
    ):
        SimulationCache(cache.folder, BALL)


def test_a_folder_of_another_kind_is_refused(cache: SimulationCache) -> None:
    cache.statuses(TASK, 1)
    with pytest.raises(DatasetError, match=r"tier two_balls.*got .*tier ball"):
        SimulationCache(cache.folder, TWO_BALLS)
    with pytest.raises(DatasetError, match=r"action_seed 7.*got .*action_seed 42"):
        SimulationCache(cache.folder, BALL, seed=7)
    (cache.folder / "cache.json").write_text("{")
    with pytest.raises(DatasetError, match="not valid JSON"):
        SimulationCache(cache.folder, BALL)


def test_results_can_be_read_without_the_engine(cache: SimulationCache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.statuses(TASK, 5)
    monkeypatch.setattr(cache_module, "engine_version", lambda: "not installed")
    assert len(SimulationCache(cache.folder, BALL).statuses(TASK, 5)) == 5


def test_a_sample_of_the_benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [task.id for task in install(tmp_path / "tasks", monkeypatch)][1:4]
    sample = SimulationCache(tmp_path / "cache", BALL).get_sample(ids, 6)
    assert sample["task_ids"] == tuple(ids)
    assert sample["actions"].shape == (6, 3)
    assert sample["simulation_statuses"].shape == (3, 6) and sample["simulation_statuses"].dtype == np.int8


def test_another_process_finds_and_adds_results(cache: SimulationCache, expected: np.ndarray) -> None:
    cache.statuses(TASK, 10)
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from pathlib import Path; "
        "from tests.support.few_tasks import first_tasks; from comphy.puzzles.phyre.world.actions import BALL; "
        "from comphy.puzzles.phyre.benchmark.cache import SimulationCache; "
        f"SimulationCache(Path({str(cache.folder)!r}), BALL).statuses(first_tasks('00000', 1)[0], {COUNT})"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    np.testing.assert_array_equal(cache.known(TASK), expected)
