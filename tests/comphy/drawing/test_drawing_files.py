"""Films are whole or not there at all."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from comphy.dataset.media.video import read_mp4
from comphy.drawing.files import write_film
from comphy.errors import ConfigError

FRAMES = [np.full((32, 48, 3), level, np.uint8) for level in (0, 120, 240)]


def test_a_film_has_its_frames(tmp_path: Path):
    write_film(tmp_path / "films" / "film.mp4", FRAMES)
    frames, rate = read_mp4(tmp_path / "films" / "film.mp4")
    assert frames.shape == (3, 32, 48, 3) and rate == 25
    write_film(tmp_path / "films" / "film.gif", FRAMES)
    with Image.open(tmp_path / "films" / "film.gif") as film:
        assert film.size == (48, 32) and getattr(film, "n_frames", 0) == 3 and film.info["duration"] == 40
    assert sorted(path.name for path in (tmp_path / "films").iterdir()) == ["film.gif", "film.mp4"]


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_a_film_that_fails_leaves_nothing(tmp_path: Path, suffix: str):
    def frames() -> Iterator[np.ndarray]:
        yield FRAMES[0]
        raise RuntimeError("out of paint")

    with pytest.raises(RuntimeError, match="out of paint"):
        write_film(tmp_path / f"film{suffix}", frames())
    assert not list(tmp_path.iterdir())


def test_another_format_is_refused(tmp_path: Path):
    with pytest.raises(ConfigError, match=r"film\.avi: expected a clip that ends in \.mp4 or \.gif"):
        write_film(tmp_path / "film.avi", FRAMES)
    assert not list(tmp_path.iterdir())
