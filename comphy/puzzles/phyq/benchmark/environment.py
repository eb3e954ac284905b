"""Phy-Q as a Gymnasium environment: an episode is a task, a step is a shot.

Importing this module registers it for `gymnasium.make` and `gymnasium.make_vec`:

    gymnasium.make("comphy.puzzles.phyq.benchmark.environment:comphy/Phy-Q-v0", observation="planes")
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from comphy.errors import ConfigError, MissingDependency
from comphy.puzzles.phyq.benchmark.actions import make_actions
from comphy.puzzles.phyq.benchmark.observing.observations import make_observation
from comphy.puzzles.phyq.benchmark.observing.observed_game import ObservedGame
from comphy.puzzles.phyq.benchmark.observing.scene import scene_of, screenshot, waiting_birds
from comphy.puzzles.phyq.benchmark.rewards import ShotResult, find_reward
from comphy.puzzles.phyq.tasks.task import Task, find_task, load_tasks
from comphy.puzzles.phyq.world.game import Status
from comphy.sim.bullet import Engine

try:
    import gymnasium
except ImportError as error:
    raise MissingDependency("The Phy-Q environment needs Gymnasium: pip install 'comphy[puzzles]'") from error

ENVIRONMENT_ID: Final = "comphy/Phy-Q-v0"


class ShootingEnvironment(gymnasium.Env[Any, Any]):
    """Tasks to be solved shot by shot.

    An episode is a task and terminates when no pig or no bird is left. What happens and what is seen depends on the
    seed and the actions alone, bit by bit.

    Args:
        tasks: those that `reset` samples from.
        actions: discrete for a degree, continuous for release point, tap and time.
        observation: symbolic, image, planes or truth.
        noise: whether observations have the published noise; truth has none.
        reward: passing, num_pigs, num_pigs_normalised or score.
        render_mode: rgb_array, or None.

    Raises:
        ConfigError: for no tasks, an unknown name, or noise with truth."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012 - declared by the base class

    def __init__(
        self,
        tasks: Sequence[Task],
        actions: str = "discrete",
        observation: str = "symbolic",
        noise: bool = True,
        reward: str = "passing",
        render_mode: str | None = None,
    ) -> None:
        if not tasks:
            raise ConfigError("Expected at least one task (got none).")
        self.tasks = {task.id: task for task in tasks}
        self.render_mode = render_mode
        self._actions, self._reward = make_actions(actions), find_reward(reward)
        self._observation, self._noise = make_observation(observation, noise), noise
        self.action_space, self.observation_space = self._actions.space, self._observation.space
        self._engine = Engine()
        self._game: ObservedGame | None = None
        self._task = tasks[0]  # of the current or last episode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: of the samples and the noise that follow; None goes on with the last one.
            options: `{"task_id": "4.4:001"}` plays this task instead of a random one.

        Returns:
            The observation, and the info dictionary: task id, scenario, status, pigs and birds left, and score.

        Raises:
            ConfigError: for a task that the environment does not have."""
        super().reset(seed=seed)
        ids = list(self.tasks)
        chosen = (options or {}).get("task_id", None)
        if chosen is not None and chosen not in self.tasks:
            raise ConfigError(
                f"Expected one of this environment's {len(ids)} tasks, {ids[0]} to {ids[-1]} (got '{chosen}')."
            )
        self._task = self.tasks[ids[self.np_random.integers(len(ids))] if chosen is None else chosen]
        self._game = ObservedGame(self._task.level, self._engine)
        return self._seen(self._game), self._told(self._game)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Shoot the next bird and simulate what it does.

        Args:
            action: of the action space.

        Returns:
            Observation, reward, whether the episode has terminated, whether it was truncated (never), and the info
            dictionary of `reset`.

        Raises:
            ValueError: for an action outside the space, or a step outside an episode."""
        game = self._game
        if game is None or game.status is not Status.PLAYING:
            raise ValueError(
                "Expected a step within an episode (got one before its start or after its end). Call reset."
            )
        pigs, points = game.pigs_left, game.score
        game.shoot(self._actions.shot(action, waiting_birds(game)[0], self.np_random))
        result = ShotResult(
            killed=pigs - game.pigs_left,
            pigs=sum(1 for _ in game.level.pigs),
            birds=len(game.level.birds),
            points=game.score - points,
            won=game.status is Status.WON,
        )
        terminated = game.status is not Status.PLAYING
        return self._seen(game), self._reward(result), terminated, False, self._told(game)

    def render(self) -> NDArray[np.uint8] | None:
        """The screen without noise [480, 640, 3], 8-bit RGB; None without a render mode or before the first reset."""
        return None if self.render_mode is None or self._game is None else screenshot(scene_of(self._game))

    def close(self) -> None:
        """Close the engine."""
        self._engine.close()

    def _seen(self, game: ObservedGame) -> Any:
        return self._observation.of(game, self.np_random if self._noise else None)

    def _told(self, game: ObservedGame) -> dict[str, Any]:
        return {
            "task_id": self._task.id,
            "scenario": self._task.template.scenario,
            "status": str(game.status),
            "pigs_left": game.pigs_left,
            "birds_left": game.birds_left,
            "score": game.score,
        }


def make_environment(
    task_ids: Sequence[str] | None = None,
    actions: str = "discrete",
    observation: str = "symbolic",
    noise: bool = True,
    reward: str = "passing",
    render_mode: str | None = None,
) -> ShootingEnvironment:
    """Create an environment; the entry point of `gymnasium.make`.

    Args:
        task_ids: such as `4.4:001`; by default all tasks.
        actions: discrete or continuous.
        observation: symbolic, image, planes or truth.
        noise: whether observations have the published noise.
        reward: passing, num_pigs, num_pigs_normalised or score.
        render_mode: rgb_array, or None.

    Returns:
        The environment.

    Raises:
        ConfigError: for an unknown task or name, or noise with truth."""
    tasks = list(load_tasks().values()) if task_ids is None else [find_task(one) for one in task_ids]
    return ShootingEnvironment(tasks, actions, observation, noise, reward, render_mode)


gymnasium.register(ENVIRONMENT_ID, entry_point=f"{__name__}:{make_environment.__name__}")
