"""Turns of a conversation with a model: text, and frames of videos.

Shapes: T frames of H x W pixels.
"""

import base64
import io
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

Role = Literal["system", "user", "assistant"]
_JPEG_QUALITY: Final = 95


@dataclass(frozen=True, eq=False)
class Clip:
    """Frames of one video in their order, 8-bit RGB [T, H, W, 3]."""

    frames: NDArray[np.uint8]

    @cached_property
    def pictures(self) -> tuple[str, ...]:
        """Every frame as a data URL, which the chat protocol takes for a picture."""
        return tuple(map(_data_url, self.frames))


Part = str | Clip


@dataclass(frozen=True)
class Message:
    """One turn. Most have text alone; one that shows videos has its texts and clips in their order."""

    role: Role
    content: str | tuple[Part, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        return (self.content,) if isinstance(self.content, str) else self.content

    @property
    def text(self) -> str:
        """What is said, without what is shown."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    def record(self) -> dict[str, Any]:
        """As the chat protocol has it: every frame is a picture of its own."""
        if isinstance(self.content, str):
            return {"role": self.role, "content": self.content}
        return {"role": self.role, "content": [record for part in self.content for record in _records(part)]}


def _records(part: Part) -> list[dict[str, Any]]:
    if isinstance(part, str):
        return [{"type": "text", "text": part}]
    return [{"type": "image_url", "image_url": {"url": url}} for url in part.pictures]


def _data_url(frame: NDArray[np.uint8]) -> str:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(frame).save(file, "JPEG", quality=_JPEG_QUALITY)
    return f"data:image/jpeg;base64,{base64.b64encode(file.getvalue()).decode()}"
