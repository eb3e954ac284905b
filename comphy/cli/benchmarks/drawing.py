"""Frames: raytrace against Blender, and on a GPU. Raytrace needs no physics engine, which machines with a GPU may not
have."""

import os
from typing import Any

import numpy as np
import torch

from comphy.cli.benchmarks.timing import best
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import OBJECT_RADIUS, Color, Material, Shape
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings
from data_gen.renderers.raytrace.scene import pack_clips


def renderers(frames: int = 50, blender_frames: int = 2) -> dict[str, float]:
    """Raytrace against Blender Cycles at 16 samples: the same frames on the same cores, start-up of both left out."""
    from data_gen.renderers.blender.renderer import BlenderRenderer, BlenderSettings

    torch.set_num_threads(os.cpu_count() or 1)
    camera, clip = Camera(), target_clip()
    raytrace = RaytraceRenderer(RaytraceSettings())
    list(raytrace.render([clip.frames(slice(0, frames))], camera))
    fast = best(lambda: list(raytrace.render([clip.frames(slice(0, frames))], camera)), repeats=3) / frames
    stretch = clip.frames([int(k) for k in np.linspace(0, frames - 1, blender_frames)])
    with BlenderRenderer(BlenderSettings(samples=16)) as blender:
        list(blender.render([clip.frames([0])], camera))
        one = best(lambda: list(blender.render([stretch.frames([0])], camera)), repeats=1)
        slow = best(lambda: list(blender.render([stretch], camera)), repeats=1) - one
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
    if not torch.cuda.is_available():
        return {"skipped": "no CUDA device"}
    clip = synthetic_clip(frames)
    result: dict[str, Any] = {"device": torch.cuda.get_device_name(), "objects": len(clip.objects)}
    for width in (480, 240):
        camera = Camera().resized(width, width * 2 // 3)
        renderer = RaytraceRenderer(RaytraceSettings(device="cuda"))
        scene = pack_clips([clip]).to(torch.device("cuda"))

        def draw(renderer: RaytraceRenderer = renderer, scene: Any = scene, camera: Camera = camera) -> None:
            renderer.render_batch(scene, camera)
            torch.cuda.synchronize()

        draw()
        result[f"frames_per_s_{width}"] = frames / best(draw)
        result["samples"], result["shadows"] = renderer.settings.samples, renderer.settings.shadows
    return result


def drawn(frames: int, width: int) -> Any:
    """Frames [F, H, W, 3] of five objects, as a tensor."""
    camera = Camera().resized(width, width * 2 // 3)
    return RaytraceRenderer(RaytraceSettings()).render_batch(pack_clips([synthetic_clip(frames)]), camera)


def target_clip() -> Clip:
    """Of a set that was simulated."""
    from comphy.sim.bullet import Engine
    from data_gen.sampling.rules import SceneRules
    from data_gen.sampling.sampler import SetSampler

    with Engine() as engine:
        sampler = SetSampler(SceneRules(min_objects=5), 0, Camera(), engine)
        return sampler.draw(0).target.clip()


def synthetic_clip(frames: int) -> Clip:
    """Five objects on circles: needs no physics engine, which machines with a GPU may not have."""
    shapes = (Shape.CUBE, Shape.SPHERE, Shape.CYLINDER, Shape.CUBE, Shape.SPHERE)
    objects = tuple(
        ObjectSpec(c, s, m) for c, s, m in zip(Color, shapes, [*Material, *Material, *Material], strict=False)
    )
    angle = np.linspace(0, 4 * np.pi, frames)[:, None] + np.arange(5) * 2 * np.pi / 5
    radius = 0.7 + 0.15 * np.arange(5)
    positions = np.stack([radius * np.cos(angle) - 0.5, radius * np.sin(angle), np.full_like(angle, OBJECT_RADIUS)], -1)
    turns = np.stack([np.zeros_like(angle), np.zeros_like(angle), np.sin(angle / 2), np.cos(angle / 2)], -1)
    return Clip(objects, positions, turns)
