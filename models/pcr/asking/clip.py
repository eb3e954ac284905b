"""Renders imagined motion as a clip: on the left the video with its tracks, on the right the imagined motion over it.

Shapes: T recorded frames, F frames of the clip, N objects.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from comphy.drawing.canvas import Point
from comphy.drawing.colors import ALARM, BRIGHT, DIM, MARK, NIGHT, PAPER, Rgb
from comphy.drawing.files import write_film
from comphy.drawing.overlay import Overlay, faded
from comphy.drawing.text import centred_tag, text
from comphy.questions.choices import PREMISE_WORDS
from comphy.scene.camera import BENCHMARK, Camera
from comphy.scene.objects import FPS
from comphy.scene.vocabulary import OBJECT_RADIUS, RGB, Shape
from models.pcr.asking.imagining import LIKELY, Imagining, PossibleCollision, recorded_collisions
from models.pcr.asking.interpreted_set import InterpretedSet, Pair
from models.pcr.asking.words import percent
from models.pcr.tracks.ground_plane import GroundTracks
from models.perceiver.perceived import PerceivedSet

Pixels = NDArray[np.uint8]
Array = NDArray[np.float64]

WIDTH: Final = 480  # of each of the two pictures
HEIGHT: Final = 320
TOP: Final = 28  # title bar above the pictures; below them BOTTOM, the log of collisions
BOTTOM: Final = 72
GAP: Final = 4
_LINES: Final = 3
_FLASH: Final = 14  # frames for which a collision is marked
_ROUNDING: Final = {Shape.SPHERE: 1.0, Shape.CYLINDER: 0.45, Shape.CUBE: 0.1}


@dataclass(frozen=True)
class Recorded:
    """The target video at the clip's size: frames [T, 320, 480, 3], boxes [T, N, 4] (zero where an object is not detected),
    and object centres [T, N, 2], which are corrected for boxes that the image border truncates."""

    frames: Pixels
    boxes: Array
    middles: Array
    camera: Camera = BENCHMARK

    @staticmethod
    def of(frames: Pixels, seen: PerceivedSet, tracks: GroundTracks) -> "Recorded":
        boxes = seen.target.boxes.astype(float) * (WIDTH / seen.width)
        return Recorded(frames, boxes, tracks.centre[0].double().numpy() * WIDTH, tracks.camera)

    def path(self, number: int, first: int, last: int) -> list[Point]:
        """The centres of an object from frame `first` to `last`, where it was detected."""
        there = self.boxes[first : last + 1, number].any(axis=-1)
        return [(x, y) for x, y in self.middles[first : last + 1, number][there].tolist()]

    def between(self, pair: Pair, frame: int) -> Point | None:
        """The midpoint of two objects; None unless both are detected in the frame."""
        numbers = list(pair)
        if not self.boxes[frame, numbers].any(axis=-1).all():
            return None
        x, y = self.middles[frame, numbers].mean(axis=0).tolist()
        return x, y


class Clip:
    """The frames of a clip, drawn one by one."""

    def __init__(self, interpreted: InterpretedSet, imagining: Imagining, recorded: Recorded) -> None:
        motion = imagining.motion
        if motion is None:
            raise ValueError("Expected imagined motion to draw (got none).")
        self._interpreted, self._imagining, self._recorded = interpreted, imagining, recorded
        self._colors: list[Rgb] = [RGB[seen.spec.color] for seen in interpreted.objects]
        self._start = motion.start
        ground = motion.position[0].double().numpy()
        camera = recorded.camera.resized(WIDTH, HEIGHT)
        height = np.full((*ground.shape[:2], 1), OBJECT_RADIUS)
        self._places, depth = camera.project(np.concatenate([ground, height], axis=-1))  # [F, N, 2]
        self._radius = camera.focal * OBJECT_RADIUS / np.maximum(depth, 0.5)
        self._there = motion.there[0].numpy() & (depth > 0.5)
        self._seen = [collision for collision in recorded_collisions(interpreted) if collision.chance > LIKELY]

    def __len__(self) -> int:
        return len(self._places)

    def place(self, step: int, number: int) -> Point:
        """The imagined image position of an object."""
        x, y = self._places[step, number].tolist()
        return x, y

    def frames(self) -> Iterator[Pixels]:
        for step in range(len(self)):
            yield np.asarray(self.frame(step))

    def frame(self, step: int) -> Image.Image:
        """One frame of the clip; `step` counts from where imagination begins."""
        now = self._start + step
        image = Image.new("RGB", (2 * WIDTH + GAP, TOP + HEIGHT + BOTTOM), NIGHT)
        image.paste(self._left(now), (0, TOP))
        image.paste(self._right(step), (WIDTH + GAP, TOP))
        over = now >= len(self._recorded.frames)
        text(
            image, (10, TOP / 2), "the video has ended" if over else "the video", 13, DIM if over else BRIGHT, bold=True
        )
        text(image, (WIDTH - 130, TOP / 2), f"{now / FPS:.2f} s   frame {now}", 11, DIM)
        text(image, (WIDTH + GAP + 10, TOP / 2), self._title(), 13, MARK, bold=True)
        text(image, (2 * WIDTH + GAP - 112, TOP / 2), "white: the video", 11, DIM)
        self._log(image, 10, self._seen, now)
        self._log(image, WIDTH + GAP + 10, self._imagining.likely, now)
        return image

    def _title(self) -> str:
        if self._imagining.premise is None:
            return "what will happen"
        return f"if the {self._interpreted.names[self._imagining.who]} were {PREMISE_WORDS[self._imagining.premise]}"

    def _left(self, now: int) -> Image.Image:
        last = min(now, len(self._recorded.frames) - 1)
        pixels = self._recorded.frames[last]
        image = Image.fromarray(pixels if last == now else faded(pixels, 0.35))
        overlay = Overlay(image.size)
        for number, color in enumerate(self._colors):
            path = self._recorded.path(number, self._start, last)
            overlay.path(path, PAPER, 4.0, 0.6)
            overlay.path(path, color, 2.4)
            if self._recorded.boxes[last, number].any():
                overlay.box(self._recorded.boxes[last, number].tolist(), PAPER, 2.6)
                overlay.box(self._recorded.boxes[last, number].tolist(), color, 1.6)
        for collision in self._seen:
            place = self._recorded.between(collision.pair, last)
            if place is not None:
                self._flash(overlay, collision, now, place)
        overlay.merge(image)
        return image

    def _right(self, step: int) -> Image.Image:
        now = self._start + step
        last = min(now, len(self._recorded.frames) - 1)
        image = Image.fromarray(faded(self._recorded.frames[last]))
        overlay = Overlay(image.size)
        for number in range(len(self._colors)):
            overlay.path(self._recorded.path(number, self._start, last), PAPER, 2.0, 0.9)
        nearest_last = np.argsort(-self._radius[step, : len(self._colors)])[::-1]
        for number in nearest_last.tolist():
            self._trail(overlay, number, step)
        for number in nearest_last.tolist():
            self._ghost(overlay, number, step)
        for collision in self._imagining.likely:
            x, y = self._places[step, list(collision.pair)].mean(axis=0).tolist()
            self._flash(overlay, collision, now, (x, y))
        overlay.merge(image)
        who, premise = self._imagining.who, self._imagining.premise
        if premise is not None and self._there[step, who]:
            x, y = self.place(step, who)
            centred_tag(image, (x, y - 1.9 * self._radius[step, who] - 6), PREMISE_WORDS[premise], 11, MARK)
        return image

    def _trail(self, overlay: Overlay, number: int, step: int) -> None:
        path = self._places[: step + 1, number][self._there[: step + 1, number]]
        points = [(x, y) for x, y in path.tolist()]
        overlay.path(points, self._colors[number], 1.6, 0.8)
        for point in points[::5]:
            overlay.dot(point, 2.6, self._colors[number])

    def _ghost(self, overlay: Overlay, number: int, step: int) -> None:
        if not self._there[step, number]:
            return
        x, y = self.place(step, number)
        radius = float(self._radius[step, number])
        if self._imagining.premise is not None and number == self._imagining.who:
            overlay.ring((x, y), 1.55 * radius, MARK, 3.0)
        shape = self._interpreted.objects[number].spec.shape
        size = radius if shape is Shape.SPHERE else 1.15 * radius  # corners reach beyond the radius
        overlay.block((x, y), size, _ROUNDING[shape], self._colors[number], 0.85)

    @staticmethod
    def _flash(overlay: Overlay, collision: PossibleCollision, now: int, place: Point) -> None:
        since = now - collision.frame
        if 0 <= since < _FLASH:
            left = 1 - since / _FLASH
            overlay.burst(place, 13 + 9 * (1 - left), 0.3 + 0.65 * left)

    def _log(self, image: Image.Image, x: float, collisions: Sequence[PossibleCollision], now: int) -> None:
        """Draw the latest collisions as text, the newest at the bottom."""
        past = [collision for collision in collisions if self._start <= collision.frame <= now][-_LINES:]
        for line, collision in enumerate(past):
            new = now - collision.frame < _FLASH
            names = " and ".join(self._interpreted.names[number] for number in collision.pair)
            words = f"frame {collision.frame}: {names} collide ({percent(collision.chance)})"
            text(image, (x, TOP + HEIGHT + 14 + 22 * line), words, 11, ALARM if new else BRIGHT, bold=new)


def write_clip(path: Path, clip: Clip) -> None:
    """Write a clip as .mp4 or .gif."""
    write_film(path, clip.frames())
