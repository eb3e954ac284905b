"""Writes one set: the release's annotations, our extras, packed trajectories, and, if frames are given, videos and masks."""

from collections.abc import Mapping
from pathlib import Path

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import write_dialect_a
from comphy.dataset.annotations.extras import set_record, video_record
from comphy.dataset.manifest import FileEntry
from comphy.dataset.media.masks import write_masks
from comphy.dataset.media.video import Frames, write_mp4
from comphy.dataset.packs.codec import encode
from comphy.dataset.packs.rollouts import counterfactual_name, reference_name, target_name, write_pack
from comphy.files import write_json
from comphy.scene.camera import Camera
from comphy.scene.objects import apply_change
from comphy.sim.recording import RecordedSet, Recording


def write_set(
    root: Path, recorded: RecordedSet, camera: Camera, frames: Mapping[str, Frames] | None
) -> dict[str, FileEntry]:
    """Write all files of a set below `root` and return their hashes. `frames` are the videos by name, or None."""
    index = recorded.scene.index
    _write_annotations(root, recorded, camera)
    _write_rollouts(root, recorded)
    if frames is not None:
        write_mp4(root / layout.target_video(index), frames["target"])
        for k in range(len(recorded.references)):
            write_mp4(root / layout.reference_video(index, k), frames[f"reference_{k}"])
        write_masks(root / layout.masks(index), recorded.clips(), camera)
    paths = layout.set_files(index, rendered=frames is not None)
    return {str(path): FileEntry.of(root / path) for path in paths}


def _write_annotations(root: Path, recorded: RecordedSet, camera: Camera) -> None:
    index, target = recorded.scene.index, recorded.target
    write_json(root / layout.target_annotation(index), write_dialect_a(index, target.video, target.rollout, camera))
    for k, reference in enumerate(recorded.references):
        record = write_dialect_a(index, reference.video, reference.rollout, camera)
        write_json(root / layout.reference_annotation(index, k), record)
    record = set_record(
        recorded.scene,
        _extras(target, camera),
        [_extras(reference, camera) for reference in recorded.references],
        recorded.counterfactuals,
    )
    write_json(root / layout.extras(index), record)


def _extras(recording: Recording, camera: Camera) -> dict[str, object]:
    return video_record(recording.video, recording.rollout, recording.events, recording.views, camera)


def _write_rollouts(root: Path, recorded: RecordedSet) -> None:
    index = recorded.scene.index
    blobs = {target_name(index): encode(recorded.target.video, recorded.target.rollout)}
    for k, reference in enumerate(recorded.references):
        blobs[reference_name(index, k)] = encode(reference.video, reference.rollout)
    for change, run in recorded.counterfactuals.items():
        blobs[counterfactual_name(index, change.key)] = encode(apply_change(recorded.target.video, change), run)
    write_pack(root / layout.rollouts(index), blobs)
