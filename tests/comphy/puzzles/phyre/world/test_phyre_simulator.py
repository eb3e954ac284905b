"""The simulator as PHYRE users know it: statuses, recordings, stability, no action, the same result anywhere."""

import hashlib
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from comphy.puzzles.phyre.world.constants import Color
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from comphy.puzzles.phyre.world.simulator import COARSE_STRIDE, ActionSimulator
from tests.support.two_templates import reach_the_wall, two_balls_meet

pytestmark = pytest.mark.bullet

TASKS = {
    "00000:000": two_balls_meet(d1=0.12, d2=0.12, x1=0.45, x2=0.6, bottom=0.2),
    "00001:000": reach_the_wall(),
    "00000:001": two_balls_meet(),
}


@pytest.fixture(scope="module")
def simulator() -> Iterator[ActionSimulator]:
    with ActionSimulator(TASKS, BALL) as simulator:
        yield simulator


@pytest.fixture(scope="module")
def actions(simulator: ActionSimulator) -> np.ndarray:
    return simulator.build_discrete_action_space(120)


@pytest.fixture(scope="module")
def statuses(simulator: ActionSimulator, actions: np.ndarray) -> np.ndarray:
    return simulator.statuses(0, actions)


def test_tasks_are_described(simulator: ActionSimulator) -> None:
    assert simulator.task_ids == tuple(TASKS)
    assert simulator.action_space_dim == 3
    assert simulator.goals[1] == "Make sure the green ball is touching the purple bar."
    assert simulator.initial_scenes.shape == (3, 256, 256)
    assert simulator.initial_scenes.dtype == np.uint8
    assert set(np.unique(simulator.initial_scenes[1])) == {0, Color.GREEN, Color.PURPLE, Color.BLACK}
    assert [features.num_objects for features in simulator.initial_featurized_objects] == [2, 5, 2]


def test_actions_are_reproducible(simulator: ActionSimulator, actions: np.ndarray) -> None:
    np.testing.assert_array_equal(actions, simulator.build_discrete_action_space(120))
    assert not np.array_equal(actions, simulator.build_discrete_action_space(120, seed=2))


def test_a_sample_is_drawn_anew_or_by_the_given_generator(simulator: ActionSimulator) -> None:
    assert simulator.sample().shape == (3,) and not np.array_equal(simulator.sample(), simulator.sample())
    for rng in (np.random.default_rng, np.random.RandomState):
        np.testing.assert_array_equal(simulator.sample(rng=rng(4)), simulator.sample(rng=rng(4)))
    anywhere, rng = simulator.sample(valid_only=False, rng=np.random.default_rng(0)), np.random.default_rng(0)
    np.testing.assert_array_equal(anywhere, rng.random(3))
    samples = [simulator.sample(False, rng) for _ in range(100)]
    assert 0 < BALL.in_space(samples).sum() < 100, "some reach out of the scene"
    with pytest.raises(TypeError, match=r"valid_only=True or False .*sample\(rng="):
        simulator.sample(np.random.default_rng(0))  # type: ignore[arg-type]


def test_the_older_form_gives_a_pair(simulator: ActionSimulator) -> None:
    seen = simulator.simulate_action(1, (0.2, 0.85, 0.3), stride=300)
    status, images = simulator.simulate_single(1, (0.2, 0.85, 0.3), stride=300)
    assert status is seen.status and images is not None and seen.images is not None
    np.testing.assert_array_equal(images, seen.images)
    assert simulator.simulate_single(1, (0.2, 0.85, 0.3), need_images=False) == (status, None)
    assert simulator.simulate_single(1, (2.0, 0.5, 0.5)) == (SimulationStatus.INVALID_INPUT, None)


def test_all_kinds_of_statuses_occur_and_one_by_one_they_are_the_same(
    simulator: ActionSimulator, actions: np.ndarray, statuses: np.ndarray
) -> None:
    assert set(statuses) == {-1, 0, 1}
    for k in [*np.flatnonzero(statuses == 1)[:4], *np.flatnonzero(statuses == 0)[:2], *range(6)]:
        seen = simulator.simulate_action(0, actions[k], need_images=True, stride=300)
        assert seen.status == statuses[k]
        assert simulator.simulate_action(0, actions[k], need_images=False).status == statuses[k]
        assert (seen.images is None) == seen.status.is_invalid()


def test_an_invalid_action_is_not_simulated(simulator: ActionSimulator) -> None:
    for action in ((0.5, 0.5, 1.5), (0.001, 0.5, 1.0), (0.45, 0.26, 0.3)):
        seen = simulator.simulate_action(0, action, need_featurized_objects=True, need_states=True, need_contacts=True)
        assert seen.status is SimulationStatus.INVALID_INPUT
        assert (seen.images, seen.featurized_objects, seen.states, seen.contacts) == (None,) * 4


def test_without_an_action_the_scene_runs_by_itself(simulator: ActionSimulator) -> None:
    seen = simulator.simulate_action(0, None, need_featurized_objects=True)
    assert seen.status is SimulationStatus.NOT_SOLVED
    assert seen.images is not None and seen.featurized_objects is not None
    assert seen.images.shape == (17, 256, 256)
    assert seen.featurized_objects.features.shape == (17, 2, 14)
    assert seen.featurized_objects.num_user_inputs == 0
    assert (seen.featurized_objects.ys[-1] < 0.07).all(), "both lie on the floor"


@pytest.mark.slow
def test_frames_begin_after_the_first_step_and_strides_agree(simulator: ActionSimulator) -> None:
    action = (0.2, 0.85, 0.3)
    fine = simulator.simulate_action(1, action, need_states=True, need_featurized_objects=True, stride=1)
    coarse = simulator.simulate_action(1, action, need_states=True, need_featurized_objects=True, stride=60)
    assert fine.images is not None and coarse.images is not None and fine.states is not None
    np.testing.assert_array_equal(fine.images[::60], coarse.images)
    np.testing.assert_array_equal(fine.states[::60], coarse.states)
    user = fine.states[:, -1]
    assert user[0, :2] == pytest.approx((51, 216 - 9.8 * 6 / 60**2), abs=0.01)
    assert user[0, 4] == pytest.approx(-9.8 * 6 / 60)
    np.testing.assert_allclose(np.diff(user[:40, 1]) * 60, user[1:40, 4], atol=1e-6)


def test_a_run_ends_with_the_step_that_solves(
    simulator: ActionSimulator, actions: np.ndarray, statuses: np.ndarray
) -> None:
    solving = actions[np.flatnonzero(statuses == 1)[0]]
    seen = simulator.simulate_action(0, solving, need_states=True, need_contacts=True, stride=1)
    assert seen.status.is_solved() and seen.states is not None and seen.contacts is not None
    last = max(contact.last_step for contact in seen.contacts)
    assert len(seen.states) == last
    goal = [contact for contact in seen.contacts if contact.objects == (0, 1) and contact.last_step == last]
    assert goal and goal[-1].first_step == last - 179
    distance = np.hypot(*(seen.states[-180:, 0, :2] - seen.states[-180:, 1, :2]).T)
    assert (distance < 2 * 15.5 + 0.1).all()


@pytest.mark.slow
@pytest.mark.parametrize("task", [0, 1])
def test_a_coarse_simulation_is_of_the_run_that_a_full_recording_shows(
    simulator: ActionSimulator, actions: np.ndarray, task: int
) -> None:
    known = simulator.statuses(task, actions)
    assert set(known) == {-1, 0, 1}
    for action, status in zip(actions, known, strict=True):
        coarse = simulator.simulate_coarse(task, action)
        assert coarse.status == status
        if coarse.status.is_invalid():
            assert coarse.states is None
            continue
        whole = simulator.simulate_action(task, action, need_images=False, need_states=True, stride=1).states
        assert coarse.states is not None and whole is not None
        assert coarse.status.is_solved() or len(coarse.states) == len(whole) // COARSE_STRIDE
        after_blocks = whole[COARSE_STRIDE - 1 :: COARSE_STRIDE]
        np.testing.assert_array_equal(coarse.states[: len(after_blocks)], after_blocks)


def test_contacts_name_objects_and_steps(simulator: ActionSimulator) -> None:
    seen = simulator.simulate_action(1, None, need_images=False, need_contacts=True)
    assert seen.images is None and seen.contacts
    assert {contact.objects for contact in seen.contacts} == {(1, 4)}, "the ball meets the table only"
    assert seen.contacts[0].first_step == pytest.approx(60 * np.sqrt(2 * 20 / 6 / 9.8), abs=2)
    assert seen.contacts[-1].last_step == 1000


def test_stability_is_told_apart(simulator: ActionSimulator, actions: np.ndarray, statuses: np.ndarray) -> None:
    found = {
        simulator.simulate_action(0, actions[k], need_images=False, stable=True).status
        for k in np.flatnonzero(statuses == 1)[:8]
    }
    assert found <= {SimulationStatus.STABLY_SOLVED, SimulationStatus.UNSTABLY_SOLVED}
    assert all(status.is_solved() for status in found)
    failing = actions[np.flatnonzero(statuses == -1)[0]]
    assert simulator.simulate_action(0, failing, stable=True).status.is_not_solved()


def test_two_balls_are_placed() -> None:
    with ActionSimulator(TASKS, TWO_BALLS) as simulator:
        action = (0.2, 0.8, 0.3, 0.8, 0.6, 0.0)
        seen = simulator.simulate_action(1, action, need_featurized_objects=True, stride=500)
        assert seen.featurized_objects is not None
        assert seen.featurized_objects.num_user_inputs == 2
        np.testing.assert_allclose(seen.featurized_objects.diameters[-2:] * 256, [22, 4])
        assert simulator.statuses(1, [action])[0] == seen.status


def digest() -> str:
    with ActionSimulator(TASKS, BALL) as simulator:
        actions = simulator.build_discrete_action_space(12, seed=5)
        text = b"".join(simulator.statuses(k, actions).tobytes() for k in (2, 0, 1))
        for k in range(3):
            states = simulator.simulate_action(k, (0.2, 0.85, 0.3), need_states=True, need_images=False).states
            text += states.tobytes() if states is not None else b"invalid"
    return hashlib.sha256(text).hexdigest()


def test_another_process_gives_the_same_bits() -> None:
    code = f"import sys; sys.path[:] = {sys.path!r}; import test_phyre_simulator as t; print(t.digest())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == digest()
