"""The World loop against the engine alone."""

import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from comphy.cli.benchmarks.timing import REPEATS, best
from comphy.scene.camera import Camera
from comphy.scene.objects import STEPS_PER_FRAME
from comphy.sim.bullet import Engine
from comphy.sim.tabletop import tabletop_world
from comphy.sim.world import World
from data_gen.sampling.rules import SceneRules
from data_gen.sampling.sampler import SetSampler


def world(scenes: int = 12) -> dict[str, float]:
    """Rate of the World loop, forces and contacts included, against bare stepSimulation calls on the same scenes.

    `ratio` compares with the stepSimulation calls of the very same trajectory, timed one by one inside the loop.
    `ratio_unforced` compares with calls in a bare loop, where no force acts: attracted bodies then do not stay in
    contact, and steps without contacts are cheaper.
    """
    import pybullet

    camera = Camera()
    building, steps = 0.0, 0
    ours, bare, unforced = ({True: 0.0, False: 0.0} for _ in range(3))  # seconds, by whether the scene has charges
    with Engine() as engine:
        sampler = SetSampler(SceneRules(), 0, camera, engine)
        for index in range(scenes):
            video = sampler.draw(index).scene.target
            built = tabletop_world(video, engine)
            count = (video.total_frames - 1) * STEPS_PER_FRAME

            def bare_steps(count: int = count) -> None:
                for _ in range(count):
                    pybullet.stepSimulation(engine.client)

            def first_frame(built: World = built) -> None:
                built.run(1, STEPS_PER_FRAME)

            def whole_run(built: World = built, frames: int = video.total_frames) -> None:
                built.run(frames, STEPS_PER_FRAME)

            build = best(first_frame)
            charged = any(spec.charge for spec in video.objects)
            ours[charged] += best(whole_run) - build
            bare[charged] += min(_seconds_in(pybullet, "stepSimulation", whole_run) for _ in range(REPEATS))
            unforced[charged] += best(bare_steps, before=first_frame)
            building += build
            steps += count
    result: dict[str, float] = {"scenes": scenes, "world_steps_per_s": steps / sum(ours.values())}
    for name, seconds in (("", bare), ("_unforced", unforced)):
        result[f"bare_steps_per_s{name}"] = steps / sum(seconds.values())
        result[f"ratio{name}"] = sum(seconds.values()) / sum(ours.values())
        result[f"ratio{name}_charged"] = seconds[True] / ours[True]
        result[f"ratio{name}_uncharged"] = seconds[False] / ours[False]
    return result | {"build_ms": 1e3 * building / scenes}


def _seconds_in(module: ModuleType, name: str, work: Callable[[], None]) -> float:
    """Seconds that `work` spends inside one function of a module, the cost of timing it taken off."""
    function, clock = getattr(module, name), time.perf_counter
    total, calls = 0.0, 0

    def timed(*arguments: Any) -> Any:
        nonlocal total, calls
        start = clock()
        result = function(*arguments)
        total += clock() - start
        calls += 1
        return result

    setattr(module, name, timed)
    try:
        work()
    finally:
        setattr(module, name, function)
    empty = best(lambda: [clock() - clock() for _ in range(10_000)]) / 10_000
    return total - calls * empty / 2
