"""Simulation results on disk: the statuses of a fixed list of actions on each task, so that nothing is simulated twice.

A folder belongs to one tier, one list of actions, one engine and one version of comphy, which `cache.json` records. A
folder of another kind is refused, never overwritten, since its results cost hours. Each task has a file: a line of JSON
that identifies the scene, then the gzipped statuses, one byte each. A file that is damaged or of another scene is
computed again. Any number of processes may use a folder at the same time.
"""

import gzip
import json
import zlib
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypedDict

import numpy as np
from numpy.typing import NDArray

import comphy
from comphy.files import write_bytes, write_json
from comphy.puzzles.phyre.benchmark.tasks import Task, find_task
from comphy.puzzles.phyre.world.actions import Tier
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from comphy.puzzles.stored_results import ENGINE, check_manifest, engine_version
from comphy.temporaries import clear_temporaries

DEFAULT_FOLDER: Final = Path("out/phyre_cache")  # with a folder for each tier
FORMAT: Final = 1
MANIFEST: Final = "cache.json"
ACTION_SEED: Final = 42
ACTIONS_PER_WRITE: Final = 1000  # at most so many results are lost when a process is killed
FINGERPRINTED_ACTIONS: Final = 1000  # hashed to identify a list of actions; part of the format

Statuses = NDArray[np.int8]


class CachedSample(TypedDict):
    """Actions with their statuses on tasks.

    Attributes:
        task_ids: the tasks.
        actions: [N, D].
        simulation_statuses: [tasks, N], values of `SimulationStatus`."""

    task_ids: tuple[str, ...]
    actions: NDArray[np.float64]
    simulation_statuses: Statuses


class SimulationCache:
    """Results for the action list of one seed. Shorter lists are prefixes of longer ones, so files can be extended.

    Args:
        folder: of the cache; it is made when something is stored.
        tier: how many balls an action places.
        seed: of the action list.

    Raises:
        DatasetError: if the folder belongs to another tier, seed, engine or version."""

    def __init__(self, folder: Path, tier: Tier, seed: int = ACTION_SEED) -> None:
        self.folder, self.tier, self.seed = folder, tier, seed
        if (manifest := folder / MANIFEST).exists():
            check_manifest(manifest, self._kind)

    def actions(self, count: int) -> NDArray[np.float64]:
        """Draw the first actions of the list.

        Args:
            count: how many.

        Returns:
            Actions [count, D]; all are valid in an empty scene."""
        return self.tier.sample(count, np.random.default_rng(self.seed))

    def known(self, task: Task) -> Statuses:
        """Read what is on disk of a task. Nothing is simulated.

        Args:
            task: with its scene.

        Returns:
            The statuses [N] of the first N actions."""
        path = self._file(task)
        return _read(path, self._header(task)) if path.exists() else np.empty(0, dtype=np.int8)

    def statuses(self, task: Task, count: int) -> Statuses:
        """Tell what becomes of the first actions on a task; those that are not on disk are simulated and stored.

        Args:
            task: with its scene.
            count: how many actions.

        Returns:
            The statuses [count]."""
        done = self.known(task)
        if len(done) >= count:
            return done[:count]
        self._claim_folder()
        clear_temporaries(self._file(task).parent)
        actions = self.actions(count)
        with ActionSimulator({task.id: task.scene()}, self.tier) as simulator:
            while len(done) < count:
                more = simulator.statuses(0, actions[len(done) : len(done) + ACTIONS_PER_WRITE])
                done = np.concatenate([done, more])
                write_bytes(self._file(task), self._header(task) + b"\n" + gzip.compress(done.tobytes(), mtime=0))
        return done

    def get_sample(self, task_ids: Sequence[str], num_actions: int) -> CachedSample:
        """Take the first actions, and their statuses on tasks, simulated if necessary.

        Args:
            task_ids: such as `00001:004`.
            num_actions: how many actions.

        Returns:
            Task ids, actions [N, D] and statuses [tasks, N].

        Raises:
            ConfigError: for an unknown task."""
        table = np.empty((len(task_ids), num_actions), dtype=np.int8)
        for row, task_id in zip(table, task_ids, strict=True):
            row[:] = self.statuses(find_task(task_id), num_actions)
        return CachedSample(task_ids=tuple(task_ids), actions=self.actions(num_actions), simulation_statuses=table)

    @cached_property
    def _kind(self) -> dict[str, Any]:
        first = self.actions(FINGERPRINTED_ACTIONS)
        return {
            "format": FORMAT,
            "tier": self.tier.name,
            "action_seed": self.seed,
            "first_actions": sha256(first.tobytes()).hexdigest(),
            "comphy": comphy.__version__,
            ENGINE: engine_version(),
        }

    def _claim_folder(self) -> None:
        if not (path := self.folder / MANIFEST).exists():
            clear_temporaries(self.folder)
            write_json(path, self._kind, indent=1)

    def _file(self, task: Task) -> Path:
        return self.folder / task.template_id / f"{task.id[6:]}.statuses"

    def _header(self, task: Task) -> bytes:
        return json.dumps({"task": task.id, "scene": _digest(task.scene())}).encode()


def _read(path: Path, header: bytes) -> Statuses:
    nothing = np.empty(0, dtype=np.int8)
    try:
        found, _, packed = path.read_bytes().partition(b"\n")
        statuses = np.frombuffer(gzip.decompress(packed), dtype=np.int8)
    except (FileNotFoundError, gzip.BadGzipFile, EOFError, zlib.error):
        return nothing
    whole = found == header and set(np.unique(statuses)) <= {one.value for one in SimulationStatus}
    return statuses if whole else nothing


def _digest(scene: Scene) -> str:
    """A hash of a scene, rounded so that it does not depend on floating-point differences between machines."""
    bodies = [
        (b.color, b.shape.kind, *(round(value, 4) + 0.0 for value in (b.shape.diameter, b.x, b.y, b.angle)))
        for b in scene.bodies
    ]
    return sha256(json.dumps([bodies, scene.goal]).encode()).hexdigest()
