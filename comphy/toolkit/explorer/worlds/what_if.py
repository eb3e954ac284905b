"""What would happen if: a target simulated again with other masses, charges and starting places, as Bullet moves it.

Simulations run in processes of their own, never more than there are cores; a page that asks faster is told to wait."""

import math
import os
from collections.abc import Mapping
from concurrent.futures import TimeoutError as TooLong
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, Final

from comphy.errors import Busy, ConfigError
from comphy.files import require
from comphy.processes import ProcessPool, process_pool
from comphy.scene.objects import InitialState, ObjectSpec, Video
from comphy.sim.tabletop import simulate
from comphy.toolkit.explorer.sets import motion_record, object_record
from data_gen.stability.resimulation import read_target

Json = dict[str, Any]
MASSES: Final = (0.2, 10.0)
CHARGES: Final = (-2, 2)
REACH: Final = 8.0  # how far from the table's middle an object may start
_TOUCHING: Final = 0.19  # a little less than an object's radius: as near as two that touch
_LONGEST: Final = 60.0  # seconds of a simulation, the start of its process included
_WAITING: Final = 2  # simulations for each process that may be asked for at once


class Simulations:
    """Simulates in processes, which are started by the first question."""

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or os.cpu_count() or 1
        self._places = BoundedSemaphore(_WAITING * self._workers)

    @cached_property
    def _pool(self) -> ProcessPool:
        return process_pool(self._workers)

    def prepare(self) -> None:
        """Start a process, so that the first slider moves its world at once."""
        if "_pool" not in self.__dict__:
            self._pool.submit(os.getpid)

    def what_if(self, root: Path, index: int, question: Json) -> Json:
        """How the target of a set would go on if its objects were as the question says.

        Args:
            root: folder of a dataset of ours.
            index: number of the set.
            question: `changes` by the number of an object: `mass`, `charge` and `start` (x and y), each optional.

        Raises:
            ConfigError: a change that makes no sense.
            DatasetError: the set cannot be read.
            Busy: too much was asked for."""
        changes = read_changes(question)
        if not self._places.acquire(blocking=False):
            raise Busy("The cores are busy with other simulations. Try again in a moment.")
        try:
            return self._pool.submit(simulate_changed, root, index, changes).result(_LONGEST)
        except BrokenProcessPool:
            self.__dict__.pop("_pool", None)
            raise Busy("The process of the simulation ended early. Another is started: try again.") from None
        except TooLong:
            raise Busy(
                f"The simulation took longer than {_LONGEST:g} s. Try again when the machine is less busy."
            ) from None
        finally:
            self._places.release()

    def close(self) -> None:
        if "_pool" in self.__dict__:
            self._pool.end()


def read_changes(question: Json) -> dict[int, Json]:
    """By the number of an object. Raises `ConfigError` for numbers that no object can have."""
    given = require(question, "changes", dict, "question")
    found: dict[int, Json] = {}
    for name, change in given.items():
        if not name.isdecimal() or not isinstance(change, dict) or not set(change) <= {"mass", "charge", "start"}:
            raise ConfigError(
                f"expected mass, charge or start of an object's number (got '{name[:20]}': {change!r:.60})."
            )
        found[int(name)] = {
            **({"mass": _within(change["mass"], *MASSES, "mass")} if "mass" in change else {}),
            **({"charge": _charge(change["charge"])} if "charge" in change else {}),
            **({"start": _start(change["start"])} if "start" in change else {}),
        }
    return found


def simulate_changed(root: Path, index: int, changes: Mapping[int, Json]) -> Json:
    """Runs in a process of the pool."""
    video = changed(read_target(root, index).start, changes)
    return {"objects": [object_record(spec) for spec in video.objects], **motion_record(simulate(video))}


def changed(video: Video, changes: Mapping[int, Json]) -> Video:
    """The video as it would begin."""
    strange = [number for number in changes if number >= len(video.objects)]
    if strange:
        raise ConfigError(f"expected the number of an object, 0 to {len(video.objects) - 1} (got {strange[0]}).")
    objects, initial = list(video.objects), list(video.initial)
    for number, change in changes.items():
        objects[number] = _respecified(objects[number], change)
        initial[number] = _moved(initial[number], change)
    starts = [state.position for state in initial]
    for first, place in enumerate(starts):
        for second in range(first):
            if math.dist(place[:2], starts[second][:2]) < 2 * _TOUCHING:
                raise ConfigError(
                    f"the {objects[second]} and the {objects[first]} would begin inside each other. Move one of them."
                )
    return replace(video, objects=tuple(objects), initial=tuple(initial))


def _respecified(spec: ObjectSpec, change: Json) -> ObjectSpec:
    return replace(spec, mass=change.get("mass", spec.mass), charge=change.get("charge", spec.charge))


def _moved(state: InitialState, change: Json) -> InitialState:
    x, y = change.get("start", state.position[:2])
    return replace(state, position=(x, y, state.position[2]))


def _within(value: Any, least: float, most: float, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ConfigError(f"expected a {name} from {least:g} to {most:g} (got {value!r:.40}).")
    return float(value)


def _charge(value: Any) -> int:
    found = _within(value, *CHARGES, "charge")
    if found != int(found):
        raise ConfigError(f"expected a whole charge (got {value!r:.40}).")
    return int(found)


def _start(value: Any) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise ConfigError(f"expected x and y as start (got {value!r:.40}).")
    x, y = (_within(one, -REACH, REACH, "start") for one in value)
    return x, y
