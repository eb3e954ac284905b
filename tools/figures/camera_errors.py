#!/usr/bin/env python
"""Measure how far off a camera is that is estimated from tracked boxes, on sets that other cameras filmed.

comphy generate comphy --out out/comphy --sets 100 --seed 0 --render none
python tools/figures/camera_errors.py out/comphy
python tools/figures/camera_errors.py out/comphy --perceived --every 10
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from rich.table import Table

from comphy.cli.options import DeviceOption, JsonOption, SeedOption, WorkersOption
from comphy.command import build_app, console, progress_bar
from comphy.dataset import layout
from comphy.dataset.media.video import Frames
from comphy.dataset.packs.rollouts import Pack
from comphy.dataset.sources.source import STANDARD
from comphy.evaluation.qa.tables import in_full
from comphy.files import write_json
from comphy.processes import process_pool
from comphy.resources import find_weights
from comphy.scene.camera import BENCHMARK, Camera, tilted_camera
from comphy.scene.clip import Clip
from comphy.scene.silhouette import views
from comphy.scene.vocabulary import OBJECT_RADIUS
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings
from models.pcr.tracks.camera_fit import estimate_camera, tilt_of
from models.pcr.tracks.ground_plane import ground_tracks
from models.pcr.tracks.standing_boxes import standing_boxes
from models.perceiver.perceive import Perceiver, open_perceiver
from models.perceiver.perceived import PerceivedSet, PerceivedVideo
from models.train.device import pick_device

FOCAL: Final = 0.2  # largest deviation from the benchmark's camera, as a share of it
HEIGHT: Final = 0.2
TILT: Final = 10.0  # degrees
SEEN: Final = 0.1  # share of an object that must be visible for it to have a box
SURE: Final = 0.5  # score of a detection
SAME: Final = 0.5  # intersection over union of a perceived box and the true one
OTHER, OURS = "another camera", "the benchmark's"

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Film:
    """The videos of a set, the camera that filmed them, and which kind of camera that is."""

    index: int
    clips: tuple[Clip, ...]
    camera: Camera
    kind: str


@dataclass(frozen=True)
class Error:
    """Of one set: of the camera, in % and degrees, and the median error of places on the ground, in widths of an object.
    `told` whether the boxes determine the camera; if not, the estimated one is the published one."""

    index: int
    filmed: str
    taken: str
    told: bool
    focal: float
    height: float
    tilt: float
    places: float


def main(
    data: Annotated[Path, typer.Argument(help="A dataset of ours; its videos need not be drawn.")],
    sets: Annotated[int, typer.Option(min=1, help="The first so many sets.")] = 100,
    seed: SeedOption = 0,
    noise: Annotated[float, typer.Option(min=0, help="Of the edges of boxes, in pixels of a picture 480 wide.")] = 0.3,
    perceived: Annotated[
        bool, typer.Option("--perceived", help="Boxes as the perceiver finds them in drawn frames; slow without a GPU.")
    ] = False,
    every: Annotated[int, typer.Option(min=1, help="Look at every so manyth frame.")] = 1,
    workers: WorkersOption = 1,
    out: JsonOption = None,
    device: DeviceOption = "auto",
) -> None:
    """Print errors of the published and of the estimated camera, on sets that other cameras and the benchmark's filmed.

    Example: python tools/figures/camera_errors.py out/comphy --sets 100 --seed 0
    """
    filmed = films(Pack(data / layout.PACK), sets, seed, every)
    watcher = Watcher(device)
    errors: list[Error] = []
    with process_pool(workers) as pool, progress_bar() as progress:
        task = progress.add_task("looking at sets", total=len(filmed))
        jobs = []
        for film in filmed:
            jobs.append(pool.submit(errors_of, film, watcher.look(film) if perceived else outlines(film, noise, seed)))
            progress.advance(task)
        task = progress.add_task("estimating cameras", total=len(filmed))
        for job in jobs:
            errors += job.result()
            progress.advance(task)
    console.print(in_full(table_of(errors)))
    untold = sum(not error.told for error in errors if error.taken == "estimated")
    console.print(f"Not determined by the boxes, so that the published camera was taken: {untold} of {len(filmed)}.")
    if out is not None:
        write_json(out, [asdict(error) for error in errors], indent=1)


def films(pack: Pack, sets: int, seed: int, every: int) -> list[Film]:
    """Every set twice: as another camera films it, and as the benchmark's does."""
    found = []
    for index in pack.sets()[:sets]:
        videos = [pack.video(f"{index:05d}/{video}").clip() for video in STANDARD.videos]
        clips = tuple(clip.frames(slice(None, None, every)) for clip in videos)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))
        found += [Film(index, clips, draw_camera(rng), OTHER), Film(index, clips, BENCHMARK, OURS)]
    return found


def draw_camera(rng: np.random.Generator) -> Camera:
    """One whose focal length, height and tilt differ from the benchmark's."""
    focal, height, tilt = rng.uniform(-1, 1, 3) * (FOCAL, HEIGHT, TILT)
    return tilted_camera(
        BENCHMARK.focal / BENCHMARK.width * (1 + focal), BENCHMARK.position[2] * (1 + height), tilt_of(BENCHMARK) + tilt
    )


def outlines(film: Film, noise: float, seed: int) -> PerceivedSet:
    """What a perceiver would see whose boxes are the true ones but for noise."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(film.index, film.kind == OURS)))
    videos = [_true_video(clip, film.camera, noise, rng) for clip in film.clips]
    return _set_of(film, (film.camera.width, film.camera.height), videos)


def _set_of(film: Film, size: tuple[int, int], videos: Sequence[PerceivedVideo]) -> PerceivedSet:
    """Videos whose tracks nobody has aligned."""
    owners = np.full((len(videos) - 1, max(map(len, videos))), -1)
    return PerceivedSet(film.index, *size, videos[0], tuple(videos[1:]), owners)


def _true_video(clip: Clip, camera: Camera, noise: float, rng: np.random.Generator) -> PerceivedVideo:
    seen = views(clip, camera)
    shown = seen.visibility >= SEEN
    boxes = seen.boxes + rng.normal(0, noise, seen.boxes.shape)
    features = np.zeros((len(clip.objects), 1), np.float32)
    return PerceivedVideo((boxes * shown[..., None]).astype(np.float32), shown, features)


@dataclass(frozen=True)
class Watcher:
    """Draws sets and finds objects in them with the perceiver that comes along. What is measured is the boxes, not the
    tracker, which needs every frame: a box is of the object that it overlaps most."""

    device: str

    @cached_property
    def _perceiver(self) -> Perceiver:
        return open_perceiver(find_weights("pcr/perceiver"), pick_device(self.device))

    @cached_property
    def _renderer(self) -> RaytraceRenderer:
        return RaytraceRenderer(RaytraceSettings(device=str(self._perceiver.device)))

    def look(self, film: Film) -> PerceivedSet:
        """What the perceiver sees of a set."""
        size = self._perceiver.detector.size
        drawn = self._renderer.render(film.clips, film.camera.resized(*size))
        return _set_of(film, size, [self._found(*video, film.camera) for video in zip(film.clips, drawn, strict=True)])

    def _found(self, clip: Clip, frames: Frames, camera: Camera) -> PerceivedVideo:
        found = self._perceiver.detect(torch.from_numpy(frames))
        boxes, sure = found.boxes.double().numpy(), found.scores.numpy() >= SURE
        true = views(clip, camera).boxes * (self._perceiver.detector.size[0] / camera.width)
        overlaps = _overlaps(true, boxes) * sure[:, None]  # [T, N, K]
        shown = overlaps.max(axis=-1) > SAME
        mine = np.take_along_axis(boxes, overlaps.argmax(axis=-1)[..., None], axis=1) * shown[..., None]
        return PerceivedVideo(mine.astype(np.float32), shown, np.zeros((len(clip.objects), 1), np.float32))


def errors_of(film: Film, seen: PerceivedSet) -> list[Error]:
    """Of all that may be taken for the camera that filmed a set."""
    estimate = estimate_camera(standing_boxes([seen]))
    taken = {
        "published": BENCHMARK,
        "estimated": estimate.camera if estimate.determined else BENCHMARK,
        "given": film.camera,
    }
    return [_error(film, seen, name, camera, estimate.determined) for name, camera in taken.items()]


def _error(film: Film, seen: PerceivedSet, taken: str, camera: Camera, told: bool) -> Error:
    videos = zip((seen.target, *seen.references), film.clips, strict=True)
    off = [_place_errors(video, clip, camera, film.camera, (seen.width, seen.height)) for video, clip in videos]
    return Error(
        film.index,
        film.kind,
        taken,
        told,
        100 * abs(camera.focal / film.camera.focal - 1),
        100 * abs(camera.position[2] / film.camera.position[2] - 1),
        abs(tilt_of(camera) - tilt_of(film.camera)),
        float(np.median(np.concatenate(off))),
    )


def _place_errors(video: PerceivedVideo, clip: Clip, camera: Camera, true: Camera, size: tuple[int, int]) -> Array:
    """Distances between where the objects are and where `camera` puts their boxes, in widths of an object."""
    tracks = ground_tracks(torch.as_tensor(np.array(video.boxes), dtype=torch.float64), *size, camera)
    overlaps = _overlaps(np.asarray(video.boxes, float), views(clip, true).boxes * (size[0] / true.width))  # [T, M, N]
    usable = tracks.valid.numpy() & video.seen & (overlaps.max(axis=-1) > SAME)
    places = np.take_along_axis(clip.positions[..., :2], overlaps.argmax(axis=-1)[..., None], axis=1)
    off: Array = np.linalg.norm(tracks.position.numpy() - places, axis=-1)[usable] / (2 * OBJECT_RADIUS)
    return off


def _overlaps(some: Array, others: Array) -> Array:
    """[T, M, N]: intersections over unions of boxes [T, M, 4] and [T, N, 4]."""
    a, b = some[:, :, None], others[:, None]
    sides = np.maximum(np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2]), 0)
    common = sides.prod(axis=-1)
    areas = [(one[..., 2:] - one[..., :2]).prod(axis=-1) for one in (a, b)]
    overlaps: Array = common / np.maximum(areas[0] + areas[1] - common, 1e-9)
    return overlaps


def table_of(errors: list[Error]) -> Table:
    """Medians and 90th percentiles over sets."""
    columns = ("focal length, %", "height, %", "tilt, degrees", "places, object widths")
    table = Table("filmed with", "taken to be", *columns, title="Errors: median over sets / 90th percentile")
    for filmed in (OTHER, OURS):
        for taken in ("published", "estimated", "given"):
            chosen = [error for error in errors if (error.filmed, error.taken) == (filmed, taken)]
            values = np.array([(error.focal, error.height, error.tilt, error.places) for error in chosen])
            both = zip(np.median(values, axis=0), np.percentile(values, 90, axis=0), (1, 1, 2, 3), strict=True)
            table.add_row(filmed, taken, *(f"{middle:.{digits}f} / {high:.{digits}f}" for middle, high, digits in both))
    return table


app = build_app(main)

if __name__ == "__main__":
    app()
