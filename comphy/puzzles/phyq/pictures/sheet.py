"""A contact sheet: a row for each scenario, with all its templates."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from PIL import Image, ImageDraw

from comphy.drawing.colors import FRAME, INK, MUTED, PAPER
from comphy.drawing.text import caption_font
from comphy.puzzles.phyq.pictures.drawing import around, draw_level
from comphy.puzzles.phyq.templates.published import Template

CELL: Final = 220
ASPECT: Final = 0.7
GAP: Final = 14
CAPTION: Final = 24
TITLE: Final = 190


def draw_sheet(templates: Iterable[Template]) -> Image.Image:
    rows = [list(row) for _, row in groupby(templates, key=lambda template: template.scenario)]
    height = round(CELL * ASPECT)
    columns = max(map(len, rows))
    sheet = Image.new("RGB", (TITLE + columns * (CELL + GAP), GAP + len(rows) * (height + CAPTION + GAP)), PAPER)
    pen = ImageDraw.Draw(sheet)
    for k, row in enumerate(rows):
        y = GAP + k * (height + CAPTION + GAP)
        pen.text((GAP, y), f"{row[0].scenario}", fill=MUTED, font=caption_font(20))
        pen.text((GAP, y + 26), row[0].scenario_name, fill=INK, font=caption_font(16))
        for column, template in enumerate(row):
            x = TITLE + column * (CELL + GAP)
            view = around(template.level.things, ASPECT)
            sheet.paste(draw_level(template.level, CELL, view).resize((CELL, height)), (x, y))
            pen.rectangle((x - 1, y - 1, x + CELL, y + height), outline=FRAME)
            pen.text((x, y + height + 4), template.id, fill=INK, font=caption_font(13))
            pen.text((x + 40, y + height + 4), template.split, fill=MUTED, font=caption_font(13))
    return sheet
