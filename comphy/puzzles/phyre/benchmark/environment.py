"""PHYRE as a Gymnasium environment: an episode is a task, a step is an attempt.

Importing this module registers it for `gymnasium.make` and `gymnasium.make_vec`:

    gymnasium.make("comphy.puzzles.phyre.benchmark.environment:comphy/PHYRE-v0", task_ids=ids, action_tier="ball")
"""

from collections.abc import Sequence
from typing import Any, Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from comphy.errors import MissingDependency
from comphy.puzzles.phyre.benchmark.api import initialize_simulator
from comphy.puzzles.phyre.benchmark.auccess import MAX_TEST_ATTEMPTS
from comphy.puzzles.phyre.world.constants import SCENE_PIXELS
from comphy.puzzles.phyre.world.observations.features import OBJECT_FEATURE_SIZE
from comphy.puzzles.phyre.world.observations.observation import NUM_COLORS, Image, to_rgb
from comphy.puzzles.phyre.world.simulator import ActionSimulator

try:
    import gymnasium
    from gymnasium.spaces import Box, Dict
except ImportError as error:
    raise MissingDependency("The PHYRE environment needs Gymnasium: pip install 'comphy[puzzles]'") from error

ENVIRONMENT_ID: Final = "comphy/PHYRE-v0"
STEPS_PER_ATTEMPT: Final = 10  # truncates episodes of invalid actions, which do not count as attempts
FEATURE_BOUND: Final = 4.0  # bars reach beyond the scene, but not as far as this


class Observation(TypedDict):
    """The initial scene: colour codes [256, 256], row 0 at the bottom; object features [N, 14], padded with zero rows."""

    image: Image
    objects: NDArray[np.float32]


class PuzzleEnvironment(gymnasium.Env[Observation, NDArray[np.float32]]):
    """Attempts on a simulator's tasks. The reward is 1 for the attempt that solves the task, else 0.

    An episode terminates when its task is solved or no attempts are left. Invalid actions are not attempts; an episode is
    truncated after ten times as many steps as attempts. `reset` samples a task, or takes `options={"task_index": 3}`. The
    info dictionary holds the task id, its goal in words and the attempts left, after a step also the status.

    Raises `ValueError` for no tasks, fewer than one attempt, a task_index out of range, or a step outside an episode.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012 - declared by the base class

    def __init__(
        self, simulator: ActionSimulator, attempts: int = MAX_TEST_ATTEMPTS, render_mode: str | None = None
    ) -> None:
        if not simulator.task_ids or attempts < 1:
            raise ValueError(
                f"Expected at least one task and one attempt (got {len(simulator.task_ids)} and {attempts})."
            )
        self.simulator, self.attempts, self.render_mode = simulator, attempts, render_mode
        self._goals = simulator.goals
        self._objects = _padded([found.features[0] for found in simulator.initial_featurized_objects])
        self.observation_space = Dict(  # type: ignore[assignment]
            {
                "image": Box(0, NUM_COLORS - 1, (SCENE_PIXELS, SCENE_PIXELS), np.uint8),
                "objects": Box(-FEATURE_BOUND, FEATURE_BOUND, self._objects.shape[1:], np.float32),
            }
        )
        self.action_space = Box(0.0, 1.0, (simulator.action_space_dim,), np.float32)
        self._task: int | None = None  # of the current or last episode
        self._over = True
        self._attempts_left = self._steps_left = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        chosen = (options or {}).get("task_index")
        tasks = len(self.simulator.task_ids)
        if chosen is not None and not 0 <= chosen < tasks:
            raise ValueError(f"Expected a task_index from 0 to {tasks - 1} (got {chosen}).")
        self._task = int(self.np_random.integers(tasks) if chosen is None else chosen)
        self._image = self.simulator.initial_scene(self._task)
        self._attempts_left, self._steps_left = self.attempts, STEPS_PER_ATTEMPT * self.attempts
        self._over = False
        return self._observed(self._task), self._told(self._task)

    def step(self, action: NDArray[np.float32]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._task is None or self._over:
            raise ValueError(
                "Expected a step within an episode (got one before its start or after its end). Call reset."
            )
        status = self.simulator.simulate_action(self._task, action, need_images=False).status
        self._steps_left -= 1
        self._attempts_left -= not status.is_invalid()
        terminated = status.is_solved() or not self._attempts_left
        truncated = not terminated and not self._steps_left
        self._over = terminated or truncated
        told = self._told(self._task) | {"status": status}
        return self._observed(self._task), float(status.is_solved()), terminated, truncated, told

    def render(self) -> Image | None:
        """The initial scene as RGB [256, 256, 3]; None without a render mode or before the first reset."""
        return None if self.render_mode is None or self._task is None else to_rgb(self._image)

    def close(self) -> None:
        self.simulator.close()

    def _observed(self, task: int) -> Observation:
        return Observation(image=self._image.copy(), objects=self._objects[task].copy())

    def _told(self, task: int) -> dict[str, Any]:
        return {
            "task_id": self.simulator.task_ids[task],
            "goal": self._goals[task],
            "attempts_left": self._attempts_left,
        }


def make_environment(
    task_ids: Sequence[str], action_tier: str, attempts: int = MAX_TEST_ATTEMPTS, render_mode: str | None = None
) -> PuzzleEnvironment:
    """Create an environment from task ids; the entry point of `gymnasium.make`."""
    return PuzzleEnvironment(initialize_simulator(task_ids, action_tier), attempts, render_mode)


def _padded(features: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Features of all tasks [tasks, N, 14], zero-padded to the largest number of objects N."""
    most = max(len(one) for one in features)
    table = np.zeros((len(features), most, OBJECT_FEATURE_SIZE), dtype=np.float32)
    for row, one in zip(table, features, strict=True):
        row[: len(one)] = one
    return table


gymnasium.register(ENVIRONMENT_ID, entry_point=f"{__name__}:{make_environment.__name__}")
