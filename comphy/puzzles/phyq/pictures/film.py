"""A game as an animated GIF, under a title that tells what became of it."""

from collections.abc import Sequence
from typing import Final

from comphy.drawing.files import gif
from comphy.drawing.text import titled
from comphy.puzzles.phyq.pictures.drawing import (
    BIRDS_RGB,
    EGG,
    EXPLOSIVE,
    GRASS,
    MATERIALS_RGB,
    PIG,
    PLATFORM,
    SKY,
    SLING,
    draw_game,
)
from comphy.puzzles.phyq.world.constants import TIMESTEP
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.launch import Shot

STRIDE: Final = 5  # steps from frame to frame; 50 ms, which a GIF can tell exactly
LAST_FRAME_MS: Final = 1500


def film(game: Game, shots: Sequence[Shot], title: str, width: int) -> bytes:
    """Play the shots from the beginning and show it in real time, over and over."""
    game.restart()
    pictures = [(0, draw_game(game, width))]

    def watch(now: Game) -> None:
        if now.world.steps % STRIDE == 0 or now.pigs_left == 0:
            pictures.append((now.world.steps, draw_game(now, width)))

    game.play(shots, watch)
    verdict = _verdict(game, len(shots))
    frames = [titled(picture, title, verdict, step * TIMESTEP) for step, picture in pictures]
    colors = {GRASS, PLATFORM, SLING, PIG, EXPLOSIVE, EGG, *MATERIALS_RGB.values()}
    colors |= {BIRDS_RGB[bird] for bird in game.level.birds}
    return gif(frames, colors, round(1000 * STRIDE * TIMESTEP), LAST_FRAME_MS, SKY)


def _verdict(game: Game, shots: int) -> str:
    pigs = "1 pig" if game.pigs_left == 1 else f"{game.pigs_left} pigs"
    outcome = "won" if game.status is Status.WON else f"{pigs} left"
    return f"{outcome} after {shots} shot{'s' * (shots != 1)}, {game.score} points"
