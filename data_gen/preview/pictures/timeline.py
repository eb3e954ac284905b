"""The objects of a set and what happens to them: a table whose rows go on as lanes of a time line."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from comphy.drawing.canvas import disc, marker, polygon
from comphy.drawing.colors import INK, MUTED, PAPER, RULE, SHADE, Rgb, edge_on_paper
from comphy.drawing.text import text
from comphy.scene.events import Event, EventKind, intervals
from comphy.scene.objects import FPS, ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS, Shape
from data_gen.preview.phrases import charge_sign
from data_gen.preview.pictures.labels import number_tag, rgb_of
from data_gen.preview.scene import PreviewSet

ROW = 40
HEAD = 30
_LANES = 520  # where the lanes begin, from the left edge of the table
_COLUMNS = {"object": 0, "mass": 320, "charge": 410}
KIND_COLOURS: dict[EventKind, Rgb] = {
    EventKind.COLLISION: INK,
    EventKind.ATTRACTION: (0, 122, 110),
    EventKind.REPULSION: (196, 84, 0),
    EventKind.IN: MUTED,
    EventKind.OUT: MUTED,
}


@dataclass(frozen=True)
class TimeLine:
    """Where things are: the table's upper left corner, its width, and the scale of time."""

    x: int
    y: int
    width: int
    frames: int

    def at(self, frame: float) -> float:
        return self.x + _LANES + frame / self.frames * (self.width - _LANES)

    def row(self, number: int) -> float:
        return self.y + HEAD + ROW * (number + 0.5)


def draw_timeline(image: Image.Image, place: tuple[int, int], width: int, scene: PreviewSet) -> int:
    """Draw the table with its lanes and return the y below it."""
    line = TimeLine(*place, width, len(scene.target.rollout))
    bottom = line.y + HEAD + ROW * len(scene.objects)
    _draw_grid(image, line, scene.target.visible_frames, bottom)
    for number, spec in enumerate(scene.objects):
        _draw_row(image, line, number, spec)
    _draw_presence(image, line, scene)
    for event in scene.target.events:
        _draw_event(image, line, event)
    _draw_legend(image, line, bottom + 44)
    return bottom + 60


def _draw_grid(image: Image.Image, line: TimeLine, visible: int, bottom: int) -> None:
    pen = ImageDraw.Draw(image)
    pen.rectangle((line.at(visible), line.y, line.at(line.frames), bottom), fill=SHADE)
    for number in range(round((bottom - line.y - HEAD) / ROW) + 1):
        y = line.y + HEAD + ROW * number
        pen.line((line.x, y, line.x + line.width, y), fill=RULE)
    for second in range(line.frames // FPS + 1):
        x = line.at(second * FPS)
        pen.line((x, line.y + HEAD, x, bottom + 5), fill=RULE)
        text(image, (x, bottom + 15), f"{second} s", 13, MUTED, anchor="mm")
    for name, offset in _COLUMNS.items():
        text(image, (line.x + offset, line.y + HEAD / 2), name, 14, MUTED)
    text(image, (line.at(0), line.y + HEAD / 2), "shown in the target video", 14, MUTED)
    middle = (line.at(visible) + line.at(line.frames)) / 2
    text(image, (middle, line.y + HEAD / 2), "hidden future", 14, MUTED, anchor="mm")


def _draw_row(image: Image.Image, line: TimeLine, number: int, spec: ObjectSpec) -> None:
    y = line.row(number)
    number_tag(image, (line.x, y), number, spec, 15)
    draw_swatch(image, (line.x + 48, y), spec)
    text(image, (line.x + 72, y), str(spec), 17)
    heavy, charged = spec.mass == HEAVY_MASS, spec.charge != 0
    text(image, (line.x + _COLUMNS["mass"], y), "heavy" if heavy else "light", 17, INK if heavy else MUTED, bold=heavy)
    sign = charge_sign(spec.charge)
    text(image, (line.x + _COLUMNS["charge"] + 20, y), sign, 19, INK if charged else MUTED, bold=charged, anchor="mm")


def draw_swatch(image: Image.Image, centre: tuple[float, float], spec: ObjectSpec) -> None:
    """The object's colour in the outline of its shape."""
    x, y = centre
    color = rgb_of(spec)
    edge = edge_on_paper(color)
    pen = ImageDraw.Draw(image)
    if spec.shape is Shape.SPHERE:
        disc(image, centre, 11, edge)
        disc(image, centre, 10, color)
    elif spec.shape is Shape.CUBE:
        pen.rectangle((x - 10, y - 10, x + 10, y + 10), fill=color, outline=edge)
    else:
        polygon(image, _cylinder(10, 12) + centre, edge)
        polygon(image, _cylinder(9, 11) + centre, color)


def _cylinder(half_width: float, half_height: float) -> NDArray[np.float64]:
    """The outline [n, 2] of a standing cylinder seen from a little above."""
    turn = np.linspace(0, np.pi, 24)
    lower = np.stack([half_width * np.cos(turn), 4 * np.sin(turn) + half_height - 4], axis=-1)
    return np.concatenate([lower, -lower])


def _draw_presence(image: Image.Image, line: TimeLine, scene: PreviewSet) -> None:
    """A bar while the object is in the picture; thin in the hidden future."""
    pen = ImageDraw.Draw(image)
    visible = scene.target.visible_frames
    for stay in intervals(scene.target.inside):
        color, y = rgb_of(scene.objects[stay.object]), line.row(stay.object)
        edge = edge_on_paper(color)
        for first, last, half in ((stay.first, min(stay.last + 1, visible), 5), (visible, stay.last + 1, 2)):
            start = max(first, stay.first)
            if start < last:
                pen.rectangle((line.at(start), y - half, line.at(last), y + half), fill=color, outline=edge)


def _draw_event(image: Image.Image, line: TimeLine, event: Event) -> None:
    x, color = line.at(event.frame), KIND_COLOURS[event.kind]
    rows = sorted(line.row(number) for number in event.objects)
    if len(rows) == 2:
        ImageDraw.Draw(image).line((x, rows[0], x, rows[1]), fill=color, width=2)
    for k, y in enumerate(rows):
        GLYPHS[event.kind](image, (x, y), k == 0)


def _dot(image: Image.Image, centre: tuple[float, float], _: bool) -> None:
    disc(image, centre, 7, PAPER)
    disc(image, centre, 5.5, KIND_COLOURS[EventKind.COLLISION])


def _wedge(kind: EventKind, inwards: bool) -> Callable[[Image.Image, tuple[float, float], bool], None]:
    """A triangle that points to the other object of the pair, or away from it."""

    def draw(image: Image.Image, centre: tuple[float, float], upper: bool) -> None:
        tip = 8 if upper == inwards else -8
        marker(image, centre, [(-7, -tip * 0.8), (7, -tip * 0.8), (0, tip)], KIND_COLOURS[kind])

    return draw


def _gate(kind: EventKind) -> Callable[[Image.Image, tuple[float, float], bool], None]:
    """A triangle in the direction of time: into the picture, or out of it."""

    def draw(image: Image.Image, centre: tuple[float, float], _: bool) -> None:
        shift = 0 if kind is EventKind.OUT else -4
        marker(image, (centre[0] + shift, centre[1]), [(-4, -8), (-4, 8), (8, 0)], KIND_COLOURS[kind])

    return draw


GLYPHS: dict[EventKind, Callable[[Image.Image, tuple[float, float], bool], None]] = {
    EventKind.COLLISION: _dot,
    EventKind.ATTRACTION: _wedge(EventKind.ATTRACTION, inwards=True),
    EventKind.REPULSION: _wedge(EventKind.REPULSION, inwards=False),
    EventKind.IN: _gate(EventKind.IN),
    EventKind.OUT: _gate(EventKind.OUT),
}


def _draw_legend(image: Image.Image, line: TimeLine, y: float) -> None:
    """Every sign of the time line once; pairs are drawn between the lanes of their objects."""
    x = line.at(0) + 8
    for kind in (EventKind.COLLISION, EventKind.ATTRACTION, EventKind.REPULSION):
        ImageDraw.Draw(image).line((x, y - 9, x, y + 9), fill=KIND_COLOURS[kind], width=2)
        GLYPHS[kind](image, (x, y - 9), True)
        GLYPHS[kind](image, (x, y + 9), False)
        x = text(image, (x + 16, y), str(kind), 14, MUTED) + 36
    for kind, words in ((EventKind.IN, "comes in"), (EventKind.OUT, "leaves")):
        GLYPHS[kind](image, (x, y), True)
        x = text(image, (x + 16, y), words, 14, MUTED) + 36
    ImageDraw.Draw(image).rectangle((x - 8, y - 5, x + 22, y + 5), fill=MUTED)
    text(image, (x + 30, y), "in the picture", 14, MUTED)
