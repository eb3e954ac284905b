"""What previews draw over a frame: boxes, velocity arrows, and labels that keep clear of one another."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from comphy.drawing.canvas import polygon
from comphy.drawing.colors import INK, Rgb, readable_on
from comphy.drawing.text import tag, tag_width
from comphy.scene.camera import Camera
from comphy.scene.events import MOVING_SPEED
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS
from data_gen.preview.phrases import charge_sign
from data_gen.preview.pictures.labels import rgb_of
from data_gen.preview.scene import PreviewVideo

Array = NDArray[np.float64]
Box = tuple[float, float, float, float]

ARROW_SECONDS = 0.5  # an arrow points to where the object would be after this time
_SHORTEST_ARROW = 4.0  # shaft widths; a shorter one would be all head


@dataclass(frozen=True)
class Pen:
    """Sizes, in pixels of the finished picture."""

    width: int  # of the whole frame
    label: int  # letters
    line: int  # boxes
    arrow: float  # shaft
    hidden: bool  # whether labels tell mass and charge


def annotate(pixels: NDArray[np.uint8], video: PreviewVideo, frame: int, camera: Camera, pen: Pen) -> Image.Image:
    """The frame at the pen's width with every visible object boxed, labelled, and given its arrow."""
    scale = pen.width / pixels.shape[1]
    size = (pen.width, round(pixels.shape[0] * scale))
    image = Image.fromarray(pixels).resize(size, Image.Resampling.BICUBIC)
    seen = [i for i in range(len(video.objects)) if video.visibility[frame, i] > 0]
    boxes = [_box(video.boxes[frame, i] * (pen.width / camera.width)) for i in seen]
    for i, box in zip(seen, boxes, strict=True):
        draw_box(image, box, rgb_of(video.objects[i]), pen.line)
    tips: list[Box] = []
    for i, (start, end) in arrows(video, frame, camera).items():
        start, end = start * pen.width / camera.width, end * pen.width / camera.width
        draw_arrow(image, start, end, pen.arrow, rgb_of(video.objects[i]))
        tips.append(_box(np.concatenate([end - 3 * pen.arrow, end + 3 * pen.arrow])))
    labels = [_label(video.numbers[i], video.objects[i], pen.hidden) for i in seen]
    places = place_labels(boxes, [_label_size(label, pen.label) for label in labels], size, tips)
    for (x, y), label in zip(places, labels, strict=True):
        for words, color in label:
            x = tag(image, (x, y + 0.725 * pen.label), words, pen.label, color) + 2
    return image


def arrows(video: PreviewVideo, frame: int, camera: Camera) -> dict[int, tuple[Array, Array]]:
    """Start and end, in the camera's pixels, of the velocity arrow of each visible moving object."""
    positions, velocities = video.rollout.positions[frame], video.rollout.velocities[frame]
    here, _ = camera.project(positions)
    ahead = here + image_velocity(positions, velocities, camera) * ARROW_SECONDS
    moving = (np.linalg.norm(velocities, axis=-1) > MOVING_SPEED) & (video.visibility[frame] > 0)
    return {int(i): (here[i], ahead[i]) for i in np.flatnonzero(moving)}


def image_velocity(positions: Array, velocities: Array, camera: Camera) -> Array:
    """Pixels per second at which world points appear to move; the derivative of `Camera.project`."""
    right, down, forward = camera.axes()
    offset = positions - np.asarray(camera.position, float)
    depth, approach = offset @ forward, velocities @ forward
    across = [(velocities @ axis - (offset @ axis) * approach / depth) / depth for axis in (right, down)]
    return camera.focal * np.stack(across, axis=-1)


def draw_box(image: Image.Image, box: Box, color: Rgb, line: int) -> None:
    """An outline whose inner edge is the box, with a hair of contrast around it."""
    x0, y0, x1, y1 = (round(c) for c in box)
    pen = ImageDraw.Draw(image)
    outer = (x0 - line - 1, y0 - line - 1, x1 + line, y1 + line)
    pen.rectangle(outer, outline=readable_on(color))
    pen.rectangle((outer[0] + 1, outer[1] + 1, outer[2] - 1, outer[3] - 1), outline=color, width=line)


def draw_arrow(image: Image.Image, start: Array, end: Array, width: float, color: Rgb) -> None:
    if np.linalg.norm(end - start) < _SHORTEST_ARROW * width:
        return
    polygon(image, arrow_outline(start, end, width, edge=max(1.0, 0.4 * width)), readable_on(color))
    polygon(image, arrow_outline(start, end, width), color)


def arrow_outline(start: Array, end: Array, width: float, edge: float = 0.0) -> Array:
    """Corners [7, 2] of an arrow with shaft `width`, grown by `edge` on all sides."""
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]])
    half, wing, head = width / 2 + edge, 1.7 * width + 1.8 * edge, 3.2 * width
    neck, tip, tail = end - along * (head + edge), end + along * 2.2 * edge, start - along * edge
    sides = [tail + across * half, neck + across * half, neck + across * wing, tip]
    return np.array([*sides, neck - across * wing, neck - across * half, tail - across * half])


def place_labels(
    boxes: Sequence[Box], sizes: Sequence[tuple[float, float]], bounds: tuple[int, int], obstacles: Sequence[Box] = ()
) -> list[Array]:
    """Upper left corners of labels beside their boxes, chosen one by one so that they hide as little as possible."""
    taken: list[Box] = []
    places = []
    for k, (box, (width, height)) in enumerate(zip(boxes, sizes, strict=True)):
        others = [*boxes[:k], *boxes[k + 1 :], *obstacles]
        limit = np.array(bounds) - (width, height)
        candidates = [np.clip(place, 0, np.maximum(limit, 0)) for place in _around(box, width, height)]
        costs = []
        for preference, (x, y) in enumerate(candidates):
            area = (x, y, x + width, y + height)
            hidden = 8 * sum(overlap(area, t) for t in taken) + sum(overlap(area, b) for b in others)
            costs.append(hidden + 0.5 * overlap(area, box) + preference)
        place = candidates[int(np.argmin(costs))]
        taken.append((place[0], place[1], place[0] + width, place[1] + height))
        places.append(place)
    return places


def overlap(a: Box, b: Box) -> float:
    """Area shared by two boxes."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _around(box: Box, width: float, height: float) -> list[tuple[float, float]]:
    x0, y0, x1, y1 = box
    gap = 5
    above, below, right, left = y0 - height - gap, y1 + gap, x1 + gap, x0 - width - gap
    return [
        (x0, above),
        (x0, below),
        (right, y0),
        (left, y0),
        (right, below),
        (left, below),
        (right, above),
        (left, above),
    ]


def _label(number: int, spec: ObjectSpec, hidden: bool) -> list[tuple[str, Rgb]]:
    label = [(str(number), rgb_of(spec))]
    if hidden and spec.mass == HEAVY_MASS:
        label.append(("heavy", INK))
    if hidden and spec.charge:
        label.append((charge_sign(spec.charge), INK))
    return label


def _label_size(label: list[tuple[str, Rgb]], size: int) -> tuple[float, float]:
    return sum(tag_width(words, size) for words, _ in label) + 2 * (len(label) - 1), 1.45 * size


def _box(corners: Array) -> Box:
    x0, y0, x1, y1 = corners.tolist()
    return x0, y0, x1, y1
