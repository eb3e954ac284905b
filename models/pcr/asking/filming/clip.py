"""A clip of imagined motion: on the left the video, on the right what is imagined, drawn by a renderer. Names stand at the
objects of both, collisions below, and the question with its answer as a caption.

Shapes: T recorded frames, F frames of the clip, N objects.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from comphy.drawing.canvas import Point
from comphy.drawing.colors import ALARM, BRIGHT, DIM, MARK, NIGHT, PAPER
from comphy.drawing.files import write_film
from comphy.drawing.overlay import Overlay, faded
from comphy.drawing.tags import Flags, Tag, place_tags
from comphy.drawing.text import text, wrapped
from comphy.questions.choices import PREMISE_WORDS
from comphy.scene.objects import FPS
from comphy.scene.vocabulary import RGB
from models.pcr.asking.filming.imagined_scene import ImaginedScene
from models.pcr.asking.filming.recorded import HEIGHT, WIDTH, Array, Pixels, Recorded
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.asking.predicted_motion import LIKELY, PossibleCollision, PredictedMotion, recorded_collisions
from models.pcr.asking.words import percent

TOP: Final = 28  # title bar above the pictures; below them LOG, the collisions, and FOOT, the caption
LOG: Final = 70
FOOT: Final = 66
GAP: Final = 4
SIZE: Final = (2 * WIDTH + GAP, TOP + HEIGHT + LOG + FOOT)
_PICTURE: Final = (WIDTH, HEIGHT)
_RIGHT: Final = WIDTH + GAP
_LINES: Final = 3  # of the log
_ANSWER_LINES: Final = 2
_FLASH: Final = 14  # frames for which a collision is marked


@dataclass(frozen=True)
class Caption:
    question: str
    answer: str


class Clip:
    """The frames of a clip, drawn one by one. `drawn` [F, 320, 480, 3] are the pictures of the scene."""

    def __init__(
        self,
        interpreted: InterpretedSet,
        predicted: PredictedMotion,
        recorded: Recorded,
        scene: ImaginedScene,
        drawn: Pixels,
        caption: Caption,
    ) -> None:
        if drawn.shape != (len(scene), HEIGHT, WIDTH, 3):
            raise ValueError(f"Expected {len(scene)} pictures of {WIDTH}x{HEIGHT} (got an array of {drawn.shape}).")
        self._interpreted, self._predicted, self._recorded = interpreted, predicted, recorded
        self._scene, self._drawn, self._caption = scene, drawn, caption
        self._colors = [RGB[seen.spec.color] for seen in interpreted.objects]
        self._seen = [collision for collision in recorded_collisions(interpreted) if collision.chance > LIKELY]
        self._frames = np.minimum(np.arange(len(scene)) + scene.start, len(recorded.frames) - 1)
        self._boxes = boxes = recorded.boxes[self._frames, : len(self._colors)]
        self._detected: Flags = np.asarray(boxes.any(axis=-1))
        self._video_tags = [self._tag(number, "") for number in range(len(self._colors))]
        self._imagined_tags = [self._tag(number, self._change) for number in range(len(self._colors))]
        self._video_places = _places(boxes, self._detected, self._video_tags)
        # Where a removed object was, its tag says that it is not there.
        gone = self._is_subject & predicted.is_removal
        self._tagged: Flags = scene.visible | gone & self._detected
        around = np.where(gone[:, None], boxes, scene.boxes)
        self._imagined_places = _places(around, self._tagged, self._imagined_tags)

    def __len__(self) -> int:
        return len(self._scene)

    def tag_places(self, step: int) -> dict[int, Point]:
        """The middles of the tags in the imagined picture, by the numbers of their objects."""
        return _shown(self._imagined_places[step], self._tagged[step])

    def frames(self) -> Iterator[Pixels]:
        for step in range(len(self)):
            yield np.asarray(self.frame(step))

    def frame(self, step: int) -> Image.Image:
        """One frame of the clip; `step` counts from where imagination begins."""
        now = self._scene.start + step
        image = self._page.copy()
        image.paste(self._video(step), (0, TOP))
        image.paste(self._imagined(step), (_RIGHT, TOP))
        over = now >= len(self._recorded.frames)
        ended = "the video has ended" if over else "the video"
        text(image, (10, TOP / 2), ended, 13, DIM if over else BRIGHT, bold=True)
        text(image, (WIDTH - 10, TOP / 2), f"{now / FPS:.2f} s   frame {now}", 11, DIM, anchor="rm")
        self._log(image, 10, self._seen, now)
        self._log(image, _RIGHT + 10, self._predicted.likely, now)
        return image

    @cached_property
    def _page(self) -> Image.Image:
        """What all frames have in common: the right title and the caption."""
        image = Image.new("RGB", SIZE, NIGHT)
        text(image, (_RIGHT + 10, TOP / 2), self._title(), 13, MARK, bold=True)
        text(image, (SIZE[0] - 10, TOP / 2), "imagined; white: as in the video", 11, DIM, anchor="rm")
        self._foot(image)
        return image

    @property
    def _is_subject(self) -> Flags:
        """[N]: the object that a counterfactual is about."""
        subject: Flags = np.arange(len(self._colors)) == self._predicted.who
        return subject

    @property
    def _change(self) -> str:
        return "removed" if self._predicted.premise is None else PREMISE_WORDS[self._predicted.premise]

    def _title(self) -> str:
        if self._predicted.is_future:
            return "what will happen"
        name = self._interpreted.short_names[self._predicted.who]
        return f"without the {name}" if self._predicted.is_removal else f"if the {name} were {self._change}"

    def _tag(self, number: int, change: str) -> Tag:
        """The subject of a counterfactual stands out."""
        name, color = self._interpreted.short_names[number], self._colors[number]
        if number != self._predicted.who:
            return Tag(name, color)
        return Tag(f"{name}, {change}" if change else name, color, MARK)

    def _video(self, step: int) -> Image.Image:
        now, last = self._scene.start + step, int(self._frames[step])
        pixels = self._recorded.frames[last]
        image = Image.fromarray(pixels if last == now else faded(pixels, 0.35))
        overlay = Overlay(_PICTURE)
        for number, color in enumerate(self._colors):
            path = _up_to(
                self._recorded.path(number, self._scene.start, last), np.ptp(self._boxes[step, number, ::2]) / 2
            )
            overlay.path(path, PAPER, 3.6, 0.6)
            overlay.path(path, color, 2.0)
        for collision in self._seen:
            place = self._recorded.between(collision.pair, last)
            if place is not None:
                _flash(overlay, collision, now, place)
        _name(image, overlay, self._video_tags, _shown(self._video_places[step], self._detected[step]))
        return image

    def _imagined(self, step: int) -> Image.Image:
        now, last, scene = self._scene.start + step, int(self._frames[step]), self._scene
        image = Image.fromarray(self._drawn[step])
        overlay = Overlay(_PICTURE)
        for number, color in enumerate(self._colors):
            overlay.path(self._recorded.path(number, scene.start, last), PAPER, 1.6, 0.75)
            overlay.path(_up_to(scene.path(number, step), scene.radius[step, number]), color, 2.0)
        who = self._predicted.who
        if self._predicted.is_removal and self._detected[step, who]:
            middle = _point(self._recorded.middles[last, who])
            overlay.dashed_ring(middle, np.ptp(self._recorded.boxes[last, who, ::2]) / 2, MARK, 1.6)
        for collision in self._predicted.likely:
            place = scene.middles[step, list(collision.pair)].mean(axis=0)
            _flash(overlay, collision, now, _point(place))
        _name(image, overlay, self._imagined_tags, self.tag_places(step))
        return image

    def _log(self, image: Image.Image, x: float, collisions: Sequence[PossibleCollision], now: int) -> None:
        """The latest collisions as text, the newest at the bottom."""
        past = [collision for collision in collisions if self._scene.start <= collision.frame <= now][-_LINES:]
        for line, collision in enumerate(past):
            new = now - collision.frame < _FLASH
            names = " and ".join(self._interpreted.names[number] for number in collision.pair)
            words = f"frame {collision.frame}: {names} collide ({percent(collision.chance)})"
            text(image, (x, TOP + HEIGHT + 14 + 21 * line), words, 11, ALARM if new else BRIGHT, bold=new)

    def _foot(self, image: Image.Image) -> None:
        top, room = TOP + HEIGHT + LOG, SIZE[0] - 20
        text(
            image, (10, top + 10), wrapped(self._caption.question, 13, room, lines=1, bold=True)[0], 13, MARK, bold=True
        )
        for line, words in enumerate(wrapped(self._caption.answer, 12, room, lines=_ANSWER_LINES)):
            text(image, (10, top + 31 + 18 * line), words, 12, BRIGHT)


def write_clip(path: Path, clip: Clip) -> None:
    """Write a clip as .mp4 or .gif."""
    write_film(path, clip.frames())


def _places(boxes: Array, there: Flags, tags: Sequence[Tag]) -> Array:
    return place_tags(boxes, there, np.array([tag.size for tag in tags]), _PICTURE)


def _shown(places: Array, there: Flags) -> dict[int, Point]:
    return {number: _point(places[number]) for number in np.flatnonzero(there).tolist()}


def _name(image: Image.Image, overlay: Overlay, tags: Sequence[Tag], places: Mapping[int, Point]) -> None:
    """Merge the overlay with the tags over it."""
    for number, place in places.items():
        tags[number].draw_plate(overlay, place)
    overlay.merge(image)
    for number, place in places.items():
        tags[number].draw_words(image, place)


def _up_to(path: Sequence[Point], radius: float) -> list[Point]:
    """A path without its last part, which lies on the object itself."""
    if not path:
        return []
    apart = np.linalg.norm(np.asarray(path) - path[-1], axis=-1)
    outside = np.flatnonzero(apart > radius)
    return list(path[: outside[-1] + 2]) if len(outside) else []


def _flash(overlay: Overlay, collision: PossibleCollision, now: int, place: Point) -> None:
    since = now - collision.frame
    if 0 <= since < _FLASH:
        left = 1 - since / _FLASH
        overlay.burst(place, 11 + 8 * (1 - left), 0.25 + 0.6 * left)


def _point(place: Array) -> Point:
    x, y = place.tolist()
    return x, y
