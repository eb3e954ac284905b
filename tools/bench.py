#!/usr/bin/env python
"""Measure the speed of the toolkit as ratios within one run, and write JSON.

python tools/bench.py --json out/bench.json
python tools/bench.py physics world          # only these
"""

import json
import os
import platform
import resource
import tempfile
import time
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import numpy as np
import typer

from comphy.command import console, run_command
from comphy.dataset.files import write_json
from comphy.dataset.layout import SPLITS
from comphy.dataset.questions import answers_path, read_questions
from comphy.dataset.writer import write_set
from comphy.programs.executor import execute
from comphy.programs.program import parse
from comphy.puzzles.phyre.actions import ACTION_TIERS
from comphy.questions.askable import read_askable
from comphy.questions.model import Question, Tokens
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import STEPS_PER_FRAME
from comphy.sim.bullet import Engine
from comphy.sim.tabletop import tabletop_world
from comphy.sim.world import World
from data_gen.jobs.ask import ask_dataset
from data_gen.sampling.rules import SceneRules
from data_gen.sampling.sampler import SetSampler

REPEATS = 5  # the best of so many counts: on a shared machine the slower ones measure the neighbours


def physics(sets: int = 30) -> dict[str, float]:
    """Sets per second on one core: physics, annotations, all counterfactual runs, written to disk; no frames."""
    camera = Camera()
    with Engine() as engine, tempfile.TemporaryDirectory() as folder:
        sampler = SetSampler(SceneRules(), 0, camera, engine)
        seconds = []
        for index in range(sets):
            start = time.process_time()
            write_set(Path(folder), sampler.draw(index), camera, None)
            seconds.append(time.process_time() - start)
    return {"sets": sets, "sets_per_cpu_second": sets / sum(seconds), "slowest_set_s": max(seconds)}


def questions(sets: int = 30) -> dict[str, float]:
    """Programs executed per second on one core, and what asking adds to the time of making sets without frames."""
    camera = Camera()
    with Engine() as engine, tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        sampler = SetSampler(SceneRules(), 0, camera, engine)
        start = time.process_time()
        for index in range(sets):
            write_set(root, sampler.draw(index), camera, None)
        made = time.process_time()
        ask_dataset(root, 0, range(sets), workers=1)
        asked = time.process_time()
        facts = {index: read_askable(root, index).facts for index in range(sets)}
        scenes = [scene for split in SPLITS for scene in read_questions(root / answers_path(split))]
    work = [
        (tokens, facts[scene.scene_index]) for scene in scenes for q in scene.questions for tokens in programs_of(q)
    ]
    seconds = _best(lambda: [execute(parse(tokens), world) for tokens, world in work])
    parsed = [(parse(tokens), world) for tokens, world in work]
    return {
        "sets": sets,
        "programs": len(work),
        "parsed_and_executed_per_s": len(work) / seconds,
        "executed_per_s": len(work) / _best(lambda: [execute(program, world) for program, world in parsed]),
        "asking_ms_per_set": 1e3 * (asked - made) / sets,
        "asking_share_of_making": (asked - made) / (made - start),
    }


def programs_of(question: Question) -> list[Tokens]:
    """The programs that answer a question: its own, or one for each choice."""
    return [(*choice.program, *question.program) for choice in question.choices] or [question.program]


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

            def whole_run(built: World = built, frames: int = video.total_frames) -> None:
                built.run(frames, STEPS_PER_FRAME)

            build = _best(lambda built=built: built.run(1, STEPS_PER_FRAME))
            charged = any(spec.charge for spec in video.objects)
            ours[charged] += _best(whole_run) - build
            bare[charged] += min(_seconds_in(pybullet, "stepSimulation", whole_run) for _ in range(REPEATS))
            unforced[charged] += _best(bare_steps, before=lambda built=built: built.run(1, STEPS_PER_FRAME))
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
    empty = _best(lambda: [clock() - clock() for _ in range(10_000)]) / 10_000
    return total - calls * empty / 2


def renderers(frames: int = 50, blender_frames: int = 2) -> dict[str, float]:
    """Raytrace against Blender Cycles at 16 samples: the same frames on the same cores, start-up of both left out."""
    import torch

    from data_gen.renderers.blender import BlenderRenderer, BlenderSettings
    from data_gen.renderers.raytrace import RaytraceRenderer, RaytraceSettings

    torch.set_num_threads(os.cpu_count() or 1)
    camera, clip = Camera(), _target_clip()
    raytrace = RaytraceRenderer(RaytraceSettings())
    list(raytrace.render([clip.frames(slice(0, frames))], camera))
    fast = _best(lambda: list(raytrace.render([clip.frames(slice(0, frames))], camera)), repeats=3) / frames
    stretch = clip.frames([int(k) for k in np.linspace(0, frames - 1, blender_frames)])
    with BlenderRenderer(BlenderSettings(samples=16)) as blender:
        list(blender.render([clip.frames([0])], camera))
        one = _best(lambda: list(blender.render([stretch.frames([0])], camera)), repeats=1)
        slow = _best(lambda: list(blender.render([stretch], camera)), repeats=1) - one
    slow /= blender_frames - 1
    return {
        "raytrace_frames_per_s": 1 / fast,
        "blender_frames_per_s": 1 / slow,
        "ratio": slow / fast,
        "samples_raytrace": raytrace.settings.samples,
        "samples_blender": 16,
        "threads": torch.get_num_threads(),
    }


def gpu(frames: int = 4096) -> dict[str, Any]:
    """Frames per second of the raytrace renderer on a CUDA device, at two sizes; frames stay on the device."""
    import torch

    from data_gen.renderers.raytrace import RaytraceRenderer, RaytraceSettings
    from data_gen.renderers.raytrace_scene import pack_clips

    if not torch.cuda.is_available():
        return {"skipped": "no CUDA device"}
    clip = _synthetic_clip(frames)
    result: dict[str, Any] = {"device": torch.cuda.get_device_name(), "objects": len(clip.objects)}
    for width in (480, 240):
        camera = Camera().resized(width, width * 2 // 3)
        renderer = RaytraceRenderer(RaytraceSettings(device="cuda"))
        scene = pack_clips([clip]).to(torch.device("cuda"))

        def draw(renderer: RaytraceRenderer = renderer, scene: Any = scene, camera: Camera = camera) -> None:
            renderer.render_batch(scene, camera)
            torch.cuda.synchronize()

        draw()
        result[f"frames_per_s_{width}"] = frames / _best(draw)
        result["samples"], result["shadows"] = renderer.settings.samples, renderer.settings.shadows
    return result


def perceiver(device: str = "cpu") -> dict[str, Any]:
    """Frames per second of the small perceiver on one set, detected, tracked and aligned, against the bare trunk on
    the same frames in the same batches. Weights are untrained: what they find costs the tracker as much."""
    import torch

    from models.perceiver.detector import FasterRCNN
    from models.perceiver.network import on_device
    from models.perceiver.perceive import BATCH, Perceiver
    from models.perceiver.training import autocast
    from models.perceiver.truth import VIDEOS, frames_of
    from models.train.device import pick_device
    from models.train.registry import load_task

    torch.set_num_threads(os.cpu_count() or 1)
    torch.manual_seed(0)
    place = pick_device(device)
    settings = load_task(Path("configs/perceiver/small.yaml"))[1].detector
    detector = on_device(FasterRCNN(settings), place).eval()
    looking = Perceiver(detector, place, BATCH[place.type])
    frames = _drawn(sum(frames_of(video) for video in VIDEOS), settings.width).to(place)

    def bare_trunk(images: torch.Tensor) -> None:
        with torch.no_grad(), autocast(place, bf16=True):
            detector.trunk(images)
        if place.type == "cuda":
            torch.cuda.synchronize()

    found = looking.detect(frames)
    bare, ours = 0.0, _best(lambda: looking.aligned(looking.tracked(found, 0)))
    for part in frames.split(looking.batch):
        images = part.permute(0, 3, 1, 2).float().contiguous(memory_format=torch.channels_last)
        trunk_seconds, seconds = _in_turns(partial(bare_trunk, images), partial(looking.detect, part))
        bare, ours = bare + trunk_seconds, ours + seconds
    return {
        "device": str(place),
        "width": settings.width,
        "trunk": settings.trunk,
        "frames_per_s": len(frames) / ours,
        "bare_trunk_frames_per_s": len(frames) / bare,
        "ratio": bare / ours,
        "threads": torch.get_num_threads(),
    }


def _drawn(frames: int, width: int) -> Any:
    """Frames [F, H, W, 3] of five objects, as a tensor."""
    from data_gen.renderers.raytrace import RaytraceRenderer, RaytraceSettings
    from data_gen.renderers.raytrace_scene import pack_clips

    camera = Camera().resized(width, width * 2 // 3)
    return RaytraceRenderer(RaytraceSettings()).render_batch(pack_clips([_synthetic_clip(frames)]), camera)


def phyre(tasks: int = 2, actions: int = 15) -> dict[str, Any]:
    """Verdicts per second on one core, of random valid actions on tasks of every template, and the slowest templates.

    The time of a template counts alike, whatever its number of actions; building its scene is left out.
    """
    from comphy.puzzles.phyre.agreement import valid_actions
    from comphy.puzzles.phyre.simulator import ActionSimulator
    from comphy.puzzles.phyre.template import candidates, templates_of

    result: dict[str, Any] = {"tasks_per_template": tasks, "actions_per_task": actions}
    for tier in ACTION_TIERS.values():
        milliseconds: dict[str, float] = {}
        for template in templates_of(tier):
            scenes = {str(k): task.scene for k, task in enumerate(islice(candidates(template), tasks))}
            with ActionSimulator(scenes, tier) as simulator:
                spent = 0.0
                for k, scene in enumerate(scenes.values()):
                    chosen = valid_actions(scene, tier, actions, np.random.default_rng(0))
                    simulator.simulate_action(k, chosen[0], need_images=False)
                    start = time.process_time()
                    simulator.statuses(k, chosen)
                    spent += time.process_time() - start
            milliseconds[template.id] = 1e3 * spent / (len(scenes) * actions)
        slowest = sorted(milliseconds, key=lambda name: -milliseconds[name])[:3]
        result[tier.name] = {
            "verdicts_per_cpu_second": 1e3 / float(np.mean(list(milliseconds.values()))),
            "median_template_per_cpu_second": 1e3 / float(np.median(list(milliseconds.values()))),
            "slowest_ms": {name: milliseconds[name] for name in slowest},
        }
    return result


def phyre_agreement(count: int = 10_000) -> dict[str, int]:
    """Verdicts reached early against whole runs judged at every step: random valid actions over all templates."""
    from comphy.puzzles.phyre.agreement import verdicts_that_differ
    from comphy.puzzles.phyre.template import all_templates, candidates

    each = -(-count // len(all_templates()))
    tried = solved = different = 0
    with Engine() as engine:
        for template in all_templates():
            scene = next(candidates(template)).scene
            found = verdicts_that_differ(scene, template.tier, each, np.random.default_rng(1), engine)
            tried, solved, different = tried + found[0], solved + found[1], different + len(found[2])
    return {"tried": tried, "solved": solved, "different": different}


def memory(sets: int = 200) -> dict[str, float]:
    """Resident memory of one worker after 20 sets and after `sets`, in MiB; flat means nothing leaks."""
    camera = Camera()
    with Engine() as engine, tempfile.TemporaryDirectory() as folder:
        sampler = SetSampler(SceneRules(), 0, camera, engine)
        marks = {}
        for index in range(sets):
            write_set(Path(folder), sampler.draw(index), camera, None)
            if index + 1 in (20, sets):
                marks[index + 1] = _resident_mib()
    return {
        "sets": sets,
        "after_20_mib": marks[20],
        "after_all_mib": marks[sets],
        "growth_mib": marks[sets] - marks[20],
    }


def _resident_mib() -> float:
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def _best(action: Callable[[], Any], before: Callable[[], Any] | None = None, repeats: int = REPEATS) -> float:
    times = []
    for _ in range(repeats):
        if before:
            before()
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def _in_turns(one: Callable[[], Any], other: Callable[[], Any], repeats: int = 2) -> tuple[float, float]:
    """The best of each, taken in turns: neighbours on a shared machine slow down both alike."""
    times = [(_best(one, repeats=1), _best(other, repeats=1)) for _ in range(repeats)]
    return min(first for first, _ in times), min(second for _, second in times)


def _target_clip() -> Clip:
    with Engine() as engine:
        sampler = SetSampler(SceneRules(min_objects=5), 0, Camera(), engine)
        return sampler.draw(0).target.clip()


def _synthetic_clip(frames: int) -> Clip:
    """Five objects on circles: needs no physics engine, which machines with a GPU may not have."""
    from comphy.scene.objects import ObjectSpec
    from comphy.scene.vocabulary import OBJECT_RADIUS, Color, Material, Shape

    shapes = (Shape.CUBE, Shape.SPHERE, Shape.CYLINDER, Shape.CUBE, Shape.SPHERE)
    objects = tuple(
        ObjectSpec(c, s, m) for c, s, m in zip(Color, shapes, [*Material, *Material, *Material], strict=False)
    )
    angle = np.linspace(0, 4 * np.pi, frames)[:, None] + np.arange(5) * 2 * np.pi / 5
    radius = 0.7 + 0.15 * np.arange(5)
    positions = np.stack([radius * np.cos(angle) - 0.5, radius * np.sin(angle), np.full_like(angle, OBJECT_RADIUS)], -1)
    turns = np.stack([np.zeros_like(angle), np.zeros_like(angle), np.sin(angle / 2), np.cos(angle / 2)], -1)
    return Clip(objects, positions, turns)


class Part(StrEnum):
    PHYSICS = "physics"
    QUESTIONS = "questions"
    WORLD = "world"
    MEMORY = "memory"
    RENDERERS = "renderers"
    PERCEIVER = "perceiver"
    PHYRE = "phyre"
    PHYRE_AGREEMENT = "phyre-agreement"
    GPU = "gpu"


PARTS: dict[Part, Callable[[], dict[str, Any]]] = {
    Part.PHYSICS: physics,
    Part.QUESTIONS: questions,
    Part.WORLD: world,
    Part.MEMORY: memory,
    Part.RENDERERS: renderers,
    Part.PERCEIVER: perceiver,  # on a device of the caller's choice
    Part.PHYRE: phyre,
    Part.PHYRE_AGREEMENT: phyre_agreement,
    Part.GPU: gpu,
}


def main(
    parts: Annotated[list[Part] | None, typer.Argument(help="What to measure; everything if none is named.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the figures to this file.")] = None,
    device: Annotated[str, typer.Option(help="Where the perceiver is measured: cpu, cuda, or auto.")] = "cpu",
) -> None:
    """Measure speed and memory.

    Example: python tools/bench.py physics world --json out/bench.json
    """
    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
    results: dict[str, Any] = {"hardware": machine}
    measures = PARTS | {Part.PERCEIVER: partial(perceiver, device)}
    for part in parts or list(Part):
        results[str(part)] = measures[part]()
        console.print(f"[bold]{part}[/bold]", json.dumps(results[str(part)], indent=1), highlight=False)
    if json_file:
        write_json(json_file, results, indent=1)


if __name__ == "__main__":
    run_command(main)
