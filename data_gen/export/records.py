"""Annotations in other people's words."""

from typing import Any, Final

from comphy.choices import ExportAs
from comphy.scene.objects import FPS, STEPS_PER_FRAME
from data_gen.export.layouts import CLEVRER_FRAMES

Record = dict[str, Any]
_LOOKS: Final = ("color", "material", "shape")


def exported(record: Record, number: int, chosen: ExportAs) -> Record:
    """A video's annotation of ours (the release's dialect) as the set `number` of a layout."""
    if chosen is ExportAs.COMPHY_A:
        return record | {"scene_index": number}
    return _internal(record) if chosen is ExportAs.COMPHY_B else _clevrer(record, number)


def _internal(record: Record) -> Record:
    """The authors' own dialect: other keys, times of collisions in seconds, and no number of the scene."""
    return {
        "config": record["object_property"],
        "motion": record["motion_trajectory"],
        "collisions": [
            {"time": one["step"] / (FPS * STEPS_PER_FRAME), "object_idxs": one["object_idxs"]}
            for one in record["collision"]
        ],
        "field_config": [],
    }


def _clevrer(record: Record, number: int) -> Record:
    """128 frames, objects by their ids, collisions within the video at the place where the two meet."""
    frames = record["motion_trajectory"][:CLEVRER_FRAMES]
    specs = record["object_property"]
    met = [one for one in record["collision"] if one["step"] // STEPS_PER_FRAME < CLEVRER_FRAMES]
    return {
        "scene_index": number,
        "video_filename": f"video_{number:05d}.mp4",
        "object_property": [{"object_id": k, **{key: spec[key] for key in _LOOKS}} for k, spec in enumerate(specs)],
        "motion_trajectory": [
            {"frame_id": f, "objects": [_clevrer_state(k, one) for k, one in enumerate(frame["objects"])]}
            for f, frame in enumerate(frames)
        ],
        "collision": [_clevrer_collision(one, frames) for one in met],
    }


def _clevrer_state(object_id: int, state: Record) -> Record:
    kept = {key: value for key, value in state.items() if key != "inside_scene"}
    return {"object_id": object_id, **kept, "inside_camera_view": state["inside_scene"]}


def _clevrer_collision(collision: Record, frames: list[Record]) -> Record:
    frame, (a, b) = collision["step"] // STEPS_PER_FRAME, collision["object_idxs"]
    places = zip(frames[frame]["objects"][a]["location"], frames[frame]["objects"][b]["location"], strict=True)
    return {"frame_id": frame, "object_ids": [a, b], "location": [(x + y) / 2 for x, y in places]}
