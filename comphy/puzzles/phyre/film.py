"""An attempt as an animated GIF, under a title that tells what became of it."""

from typing import Final

from PIL import Image, ImageDraw

from comphy.puzzles.paper import INK, MUTED, PAPER, RULE, font, gif
from comphy.puzzles.phyre.attempt import Attempt
from comphy.puzzles.phyre.constants import STEPS_PER_SECOND
from comphy.puzzles.phyre.drawing import draw_bodies, rgb_of
from comphy.puzzles.phyre.scene import posed

STRIDE: Final = 3  # steps from frame to frame; 50 ms, which a GIF can tell exactly
LAST_FRAME_MS: Final = 1500
TITLE: Final = 46


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
    frames = [draw_frame(attempt, step, size) for step in steps]
    colors = {rgb_of(body.color) for body in attempt.bodies}  # a ball's mark is a shade of its own
    return gif(frames, colors, STRIDE * 1000 // STEPS_PER_SECOND, LAST_FRAME_MS)
