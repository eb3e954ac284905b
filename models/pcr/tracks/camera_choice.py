"""The camera through which sets are seen: the benchmark's, a measured one, or one that is estimated from tracked boxes, and
what has to be said about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comphy.choices import CameraChoice
from comphy.dataset.sources.own_videos import CAMERA_FILE, OwnVideos
from comphy.dataset.sources.source import BENCHMARK_ASSUMED, SourceKind, VideoSource
from comphy.errors import DatasetError
from comphy.scene.camera import BENCHMARK, Camera
from comphy.scene.vocabulary import OBJECT_RADIUS
from models.pcr.tracks.camera_fit import CameraEstimate, estimate_camera, tilt_of
from models.pcr.tracks.standing_boxes import standing_boxes
from models.perceiver.cache.feature_cache import FeatureCache

_MOST_SETS: Final = 12  # of a dataset that one camera is estimated from


@dataclass(frozen=True)
class ChosenCamera:
    """`camera`, and in `assumed` what had to be assumed of it."""

    camera: Camera
    assumed: tuple[str, ...] = ()


def choose_camera(choice: CameraChoice, source: VideoSource, cache: FeatureCache, sets: Sequence[int]) -> ChosenCamera:
    """The camera of `sets`, which were filmed with the same one and whose boxes are in the cache.

    Raises:
        DatasetError: a camera is to be given, and the source gives none."""
    known = known_camera(choice, source)
    if known is not None:
        return known
    return _estimated(estimate_camera(standing_boxes([cache.read(number) for number in sets[:_MOST_SETS]])), source)


def known_camera(choice: CameraChoice, source: VideoSource) -> ChosenCamera | None:
    """The camera if it is known before a video is looked at; None where it is to be estimated. Raises as `choose_camera`
    does, but early."""
    given = source.given_camera if isinstance(source, OwnVideos) else None
    own = source.kind is SourceKind.OWN_VIDEOS
    if choice is CameraChoice.ESTIMATED or (choice is CameraChoice.AUTO and own and given is None):
        return None
    if choice is CameraChoice.GIVEN and given is None:
        raise DatasetError(
            f"{source.root / CAMERA_FILE}: expected the file, as the camera is to be a given one (found none). Write it as "
            "docs/howto/other_data.md says, or take --camera estimated or published."
        )
    if given is not None and choice is not CameraChoice.PUBLISHED:
        return ChosenCamera(given)
    return ChosenCamera(BENCHMARK, (BENCHMARK_ASSUMED,) if own else ())


def _estimated(found: CameraEstimate, source: VideoSource) -> ChosenCamera:
    where = f"{found.boxes} views of {found.tracks} tracked objects"
    if not found.determined:
        return ChosenCamera(BENCHMARK, (f"{BENCHMARK_ASSUMED}: {where} do not tell another one ({_why_not(found)})",))
    share = source.video_share if isinstance(source, OwnVideos) else 1.0
    focal = found.camera.focal / found.camera.width / share
    height, tilt = found.camera.position[2] / (2 * OBJECT_RADIUS), tilt_of(found.camera)
    told = (
        f"the camera is as {where} tell it: focal length {focal:.2f} ± {focal * found.focal_deviation:.2f} widths of the "
        f"video, {height:.1f} ± {height * found.height_deviation:.1f} object widths above the table, tilt {tilt:.0f} ± "
        f"{max(1, round(found.tilt_deviation))} degrees"
    )
    record = f'{{"focal": {focal:.3f}, "height": {height:.2f}, "tilt": {tilt:.1f}, "object_size": 1}}'
    return ChosenCamera(
        found.camera,
        (
            f"{told} (as {CAMERA_FILE}: {record})",
            "all objects are of one size and stand on the table, and the horizon is level",
        ),
    )


def _why_not(found: CameraEstimate) -> str:
    if found.too_few:
        return "they are too few; film objects that move through the picture, or measure the camera"
    return (
        f"the focal length would be known to ± {found.focal_deviation:.0%}, the height to ± {found.height_deviation:.0%}, "
        f"the tilt to ± {found.tilt_deviation:.0f} degrees; film objects that move through more of the picture, or "
        "measure the camera"
    )
