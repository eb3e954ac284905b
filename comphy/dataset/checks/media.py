"""Checks that trajectories, boxes, masks and videos agree with the annotations."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import VideoAnnotation, quaternions
from comphy.dataset.annotations.extras import SetExtras, VideoExtras
from comphy.dataset.media.masks import read_masks
from comphy.dataset.media.video import read_mp4
from comphy.dataset.packs.rollouts import Pack, counterfactual_name, reference_name, target_name
from comphy.dataset.sources.source import SetAnnotation
from comphy.errors import DatasetError
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import FPS, REFERENCE_FRAMES, TARGET_VISIBLE_FRAMES
from comphy.scene.silhouette import instance_masks, views

FRAME_STRIDE = 25  # boxes and masks are recomputed in every 25th frame
BOX_TOLERANCE = 1.01  # pixels: poses are rounded, which may move an outline across a pixel boundary


def check_rollouts(root: Path, annotation: SetAnnotation, extras: SetExtras) -> Iterator[str]:
    """Check that packed trajectories match the annotations and that no counterfactual run is missing."""
    index = annotation.index
    pack = Pack(root / layout.rollouts(index))
    names = {target_name(index): annotation.target}
    names |= {reference_name(index, k): reference for k, reference in enumerate(annotation.references)}
    for name, video in names.items():
        if name not in pack:
            yield f"the pack lacks '{name}'"
            continue
        packed = pack.video(name)
        if packed.objects != video.objects or packed.rollout.positions.shape != video.locations.shape:
            yield f"the packed '{name}' is of other objects or length than the annotation"
        elif np.abs(packed.rollout.positions - video.locations).max() > 2e-4:
            yield f"the packed '{name}' moves differently from the annotation"
    for key, events in extras.counterfactuals.items():
        name = counterfactual_name(index, key)
        if name not in pack:
            yield f"the pack lacks the counterfactual run '{key}'"
            continue
        run = pack.video(name).rollout
        told = [(c.step // run.steps_per_frame, c.pair) for c in run.collisions]
        if len(run) != TARGET_VISIBLE_FRAMES or told != [(e.frame, e.objects) for e in events]:
            yield f"the counterfactual run '{key}' does not match its events"


def check_boxes(annotation: SetAnnotation, extras: SetExtras, camera: Camera) -> Iterator[str]:
    """Check boxes and visibility against those recomputed from the annotated poses."""
    yield from _check_views("target", annotation.target, extras.target, TARGET_VISIBLE_FRAMES, camera)
    for k, (video, extra) in enumerate(zip(annotation.references, extras.references, strict=False)):
        yield from _check_views(f"reference {k}", video, extra, REFERENCE_FRAMES, camera)


def _clip(video: VideoAnnotation, frames: list[int]) -> Clip:
    if video.orientations is None:
        raise DatasetError("the annotation has no orientations")
    return Clip(video.objects, video.locations[frames], quaternions(video.orientations[frames]))


def _check_views(name: str, video: VideoAnnotation, extra: VideoExtras, shown: int, camera: Camera) -> Iterator[str]:
    count = len(video.objects)
    if extra.boxes.shape != (shown, count, 4) or extra.visibility.shape != (shown, count):
        yield f"{name}: expected boxes and visibility for {shown} frames and {count} objects (found {extra.boxes.shape})"
        return
    frames = list(range(0, shown, FRAME_STRIDE))
    seen = views(_clip(video, frames), camera)
    if np.abs(seen.visibility - extra.visibility[frames]).max() > 0.03:
        yield f"{name}: visibility does not follow from the poses"
    clear = np.minimum(seen.visibility, extra.visibility[frames]) > 0.1
    if clear.any() and np.abs(seen.boxes - extra.boxes[frames])[clear].max() > BOX_TOLERANCE:
        yield f"{name}: boxes do not follow from the poses"


def check_videos(root: Path, annotation: SetAnnotation, camera: Camera) -> Iterator[str]:
    """Check size, frame rate and length of videos, and masks against those recomputed from the poses."""
    index = annotation.index
    yield from _check_video(root / layout.target_video(index), TARGET_VISIBLE_FRAMES, camera)
    for k in range(len(annotation.references)):
        yield from _check_video(root / layout.reference_video(index, k), REFERENCE_FRAMES, camera)
    yield from _check_masks(root, annotation.target, "target", index, TARGET_VISIBLE_FRAMES, camera)
    for k, reference in enumerate(annotation.references):
        yield from _check_masks(root, reference, f"reference_{k}", index, REFERENCE_FRAMES, camera)


def _check_masks(
    root: Path, video: VideoAnnotation, name: str, index: int, length: int, camera: Camera
) -> Iterator[str]:
    ids = read_masks(root / layout.masks(index), name)
    if ids.shape != (length, camera.height, camera.width):
        yield f"masks of {name}: expected {length} frames of {camera.width}x{camera.height} (found {ids.shape})"
        return
    frames = list(range(0, length, FRAME_STRIDE))
    clip = _clip(video, frames)
    for k, frame in enumerate(frames):
        wrong = int((instance_masks(clip, k, camera) != ids[frame]).sum())
        if wrong > 20:
            yield f"masks of {name}: {wrong} pixels of frame {frame} do not follow from the poses"


def _check_video(path: Path, length: int, camera: Camera) -> Iterator[str]:
    frames, rate = read_mp4(path)
    expected = (length, camera.height, camera.width, 3)
    if frames.shape != expected or rate != FPS:
        size = f"{camera.width}x{camera.height}"
        yield f"{path}: expected {length} frames of {size} at {FPS} fps (found {frames.shape}, {rate:g} fps)"
    elif frames[::FRAME_STRIDE].std() < 1.0:
        yield f"{path}: the picture is blank"
