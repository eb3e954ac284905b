"""The annotated video: the target and its references one after the other, with captions when something happens."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from comphy.dataset.frames import FrameSource
from comphy.drawing.colors import BRIGHT, DIM, NIGHT
from comphy.drawing.text import text
from comphy.scene.events import Event
from comphy.scene.objects import FPS
from data_gen.preview.phrases import event_phrase, seconds
from data_gen.preview.pictures.labels import draw_phrase, number_tag
from data_gen.preview.pictures.overlay import Pen, annotate
from data_gen.preview.scene import PreviewSet, PreviewVideo

CAPTION_FRAMES = FPS // 2 + 1
SEPARATOR_FRAMES = FPS * 4 // 5
BAND = 88  # below the picture, so that captions hide nothing
_LINES = 3  # captions at a time; of more the newest are shown
_PEN = Pen(width=960, label=17, line=2, arrow=5.0, hidden=True)  # twice the benchmark's frames


def clip_frames(scene: PreviewSet, source: FrameSource) -> Iterator[NDArray[np.uint8]]:
    for video in scene.videos():
        frames = source.frames(scene.index, video.name)
        first = clip_frame(frames[0], scene, video, 0)
        if video is not scene.target:
            yield from [_separator(first.size, scene, video)] * SEPARATOR_FRAMES
        yield np.asarray(first)
        for frame in range(1, video.visible_frames):
            yield np.asarray(clip_frame(frames[frame], scene, video, frame))


def clip_frame(pixels: NDArray[np.uint8], scene: PreviewSet, video: PreviewVideo, frame: int) -> Image.Image:
    """One annotated frame with the band of words below it."""
    picture = annotate(pixels, video, frame, scene.camera, _PEN)
    image = Image.new("RGB", (picture.width, picture.height + BAND), NIGHT)
    image.paste(picture, (0, 0))
    top = picture.height
    text(image, (24, top + 30), video.title.capitalize(), 20, BRIGHT, bold=True)
    text(image, (24, top + 60), f"{seconds(frame)}   frame {frame}", 16, DIM)
    events = current_events(video, frame)
    for k, event in enumerate(events):
        place = (240, top + BAND / 2 + 27 * (k - (len(events) - 1) / 2))
        draw_phrase(image, place, event_phrase(event, scene.objects), scene.objects, 17, BRIGHT)
    return image


def current_events(video: PreviewVideo, frame: int) -> list[Event]:
    """What happened within the last half second, the newest few, in order of time."""
    recent = [event for event in video.events if 0 <= frame - event.frame < CAPTION_FRAMES]
    return recent[-_LINES:]


def _separator(size: tuple[int, int], scene: PreviewSet, video: PreviewVideo) -> NDArray[np.uint8]:
    """A title card: which reference follows, and which objects are in it."""
    image = Image.new("RGB", size, NIGHT)
    middle, y = size[0] / 2, size[1] / 2 - 20 * len(video.numbers)
    text(image, (middle, y - 40), video.title.capitalize(), 34, BRIGHT, bold=True, anchor="mm")
    for k, (number, spec) in enumerate(zip(video.numbers, video.objects, strict=True)):
        row = y + 20 + 40 * k
        number_tag(image, (middle - 120, row), number, spec, 18)
        text(image, (middle - 76, row), str(spec), 20, BRIGHT)
    return np.asarray(image)
