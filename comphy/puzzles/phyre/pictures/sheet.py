"""A contact sheet: one scene of each template with its id and name."""

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from comphy.drawing.colors import FRAME, INK, MUTED, PAPER
from comphy.drawing.text import caption_font
from comphy.puzzles.phyre.benchmark.puzzle import Puzzle
from comphy.puzzles.phyre.pictures.drawing import draw_bodies

COLUMNS: Final = 5
SCENE: Final = 220
GAP: Final = 20
CAPTION: Final = 42


def draw_sheet(puzzles: Sequence[Puzzle]) -> Image.Image:
    """Five scenes a row, in their order."""
    rows = -(-len(puzzles) // COLUMNS)
    columns = min(COLUMNS, len(puzzles))
    size = (GAP + columns * (SCENE + GAP), GAP + rows * (SCENE + CAPTION + GAP // 2))
    sheet = Image.new("RGB", size, PAPER)
    for k, puzzle in enumerate(puzzles):
        row, column = divmod(k, COLUMNS)
        _draw_cell(sheet, puzzle, GAP + column * (SCENE + GAP), GAP + row * (SCENE + CAPTION + GAP // 2))
    return sheet


def _draw_cell(sheet: Image.Image, puzzle: Puzzle, x: int, y: int) -> None:
    sheet.paste(draw_bodies(puzzle.scene.bodies, SCENE), (x, y))
    pen = ImageDraw.Draw(sheet)
    pen.rectangle((x - 1, y - 1, x + SCENE, y + SCENE), outline=FRAME)
    pen.text((x, y + SCENE + 6), puzzle.template.id, fill=MUTED, font=caption_font(11))
    pen.text((x, y + SCENE + 19), puzzle.template.name, fill=INK, font=caption_font(14))
