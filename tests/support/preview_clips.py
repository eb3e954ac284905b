"""Clips of previews that are drawn quickly."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from data_gen.preview.pictures import clip

CLIP_WIDTH = 240


@contextmanager
def small_preview_clips() -> Iterator[None]:
    """Clips have a quarter of their width: four hundred large frames take long to draw."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clip, "_PEN", replace(clip._PEN, width=CLIP_WIDTH))
        yield
