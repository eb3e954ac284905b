"""What pictures become: PNG and GIF files as bytes, and films on disk."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from comphy.dataset.media.video import write_mp4
from comphy.drawing.colors import FRAME, INK, MUTED, PAPER, Rgb
from comphy.errors import ConfigError
from comphy.scene.objects import FPS

FILM_SUFFIXES: Final = (".mp4", ".gif")

_SHADES: Final = 16  # of a colour
_PRESET: Final = "veryfast"  # of drawings it makes smaller files than slower ones do
_PALEST: Final = 0.85  # share of paper; Pillow looks for colours coarsely and would take paler ones for the paper


def png(picture: Image.Image) -> bytes:
    """The bytes of a PNG file."""
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def gif(frames: Sequence[Image.Image], colors: Iterable[Rgb], frame_ms: int, last_ms: int, paper: Rgb = PAPER) -> bytes:
    """The bytes of an animation that plays over and over. `colors`: those in use, apart from ink, rules and the paper."""
    palette = _palette({INK, MUTED, *colors}, paper)
    flat = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    times = [frame_ms] * (len(flat) - 1) + [last_ms]
    file = BytesIO()
    flat[0].save(file, "GIF", save_all=True, append_images=flat[1:], duration=times, loop=0, disposal=1)
    return file.getvalue()


def _palette(colors: set[Rgb], paper: Rgb) -> Image.Image:
    """The same for all frames, so that nothing flickers: the colours in use, faded to the paper in small steps."""
    count = min(_SHADES, (256 - 3) // len(colors))
    fading = np.linspace(0.0, _PALEST, count)[:, None]
    faded = [np.array(color) * (1 - fading) + np.array(paper) * fading for color in sorted(colors)]
    shades = np.concatenate([np.array(list({PAPER: None, paper: None, FRAME: None})), *faded])
    image = Image.new("P", (1, 1))
    image.putpalette(np.rint(shades).astype(np.uint8).tobytes())
    return image


def write_film(path: Path, frames: Iterable[NDArray[np.uint8]]) -> None:
    """Write frames [height, width, 3] at 25 a second as .mp4 or .gif, under another name that is then renamed, so that no
    half film is ever seen."""
    suffix = path.suffix.lower()
    if suffix not in FILM_SUFFIXES:
        raise ConfigError(f"{path}: expected a clip that ends in .mp4 or .gif (got '{path.suffix}').")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".tmp_{path.name}")
    try:
        if suffix == ".mp4":
            write_mp4(temporary, frames, preset=_PRESET)
        else:
            first, *others = (Image.fromarray(frame) for frame in frames)
            first.save(temporary, format="GIF", save_all=True, append_images=others, duration=1000 // FPS, loop=0)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
