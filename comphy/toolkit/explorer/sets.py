"""All that a set's page shows, as JSON: objects, camera, videos with motion, boxes and events, other worlds, questions."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from comphy.dataset.packs.rollouts import counterfactual_name
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.source import SourceKind, VideoSource
from comphy.errors import DatasetError
from comphy.scene.objects import FPS, ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS, OBJECT_RADIUS, RGB
from comphy.sim.rollout import Rollout
from comphy.toolkit.explorer.asked import AskedQuestions
from comphy.toolkit.explorer.catalogue import camera_record
from data_gen.preview.loading import load_set
from data_gen.preview.phrases import premise
from data_gen.preview.scene import Pair, PreviewSet, PreviewVideo, Run, open_pack

Json = dict[str, Any]
_DIGITS: Final = 3


def set_record(source: VideoSource, index: int, asked: AskedQuestions) -> Json:
    """Everything of a set but the motion of its counterfactual runs, which is fetched when one is opened.

    Raises:
        DatasetError: a file of the set is missing or damaged."""
    if source.kind is SourceKind.OWN_VIDEOS:
        return _videos_alone(source, index)
    scene = load_set(source, index)
    return {
        "index": index,
        "split": scene.split,
        "family": str(scene.family),
        "fps": FPS,
        "objects": [object_record(spec) for spec in scene.objects],
        "camera": camera_record(scene.camera),
        "videos": [_video(source, scene, video) for video in scene.videos()],
        "runs": [_run(scene, run) for run in scene.runs],
        **asked.of_set(index),
    }


def run_record(source: VideoSource, index: int, key: str) -> Json:
    """The motion in a counterfactual world.

    Raises:
        DatasetError: the set has no such run."""
    if not isinstance(source, GeneratedDataset):
        raise DatasetError(f"{source.root}: {source.kind} has no counterfactual runs.")
    packed = open_pack(source.root, index).video(counterfactual_name(index, key))
    return {"objects": [object_record(spec) for spec in packed.objects], **motion_record(packed.rollout)}


def motion_record(rollout: Rollout) -> Json:
    """[frames][objects][numbers]: places, turns (quaternions x, y, z, w) and velocities; and collisions."""
    return {
        "positions": _rounded(rollout.positions),
        "orientations": _rounded(rollout.orientations),
        "velocities": _rounded(rollout.velocities),
        "collisions": [
            {"frame": one.step // rollout.steps_per_frame, "objects": list(one.pair), "at": _numbers(one.location)}
            for one in rollout.collisions
        ],
    }


def object_record(spec: ObjectSpec) -> Json:
    return {
        "name": str(spec),
        "color": str(spec.color),
        "shape": str(spec.shape),
        "material": str(spec.material),
        "rgb": RGB[spec.color],
        "heavy": spec.mass == HEAVY_MASS,
        "mass": spec.mass,
        "charge": spec.charge,
        "radius": OBJECT_RADIUS,
    }


def _video(source: VideoSource, scene: PreviewSet, video: PreviewVideo) -> Json:
    return {
        "name": video.name,
        "title": video.title,
        "file": _has_file(source, scene.index, video.name),
        "numbers": list(video.numbers),
        "visible": video.visible_frames,
        "frames": len(video.rollout.positions),
        "box_width": source.picture_width,
        "events": [
            {"kind": str(event.kind), "frame": event.frame, "objects": list(event.objects)} for event in video.events
        ],
        "inside": [_stays(column) for column in video.inside.T],
        "boxes": np.round(video.boxes[: video.visible_frames], 1).tolist(),
        **motion_record(video.rollout),
    }


def _has_file(source: VideoSource, index: int, name: str) -> bool:
    return source.has_videos and source.video_path(index, name).is_file()


def _stays(inside: NDArray[np.bool_]) -> list[list[int]]:
    """First and last frames of an object's stays in the picture."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8)))
    return [[int(first), int(end) - 1] for first, end in edges.reshape(-1, 2)]


def _run(scene: PreviewSet, run: Run) -> Json:
    spec = scene.objects[run.change.object]
    return {
        "key": run.change.key,
        "object": run.change.object,
        "hidden": str(run.change.hidden),
        "premise": f"the {spec} were {premise(run.change)}",
        "gained": _pairs(run.gained()),
        "lost": _pairs(run.lost()),
        "recounted": _pairs(run.recounted()),
    }


def _pairs(pairs: list[Pair]) -> list[list[int]]:
    return [list(pair) for pair in pairs]


def _videos_alone(source: VideoSource, index: int) -> Json:
    """A folder of one's own videos: nothing is known but what they show."""
    lengths = source.lengths
    return {
        "index": index,
        "split": source.split_of(index),
        "family": "",
        "fps": FPS,
        "objects": [],
        "camera": camera_record(source.camera),
        "videos": [
            {
                "name": name,
                "title": name.replace("_", " "),
                "file": _has_file(source, index, name),
                "numbers": [],
                "visible": lengths.of(name),
                "frames": lengths.of(name),
                "box_width": source.picture_width,
                "events": [],
                "inside": [],
                "boxes": [],
                "positions": [],
                "orientations": [],
                "velocities": [],
                "collisions": [],
            }
            for name in lengths.videos
        ],
        "runs": [],
        "remark": "Videos without annotations: nothing is known of them but what they show.",
        "questions": [],
    }


def _rounded(array: NDArray[np.float64]) -> list[Any]:
    found: list[Any] = np.round(array, _DIGITS).tolist()
    return found


def _numbers(vector: Any) -> list[float]:
    return [float(number) for number in vector]
