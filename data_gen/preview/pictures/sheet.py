"""The contact sheet: everything about a set on one page."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from comphy.dataset.frames import FrameSource
from comphy.drawing.colors import INK, MUTED, PAPER, RULE
from comphy.drawing.text import text
from comphy.scene.objects import FPS
from data_gen.preview.phrases import consequence, premise, seconds, short_event_phrase
from data_gen.preview.pictures.labels import draw_phrase, number_tag
from data_gen.preview.pictures.overlay import Pen, annotate
from data_gen.preview.pictures.timeline import draw_timeline
from data_gen.preview.scene import PreviewSet, PreviewVideo, Run

WIDTH = 1640
MARGIN = 40
CONTENT = WIDTH - 2 * MARGIN
GAP = 16
TARGET_ROWS, TARGET_COLUMNS = 2, 4
REFERENCE_COLUMNS = 5
_SIDE = 190  # the column of words beside a reference's frames
_MOST_EVENTS = 5  # listed beside a reference
_RUN_ROW = 32

_TARGET_PEN = Pen(width=(CONTENT - 3 * GAP) // 4, label=13, line=2, arrow=3.0, hidden=False)
_REFERENCE_PEN = Pen(width=(CONTENT - _SIDE - 4 * GAP) // 5, label=12, line=2, arrow=2.5, hidden=False)


def evenly_spaced(frames: int, count: int) -> list[int]:
    """Frame numbers from the first to the last."""
    return np.unique(np.linspace(0, frames - 1, count).round().astype(int)).tolist()


def draw_sheet(scene: PreviewSet, source: FrameSource) -> Image.Image:
    image = Image.new("RGB", (WIDTH, 4000), PAPER)
    y = _draw_title(image, scene)
    y = draw_timeline(image, (MARGIN, y), CONTENT, scene)
    y = _draw_target(image, y + 24, scene, source.frames(scene.index, scene.target.name))
    y = _heading(image, y + 8, "References", "2 s each: the same objects, numbered as above, moving in other ways")
    for reference in scene.references:
        y = _draw_reference(image, y, scene, reference, source.frames(scene.index, reference.name))
    y = _draw_runs(image, y + 8, scene)
    return image.crop((0, 0, WIDTH, y + MARGIN))


def _draw_title(image: Image.Image, scene: PreviewSet) -> int:
    end = text(image, (MARGIN, 58), f"Set {scene.index}", 34, bold=True)
    text(image, (end + 24, 62), f"{scene.family} family  ·  {scene.split} split", 20, MUTED)
    return 98


def _heading(image: Image.Image, y: int, title: str, words: str) -> int:
    """A section's title over a rule; returns where the section begins."""
    end = text(image, (MARGIN, y + 14), title, 20, bold=True)
    text(image, (end + 16, y + 15), words, 15, MUTED)
    ImageDraw.Draw(image).line((MARGIN, y + 34, MARGIN + CONTENT, y + 34), fill=RULE)
    return y + 50


def _draw_target(image: Image.Image, y: int, scene: PreviewSet, frames: NDArray[np.uint8]) -> int:
    target = scene.target
    shown, hidden = target.visible_frames / FPS, (len(target.rollout) - target.visible_frames) / FPS
    words = f"{shown:g} s shown, {hidden:g} s hidden; boxes in the objects' colours, arrows show where they move"
    y = _heading(image, y, "Target", words)
    chosen = evenly_spaced(target.visible_frames, TARGET_ROWS * TARGET_COLUMNS)
    for row in range(0, len(chosen), TARGET_COLUMNS):
        y = _draw_frames(image, (MARGIN, y), scene, target, frames, chosen[row : row + TARGET_COLUMNS], _TARGET_PEN)
    return y


def _draw_reference(
    image: Image.Image, y: int, scene: PreviewSet, reference: PreviewVideo, frames: NDArray[np.uint8]
) -> int:
    text(image, (MARGIN, y + 12), reference.title.capitalize(), 17, bold=True)
    x: float = MARGIN
    for number in reference.numbers:
        x = number_tag(image, (x, y + 42), number, scene.objects[number], 14) + 5
    for k, event in enumerate(reference.events[:_MOST_EVENTS]):
        place = (MARGIN, y + 76 + 25 * k)
        text(image, place, seconds(event.frame), 13, MUTED)
        draw_phrase(image, (MARGIN + 54, place[1]), short_event_phrase(event), scene.objects, 14, INK)
    chosen = evenly_spaced(reference.visible_frames, REFERENCE_COLUMNS)
    return _draw_frames(image, (MARGIN + _SIDE, y), scene, reference, frames, chosen, _REFERENCE_PEN)


def _draw_frames(
    image: Image.Image,
    place: tuple[int, int],
    scene: PreviewSet,
    video: PreviewVideo,
    frames: NDArray[np.uint8],
    chosen: list[int],
    pen: Pen,
) -> int:
    """A row of frames, each with its number and time below; returns the y below the row."""
    x, y = place
    height = 0
    for frame in chosen:
        picture = annotate(frames[frame], video, frame, scene.camera, pen)
        image.paste(picture, (x, y))
        height = picture.height
        text(image, (x, y + height + 14), f"{seconds(frame)}", 14)
        text(image, (x + pen.width, y + height + 14), f"frame {frame}", 13, MUTED, anchor="rm")
        x += pen.width + GAP
    return y + height + 36


def _draw_runs(image: Image.Image, y: int, scene: PreviewSet) -> int:
    """One line for each counterfactual world."""
    words = "within the 5 s shown: + pairs that would collide, − pairs that would not, or how often they would"
    if not scene.runs:  # releases have none
        return y
    y = _heading(image, y, "If it were otherwise", words)
    for k, run in enumerate(scene.runs):
        _draw_run(image, (MARGIN, y + _RUN_ROW * k + 12), run, scene)
    return y + _RUN_ROW * len(scene.runs)


def _draw_run(image: Image.Image, place: tuple[int, int], run: Run, scene: PreviewSet) -> None:
    x, y = place
    number = run.change.object
    end = number_tag(image, (x, y), number, scene.objects[number], 14)
    end = text(image, (end + 10, y), f"{scene.objects[number]}  →", 15, MUTED)
    text(image, (end + 7, y), premise(run.change), 15, bold=True)
    draw_phrase(image, (x + 400, y), consequence(run), scene.objects, 15, INK)
