"""An attempt as an animated GIF, under a title that tells what became of it."""

from io import BytesIO
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from comphy.puzzles.phyre.attempt import Attempt
from comphy.puzzles.phyre.constants import STEPS_PER_SECOND
from comphy.puzzles.phyre.drawing import INK, MUTED, PAPER, RULE, Rgb, draw_bodies, font, rgb_of
from comphy.puzzles.phyre.scene import posed

STRIDE: Final = 3  # steps from frame to frame; 50 ms, which a GIF can tell exactly
LAST_FRAME_MS: Final = 1500
TITLE: Final = 46
_SHADES: Final = 16  # of a colour
_PALEST: Final = 0.85  # share of paper; Pillow looks for colours coarsely and would take paler ones for the paper


def draw_frame(attempt: Attempt, step: int, size: int) -> Image.Image:
    """The bodies after a step below a title: the task, the verdict, and the time."""
    frame = Image.new("RGB", (size, size + TITLE), PAPER)
    frame.paste(draw_bodies(posed(attempt.bodies, attempt.poses[step]), size), (0, TITLE))
    pen = ImageDraw.Draw(frame)
    pen.line((0, TITLE - 1, size, TITLE - 1), fill=RULE)
    pen.text((10, 6), f"{attempt.puzzle.id}  {attempt.puzzle.template.name}", fill=INK, font=font(15))
    pen.text((10, 26), attempt.verdict, fill=MUTED, font=font(13))
    pen.text((size - 10, 26), f"{step / STEPS_PER_SECOND:.1f} s", fill=MUTED, font=font(13), anchor="ra")
    return frame


def film(attempt: Attempt, size: int) -> bytes:
    """The GIF file; it plays in real time, over and over."""
    steps = sorted({*range(0, attempt.steps + 1, STRIDE), attempt.steps})
    palette = _palette(attempt)
    frames = [draw_frame(attempt, step, size).quantize(palette=palette, dither=Image.Dither.NONE) for step in steps]
    times = [STRIDE * 1000 // STEPS_PER_SECOND] * (len(frames) - 1) + [LAST_FRAME_MS]
    file = BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, disposal=1)
    return file.getvalue()


def _palette(attempt: Attempt) -> Image.Image:
    """The same for all frames, so that nothing flickers: the colours in use, faded to the paper in small steps. A ball's
    mark is one of them."""
    colors: set[Rgb] = {INK, MUTED, *(rgb_of(body.color) for body in attempt.bodies)}
    fading = np.linspace(0.0, _PALEST, _SHADES)[:, None]
    faded = [np.array(color) * (1 - fading) + np.array(PAPER) * fading for color in sorted(colors)]
    shades = np.concatenate([np.array([PAPER, RULE]), *faded])
    image = Image.new("P", (1, 1))
    image.putpalette(np.rint(shades).astype(np.uint8).tobytes())
    return image
