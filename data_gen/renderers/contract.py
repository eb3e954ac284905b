"""The contract both renderers keep: clips and a camera in, 8-bit sRGB frames out, nothing else."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from comphy.scene.camera import Camera
from comphy.scene.clip import Clip

Frames = NDArray[np.uint8]


class Renderer(Protocol):
    """Draws clips. The same clip, camera and settings give the same frames, whatever else is in the batch."""

    name: str

    def render(self, clips: Sequence[Clip], camera: Camera) -> Iterator[Frames]:
        """Yield frames [frames, height, width, 3] for each clip, in order."""
        ...

    def close(self) -> None:
        """End helper processes and free devices; the renderer is not used afterwards."""
        ...
