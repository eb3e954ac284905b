"""Films what was imagined for a question: the imagined motion is drawn by the ray tracer, beside the recorded video."""

from pathlib import Path
from typing import Final

import numpy as np

from comphy.dataset.sources.source import TARGET
from data_gen.frames import open_frames
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings
from models.pcr.asking.filming.clip import Caption, Clip, write_clip
from models.pcr.asking.filming.imagined_scene import ImaginedScene
from models.pcr.asking.filming.recorded import WIDTH, Pixels, Recorded
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.asking.reply import Reply
from models.pcr.asking.sets import SetPlace
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.perceive import draw_set

SAMPLES: Final = 2  # per pixel: at this size more are hardly seen


def film(
    place: SetPlace, interpreted: InterpretedSet, features: FeatureCache, reply: Reply, path: Path, device: str
) -> None:
    """Write a clip of what was imagined for a reply. Raises `ValueError` if nothing was."""
    write_clip(path, make_clip(interpreted, reply, record(place, interpreted, features, device), device))


def record(place: SetPlace, interpreted: InterpretedSet, features: FeatureCache, device: str) -> Recorded:
    """The target video of a set, with the tracks that were perceived in it."""
    source = open_frames(place.data, place.frames, WIDTH, device)
    frames = draw_set(source, place.index, place.source.lengths, [TARGET]).cpu().numpy()
    assert interpreted.imagination is not None
    return Recorded.of(frames, features.read(place.index), interpreted.imagination.observed.target.tracks)


def make_clip(interpreted: InterpretedSet, reply: Reply, recorded: Recorded, device: str) -> Clip:
    """A clip of what was imagined. Raises `ValueError` if nothing was."""
    if reply.predicted is None:
        raise ValueError("Expected a reply about what will or would happen (got one about the video).")
    scene = ImaginedScene.of(interpreted, reply.predicted, recorded.camera)
    caption = Caption(reply.query.text, reply.sentence)
    return Clip(interpreted, reply.predicted, recorded, scene, draw(scene, device), caption)


def draw(scene: ImaginedScene, device: str) -> Pixels:
    """The pictures of a scene. Kernels are compiled on a GPU only: on a CPU that takes longer than the clip does."""
    settings = RaytraceSettings(device=device, compile=device != "cpu", samples=SAMPLES)
    steps = scene.key_steps()
    (frames,) = RaytraceRenderer(settings).render([scene.poses.frames(steps.tolist())], scene.camera)
    shown: Pixels = frames[np.searchsorted(steps, np.arange(len(scene)), side="right") - 1]
    return shown
