"""An attempt as an animated GIF, under a title that tells what became of it."""

from typing import Final

from PIL import Image

from comphy.drawing.files import gif
from comphy.drawing.text import titled
from comphy.puzzles.phyre.pictures.attempt import Attempt
from comphy.puzzles.phyre.pictures.drawing import draw_bodies, rgb_of
from comphy.puzzles.phyre.world.constants import STEPS_PER_SECOND
from comphy.puzzles.phyre.world.scene import posed

STRIDE: Final = 3  # steps from frame to frame; 50 ms, which a GIF can tell exactly
LAST_FRAME_MS: Final = 1500


def draw_frame(attempt: Attempt, step: int, size: int) -> Image.Image:
    """The bodies after a step below a title: the task, the verdict, and the time."""
    picture = draw_bodies(posed(attempt.bodies, attempt.poses[step]), size)
    title = f"{attempt.puzzle.id}  {attempt.puzzle.template.name}"
    return titled(picture, title, attempt.verdict, step / STEPS_PER_SECOND)


def film(attempt: Attempt, size: int) -> bytes:
    """The GIF file; it plays in real time, over and over."""
    steps = sorted({*range(0, attempt.steps + 1, STRIDE), attempt.steps})
    frames = [draw_frame(attempt, step, size) for step in steps]
    colors = {rgb_of(body.color) for body in attempt.bodies}  # a ball's mark is a shade of its own
    return gif(frames, colors, STRIDE * 1000 // STEPS_PER_SECOND, LAST_FRAME_MS)
