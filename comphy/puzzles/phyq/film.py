"""A game as an animated GIF, under a title that tells what became of it."""

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from comphy.puzzles.paper import INK, MUTED, PAPER, RULE, font, gif
from comphy.puzzles.phyq.constants import TIMESTEP
from comphy.puzzles.phyq.drawing import (
    BIRDS_RGB,
    EGG,
    EXPLOSIVE,
    GRASS,
    MATERIALS,
    PIG,
    PLATFORM,
    SKY,
    SLING,
    draw_game,
)
from comphy.puzzles.phyq.game import Game, Status
from comphy.puzzles.phyq.launch import Shot

STRIDE: Final = 5  # steps from frame to frame; 50 ms, which a GIF can tell exactly
LAST_FRAME_MS: Final = 1500
TITLE: Final = 46


def film(game: Game, shots: Sequence[Shot], title: str, width: int) -> bytes:
    """Play the shots from the beginning and show it in real time, over and over."""
    game.restart()
    pictures = [(0, draw_game(game, width))]

    def watch(now: Game) -> None:
        if now.stage.steps % STRIDE == 0 or now.pigs_left == 0:
            pictures.append((now.stage.steps, draw_game(now, width)))

    game.play(shots, watch)
    verdict = _verdict(game, len(shots))
    frames = [_framed(picture, title, verdict, step) for step, picture in pictures]
    colors = {GRASS, PLATFORM, SLING, PIG, EXPLOSIVE, EGG, *MATERIALS.values()}
    colors |= {BIRDS_RGB[bird] for bird in game.level.birds}
    return gif(frames, colors, round(1000 * STRIDE * TIMESTEP), LAST_FRAME_MS, SKY)


def _verdict(game: Game, shots: int) -> str:
    pigs = "1 pig" if game.pigs_left == 1 else f"{game.pigs_left} pigs"
    outcome = "won" if game.status is Status.WON else f"{pigs} left"
    return f"{outcome} after {shots} shot{'s' * (shots != 1)}, {game.score} points"


def _framed(picture: Image.Image, title: str, verdict: str, step: int) -> Image.Image:
    frame = Image.new("RGB", (picture.width, picture.height + TITLE), PAPER)
    frame.paste(picture, (0, TITLE))
    pen = ImageDraw.Draw(frame)
    pen.line((0, TITLE - 1, picture.width, TITLE - 1), fill=RULE)
    pen.text((10, 6), title, fill=INK, font=font(15))
    pen.text((10, 26), verdict, fill=MUTED, font=font(13))
    pen.text((picture.width - 10, 26), f"{step * TIMESTEP:.1f} s", fill=MUTED, font=font(13), anchor="ra")
    return frame
