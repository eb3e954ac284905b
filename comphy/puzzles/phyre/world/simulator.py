"""`ActionSimulator`: tasks and actions in, simulations and statuses out."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from comphy.puzzles.phyre.world.actions import Rng, Tier, occluded
from comphy.puzzles.phyre.world.constants import DEFAULT_STRIDE, Color
from comphy.puzzles.phyre.world.observations.features import FeaturizedObjects, featurize
from comphy.puzzles.phyre.world.observations.observation import Image, observation
from comphy.puzzles.phyre.world.recording import Recording, record
from comphy.puzzles.phyre.world.scene import Scene, SceneBody, posed
from comphy.puzzles.phyre.world.shapes import ball_of_radius
from comphy.puzzles.phyre.world.simulation import Simulation, SimulationStatus
from comphy.puzzles.phyre.world.task_world import Ball, TaskWorld
from comphy.sim.bullet import Engine
from comphy.sim.planar.sleep import BLOCK_STEPS
from comphy.sim.simulated_world import EngineUser

COARSE_STRIDE: Final = BLOCK_STEPS  # steps between the states of `simulate_coarse`
STABILITY_SHIFTS: Final = tuple(shift for shift in product((-0.5, 0.0, 0.5), repeat=2) if any(shift))  # pixels


class ActionSimulator(EngineUser):
    """Tries actions on tasks. Results depend on the task and the action alone, in any order and any process.

    One task's scene is in the engine at a time: going from task to task costs a few milliseconds, so try all actions of
    one before the next. An action [D] has three numbers from 0 to 1 for each ball of the tier: x, y and radius.

    Args:
        tasks: scenes by task id.
        tier: how many balls an action places.
        engine: an engine to use; by default the simulator opens one of its own, and closes it at the end."""

    def __init__(self, tasks: Mapping[str, Scene], tier: Tier, engine: Engine | None = None) -> None:
        super().__init__(engine)
        self.tier = tier
        self._ids = tuple(tasks)
        self._scenes = tuple(tasks.values())
        self._world: TaskWorld | None = None

    @property
    def task_ids(self) -> tuple[str, ...]:
        """Ids of the tasks, in the order of their indices."""
        return self._ids

    @property
    def action_space_dim(self) -> int:
        """D, how many numbers an action has: three for each ball."""
        return self.tier.dimensions

    @property
    def goals(self) -> tuple[str, ...]:
        """What each task asks for, in words."""
        return tuple(scene.goal_sentence for scene in self._scenes)

    @property
    def initial_scenes(self) -> Image:
        """Observations [tasks, 256, 256] before anything moves."""
        return np.stack([self.initial_scene(k) for k in range(len(self._scenes))])

    def initial_scene(self, task_index: int) -> Image:
        """Show one task before anything moves.

        Args:
            task_index: number of the task.

        Returns:
            The observation [256, 256] of colour codes, row 0 at the bottom."""
        return observation(self._scene(task_index).bodies)

    @property
    def initial_featurized_objects(self) -> tuple[FeaturizedObjects, ...]:
        """Features [1, N, 14] of each task before anything moves."""
        return tuple(featurize(scene.bodies, _poses(scene.bodies)) for scene in self._scenes)

    def sample(self, valid_only: bool = True, rng: Rng | None = None) -> NDArray[np.float64]:
        """Draw a random action.

        Args:
            valid_only: whether it must be allowed in an empty scene; otherwise any of the unit cube.
            rng: for a draw that can be repeated.

        Returns:
            The action [D]; a task's own bodies may still forbid it.

        Raises:
            TypeError: for anything but True and False in the place of `valid_only`."""
        if not isinstance(valid_only, bool):
            raise TypeError(
                f"Expected valid_only=True or False (got {valid_only!r}). Give a generator as sample(rng=...)."
            )
        rng = np.random.default_rng() if rng is None else rng
        return self.tier.sample(1, rng)[0] if valid_only else rng.random(self.tier.dimensions)

    def build_discrete_action_space(self, max_actions: int, seed: int = 1) -> NDArray[np.float64]:
        """Draw a list of actions to choose from.

        Args:
            max_actions: how many.
            seed: the same seed gives the same actions.

        Returns:
            Actions [max_actions, D] that are allowed in an empty scene."""
        return self.tier.sample(max_actions, np.random.default_rng(seed))

    def simulate_action(
        self,
        task_index: int,
        action: ArrayLike | None,
        *,
        need_images: bool = True,
        need_featurized_objects: bool = False,
        need_states: bool = False,
        need_contacts: bool = False,
        stride: int = DEFAULT_STRIDE,
        stable: bool = False,
    ) -> Simulation:
        """Try one action, and record what is asked for.

        Args:
            task_index: number of the task.
            action: [D], or None to see what happens without one.
            need_images: whether to draw frames.
            need_featurized_objects: whether to describe the objects in each frame.
            need_states: whether to keep positions, angles and velocities.
            need_contacts: whether to keep who touches whom.
            stride: steps between frames.
            stable: whether a solution is tried again at eight places half a pixel away.

        Returns:
            The status, and the recordings up to the step that solves the task.

        Raises:
            ValueError: for an unknown task, or an action of another shape."""
        world = self._at(task_index)
        placed = np.empty((0, 3)) if action is None else self._balls(world.scene, np.asarray(action))
        if placed is None:
            return Simulation(SimulationStatus.INVALID_INPUT)
        balls = [Ball(*ball) for ball in placed]
        if not (need_images or need_featurized_objects or need_states or need_contacts):
            return Simulation(self._status(world, balls, world.solves(balls), stable))
        seen = record(world, balls, stride, need_contacts)
        bodies = [*world.scene.bodies, *(user_body(ball) for ball in balls)]
        return Simulation(
            status=self._status(world, balls, seen.solved, stable),
            images=_images(bodies, seen) if need_images else None,
            featurized_objects=featurize(bodies, seen.states[..., :3]) if need_featurized_objects else None,
            states=seen.states if need_states else None,
            contacts=seen.contacts,
        )

    def simulate_single(
        self,
        task_index: int,
        action: ArrayLike,
        need_images: bool = True,
        stride: int = DEFAULT_STRIDE,
        stable: bool = False,
    ) -> tuple[SimulationStatus, Image | None]:
        """Try one action in the older form of `simulate_action`, for scripts that use it.

        Args:
            task_index: number of the task.
            action: [D].
            need_images: whether to draw frames.
            stride: steps between frames.
            stable: whether a solution is tried again at eight places half a pixel away.

        Returns:
            The status, and images [T, 256, 256] or None.

        Raises:
            ValueError: for an unknown task, or an action of another shape."""
        seen = self.simulate_action(task_index, action, need_images=need_images, stride=stride, stable=stable)
        return seen.status, seen.images

    def statuses(self, task_index: int, actions: ArrayLike) -> NDArray[np.int8]:
        """Try many actions on one task; the fastest way to do so.

        Args:
            task_index: number of the task.
            actions: [N, D].

        Returns:
            The value of the `SimulationStatus` of each, [N]; stability is not asked for.

        Raises:
            ValueError: for an unknown task, or actions of another shape."""
        world = self._at(task_index)
        result = np.full(len(np.asarray(actions)), SimulationStatus.INVALID_INPUT, dtype=np.int8)
        valid = np.flatnonzero(self.tier.valid(world.scene, actions))
        balls = self.tier.balls_of(np.asarray(actions)[valid])
        for k in np.lexsort(balls[..., 2].T[::-1]):  # equal radii one after the other: the engine keeps their balls
            solved = world.solves([Ball(*ball) for ball in balls[k]])
            result[valid[k]] = SimulationStatus.SOLVED if solved else SimulationStatus.NOT_SOLVED
        return result

    def simulate_coarse(self, task_index: int, action: ArrayLike) -> Simulation:
        """Try one action and record states every `COARSE_STRIDE` steps: the fastest way to learn how close it came.

        Args:
            task_index: number of the task.
            action: [D].

        Returns:
            The status and the states [T, N, 6].

        Raises:
            ValueError: for an unknown task, or an action of another shape."""
        world = self._at(task_index)
        placed = self._balls(world.scene, np.asarray(action))
        if placed is None:
            return Simulation(SimulationStatus.INVALID_INPUT)
        balls = [Ball(*ball) for ball in placed]
        solved, states = world.run_coarse(balls)
        return Simulation(self._status(world, balls, solved, stable=False), states=states)

    def robustness(self, task_index: int, action: ArrayLike, pixels: float = 0.5) -> float:
        """Measure how far a solution bears being moved.

        Args:
            task_index: number of the task.
            action: a solution, [D].
            pixels: how far it is moved, in each of eight directions.

        Returns:
            The share of shifts after which it still solves the task, 0 to 1.

        Raises:
            ValueError: for an unknown task, or an action of another shape."""
        world = self._at(task_index)
        balls = [Ball(*ball) for ball in self.tier.balls_of(np.asarray(action)[None])[0]]
        scale = pixels / 0.5  # `STABILITY_SHIFTS` are of half a pixel
        return float(np.mean([_holds(world, balls, (scale * dx, scale * dy)) for dx, dy in STABILITY_SHIFTS]))

    def _scene(self, task_index: int) -> Scene:
        if not 0 <= task_index < len(self._scenes):
            raise ValueError(f"Expected a task's index from 0 to {len(self._scenes) - 1} (got {task_index}).")
        return self._scenes[task_index]

    def _at(self, task_index: int) -> TaskWorld:
        scene = self._scene(task_index)
        if self._world is None or self._world.scene is not scene:
            self._world = TaskWorld(scene, self._engine)
        return self._world

    def _balls(self, scene: Scene, action: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """The balls [K, 3] of an action [D], or none if it is not allowed."""
        actions = action[None]
        return self.tier.balls_of(actions)[0] if self.tier.valid(scene, actions)[0] else None

    def _status(self, world: TaskWorld, balls: Sequence[Ball], solved: bool, stable: bool) -> SimulationStatus:
        if not solved:
            return SimulationStatus.NOT_SOLVED
        if not stable:
            return SimulationStatus.SOLVED
        held = all(_holds(world, balls, shift) for shift in STABILITY_SHIFTS)
        return SimulationStatus.STABLY_SOLVED if held else SimulationStatus.UNSTABLY_SOLVED


def _holds(world: TaskWorld, balls: Sequence[Ball], shift: tuple[float, ...]) -> bool:
    """Whether a solution still is one after a shift; a shift for which there is no room does not count against it."""
    dx, dy = shift
    shifted = [ball._replace(x=ball.x + dx, y=ball.y + dy) for ball in balls]
    return bool(occluded(world.scene, np.array([shifted]))[0]) or world.solves(shifted)


def _poses(bodies: Sequence[SceneBody]) -> NDArray[np.float64]:
    return np.array([[(body.x, body.y, body.angle) for body in bodies]])


def user_body(ball: Ball) -> SceneBody:
    """Turn a ball of an action into a body of the scene.

    Args:
        ball: its place and radius in pixels.

    Returns:
        The red ball."""
    return SceneBody(ball_of_radius(ball.radius), ball.x, ball.y, 0.0, Color.RED)


def _images(bodies: Sequence[SceneBody], seen: Recording) -> Image:
    frames = [observation(posed(bodies, frame)) for frame in seen.states[..., :3]]
    return np.stack(frames)
