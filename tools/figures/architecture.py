#!/usr/bin/env python
"""Draw docs/pictures/architecture.svg: the packages, the way of a video set and the way of a question.

python tools/figures/architecture.py docs/pictures/architecture.svg
"""

from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final

import typer

from comphy.command import build_app, console
from comphy.files import write_bytes

WIDTH: Final = 1120
HEIGHT: Final = 690
BLUE: Final = "#1f6fb2"  # the way of a video set
ORANGE: Final = "#c2570c"  # the way of a question
INK: Final = "#1c2430"
QUIET: Final = "#5b6676"
FONT: Final = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


@dataclass(frozen=True)
class Box:
    """A rounded box with a name and a line of words."""

    x: int
    y: int
    width: int
    name: str
    words: str
    height: int = 62
    fill: str = "#ffffff"

    @property
    def left(self) -> tuple[int, int]:
        return self.x, self.y + self.height // 2

    @property
    def right(self) -> tuple[int, int]:
        return self.x + self.width, self.y + self.height // 2

    @property
    def top(self) -> tuple[int, int]:
        return self.x + self.width // 2, self.y

    @property
    def bottom(self) -> tuple[int, int]:
        return self.x + self.width // 2, self.y + self.height

    def svg(self) -> str:
        middle = self.x + self.width // 2
        return (
            f'<rect x="{self.x}" y="{self.y}" width="{self.width}" height="{self.height}" rx="7" fill="{self.fill}" '
            f'stroke="#aab4c2"/>'
            + _text(middle, self.y + self.height // 2 - 5, self.name, 14, INK, "middle", bold=True)
            + _text(middle, self.y + self.height // 2 + 14, self.words, 11, QUIET, "middle")
        )


def _text(x: int, y: int, words: str, size: int, color: str, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}" text-anchor="{anchor}"{weight}>{escape(words)}</text>'
    )


def _lane(y: int, height: int, title: str, words: str, fill: str) -> str:
    return (
        f'<rect x="16" y="{y}" width="{WIDTH - 32}" height="{height}" rx="10" fill="{fill}"/>'
        + _text(WIDTH - 36, y + 26, title, 16, INK, "end", bold=True)
        + _text(WIDTH - 52 - 11 * len(title), y + 26, words, 12, QUIET, "end")
    )


def _arrow(color: str, *points: tuple[int, int]) -> str:
    way = " ".join(f"{x},{y}" for x, y in points)
    head = "blue" if color == BLUE else "orange"
    return f'<polyline points="{way}" fill="none" stroke="{color}" stroke-width="2.4" marker-end="url(#{head})"/>'


def _chain(color: str, boxes: list[Box]) -> str:
    return "".join(_arrow(color, one.right, (after.left[0] - 3, after.left[1])) for one, after in pairwise(boxes))


def _head(name: str, color: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="6" markerHeight="6" orient="auto">'
        f'<path d="M0,0 L10,5 L0,10 z" fill="{color}"/></marker>'
    )


def draw() -> str:
    """The picture as SVG without outside resources."""
    made = [
        Box(40, 148, 150, "sampling", "draws scenes by rules"),
        Box(236, 148, 150, "World", "comphy/sim: rollouts", fill="#eef5ea"),
        Box(432, 148, 150, "renderers", "raytrace or blender"),
        Box(628, 148, 170, "video set on disk", "comphy/dataset", fill="#eef5ea"),
    ]
    asked = Box(884, 148, 180, "questions", "comphy/questions", fill="#eef5ea")
    seen = [
        Box(40, 312, 130, "perceiver", "detect, track, align"),
        Box(196, 312, 118, "tracks", "ground plane"),
        Box(340, 312, 124, "grounding", "attributes, events"),
        Box(490, 312, 124, "properties", "mass and charge"),
        Box(640, 312, 118, "dynamics", "learned laws"),
        Box(784, 312, 124, "reasoner", "scene, imagination"),
    ]
    parser = Box(340, 424, 124, "parser", "question to program")
    executor = Box(640, 424, 118, "executor", "soft operators")
    asking = Box(934, 424, 146, "asking", "answer, steps, clip")
    science = [
        ("sim", "World, Rollout"),
        ("scene", "objects, camera"),
        ("programs", "op table, executor"),
        ("questions", "templates, balance"),
        ("dataset", "format, checks"),
        ("puzzles", "PHYRE, Phy-Q"),
        ("evaluation", "scores, tests"),
    ]
    parts = [
        _lane(64, 168, "data_gen", "makes data (no learning)", "#e8f0fa"),
        _lane(250, 260, "models", "learn (no pybullet, no Blender)", "#fcf0e6"),
        _lane(528, 142, "comphy", "the science: what both packages import; it imports neither", "#e9f2e4"),
        _text(32, 40, "tools and the comphy command", 16, INK, bold=True),
        _text(350, 40, "generate  check  preview  train  perceive  evaluate  ask  phyre  phyq  bench", 13, QUIET),
        _text(40, 128, "the way of a video set", 13, BLUE, bold=True),
        _text(196, 298, "the way of a question", 13, ORANGE, bold=True),
        _chain(BLUE, made),
        _arrow(BLUE, made[-1].right, (asked.left[0] - 3, asked.left[1])),
        _arrow(BLUE, made[-1].bottom, (713, 241), (105, 241), (105, 309)),
        _text(640, 259, "videos", 13, BLUE),
        _chain(ORANGE, seen),
        _arrow(ORANGE, seen[-1].bottom, (846, 400), (699, 400), (699, 421)),
        _arrow(ORANGE, (200, 455), (parser.left[0] - 3, 455)),
        _text(48, 452, '"If the red cube were', 12, ORANGE),
        _text(48, 468, 'lighter, what would …?"', 12, ORANGE),
        _arrow(ORANGE, parser.right, (executor.left[0] - 3, 455)),
        _text(518, 447, "program", 12, ORANGE),
        _arrow(ORANGE, executor.right, (asking.left[0] - 3, 455)),
        _text(820, 447, "answer", 12, ORANGE),
    ]
    boxes = [*made, asked, *seen, parser, executor, asking]
    width = (WIDTH - 80 - 6 * 12) // 7
    boxes += [Box(40 + k * (width + 12), 572, width, name, words) for k, (name, words) in enumerate(science)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONT}">'
        f"<title>Packages of comphy, the way of a video set and the way of a question</title>"
        f"<defs>{_head('blue', BLUE)}{_head('orange', ORANGE)}</defs>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="12" fill="#fbfcfd"/>'
        + "\n".join(parts + [box.svg() for box in boxes])
        + "</svg>\n"
    )


def main(
    out: Annotated[Path, typer.Argument(help="The picture.")] = Path("docs/pictures/architecture.svg"),
) -> None:
    """Draw the architecture.

    Example: python tools/figures/architecture.py docs/pictures/architecture.svg
    """
    write_bytes(out, draw().encode())
    console.print(str(out))


app = build_app(main)

if __name__ == "__main__":
    app()
