"""The three pictures of a set: right size, right content at known places, nothing left half-written."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from comphy.dataset.media.video import read_mp4
from comphy.scene.camera import Camera
from comphy.scene.events import EventKind
from comphy.scene.vocabulary import OBJECT_RADIUS
from comphy.sim.rollout import Collision
from data_gen.preview.pictures.clip import (
    CAPTION_FRAMES,
    SEPARATOR_FRAMES,
    clip_frame,
    current_events,
)
from data_gen.preview.pictures.labels import rgb_of
from data_gen.preview.pictures.sheet import CONTENT, MARGIN, WIDTH, evenly_spaced
from data_gen.preview.pictures.timeline import TimeLine
from data_gen.preview.pictures.top_view import collision_marks, field_of_view, letter, to_plot
from data_gen.preview.pictures.write import FramesInMemory, Preview
from data_gen.preview.scene import PreviewSet
from tests.support.preview_clips import CLIP_WIDTH

pytestmark = pytest.mark.bullet


@pytest.fixture(scope="module")
def sheet(preview: Preview) -> NDArray[np.uint8]:
    return np.asarray(Image.open(preview.sheet))


def test_evenly_spaced_frames_span_the_video():
    assert evenly_spaced(125, 8) == [0, 18, 35, 53, 71, 89, 106, 124]
    assert evenly_spaced(3, 8) == [0, 1, 2]


def test_sheet_shows_each_object_while_it_is_in_the_picture(sheet: NDArray[np.uint8], scene: PreviewSet):
    assert sheet.shape[1] == WIDTH
    line = TimeLine(MARGIN, 98, CONTENT, len(scene.target.rollout))
    for number, spec in enumerate(scene.objects):
        y = round(line.row(number)) + 3  # below the middle of the lane, beside marks and lines
        busy = {e.frame for e in scene.target.events if e.kind not in (EventKind.IN, EventKind.OUT)}
        for frame in range(3, scene.target.visible_frames - 3, 7):
            if any(abs(frame - other) < 4 for other in busy):
                continue
            shown = tuple(sheet[y, round(line.at(frame))]) == rgb_of(spec)
            assert shown == scene.target.inside[frame, number]


def test_sheet_marks_collisions_between_the_lanes_of_the_pair(sheet: NDArray[np.uint8], scene: PreviewSet):
    line = TimeLine(MARGIN, 98, CONTENT, len(scene.target.rollout))
    events = [e for e in scene.target.events if e.kind is EventKind.COLLISION]
    assert events
    for event in events:
        upper, lower = sorted(line.row(number) for number in event.objects)
        column = sheet[round(upper) : round(lower), round(line.at(event.frame))]
        assert (column.max(axis=-1) < 60).mean() > 0.8, "a dark line from one lane to the other"


def test_sheet_holds_the_frames(sheet: NDArray[np.uint8], scene: PreviewSet):
    """Two rows of target frames and a row for each reference are gray ground, which nothing else in the sheet is."""
    middle = sheet[:, MARGIN + 190 + 120].astype(int)
    ground = (np.ptp(middle, axis=-1) < 6) & (middle[:, 0] > 90) & (middle[:, 0] < 215)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], ground.astype(int), [0]])))
    tall = [(a, b) for a, b in edges.reshape(-1, 2) if b - a > 20]
    assert tall and tall[-1][1] > 0.6 * len(sheet)
    assert ground.sum() > 2 * 150 + len(scene.references) * 80


@pytest.mark.slow
def test_clip_shows_the_target_and_then_the_references(preview: Preview, scene: PreviewSet):
    frames, rate = read_mp4(preview.clip)
    references = sum(SEPARATOR_FRAMES + reference.visible_frames for reference in scene.references)
    assert rate == 25 and len(frames) == 125 + references
    height = CLIP_WIDTH * 2 // 3
    assert frames.shape[1:] == (height + 88, CLIP_WIDTH, 3)
    assert frames[0, :height].mean() > 80, "a picture"
    assert frames[125 + SEPARATOR_FRAMES // 2].mean() < 60, "a dark title card"
    assert frames[125 + SEPARATOR_FRAMES + 1, :height].mean() > 80


def test_captions_come_with_their_events_and_go_after_half_a_second(scene: PreviewSet, frames: FramesInMemory):
    event = next(e for e in scene.target.events if e.kind is EventKind.COLLISION)
    assert event not in current_events(scene.target, event.frame - 1)
    assert event in current_events(scene.target, event.frame)
    assert event in current_events(scene.target, event.frame + CAPTION_FRAMES - 1)
    assert event not in current_events(scene.target, event.frame + CAPTION_FRAMES)
    assert 0.45 < CAPTION_FRAMES / 25 < 0.55
    pixels = frames.frames(scene.index, "target")
    assert clip_frame(pixels[0], scene, scene.target, 0).size == (960, 640 + 88)
    with_words = np.asarray(clip_frame(pixels[event.frame], scene, scene.target, event.frame))[640:, 240:]
    without = np.asarray(clip_frame(pixels[0], scene, scene.target, 0))[640:, 240:]
    assert (with_words == with_words[0, 0]).all() < (without == without[0, 0]).all(), "words, and an empty band"


def test_top_view_has_the_camera_below_and_right_as_in_the_picture():
    camera = Camera()
    left_near_right_far = np.array([(1.0, -0.5, OBJECT_RADIUS), (-1.0, 0.5, OBJECT_RADIUS)])
    a, b = to_plot(left_near_right_far)
    pixel_a, pixel_b = camera.project(left_near_right_far)[0]
    assert (a[0] < b[0]) == (pixel_a[0] < pixel_b[0])
    assert (a[1] < b[1]) == (pixel_a[1] > pixel_b[1])
    for corner, pixel in zip(field_of_view(camera), ((0, 0), (480, 0), (480, 320), (0, 320)), strict=True):
        world = np.array([-corner[1], corner[0], OBJECT_RADIUS])
        np.testing.assert_allclose(camera.project(world)[0], pixel, atol=1e-6)


def test_collisions_at_one_place_share_a_mark():
    places = [(0.0, 0.0, 0.2), (0.1, 0.1, 0.2), (1.0, 1.0, 0.2), (50.0, 0.0, 0.2)]
    marks = collision_marks(tuple(Collision(k, k, (0, 1), 1.0, place) for k, place in enumerate(places)))
    assert [letters for _, letters in marks] == [["a", "b"], ["c"]], "the last one is outside the plot"
    assert [letter(k) for k in (0, 25, 26, 27, 52)] == ["a", "z", "aa", "ab", "ba"]


def test_top_view_is_a_picture_with_every_color(preview: Preview, scene: PreviewSet):
    pixels = np.asarray(Image.open(preview.top).convert("RGB")).reshape(-1, 3)
    for spec in scene.objects:
        assert (pixels == rgb_of(spec)).all(-1).sum() > 100
