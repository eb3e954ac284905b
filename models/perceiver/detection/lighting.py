"""Videos under other light than that of training are brought to it before a detector sees them.

A detector knows the light of the frames it learned from. A camera with another exposure, contrast or white balance changes
all pixels alike, and most pixels show the floor: so the floor and its brightest parts tell what happened, and an affine
change of each colour channel undoes it. Frames whose light is about that of training are left as they are, to the bit.

Shapes: F frames of a video [F, H, W, 3].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor

FLOOR_BAND: Final = (0.60, 0.80)  # pixels by brightness: of the floor, beyond shadows and dark objects …
HIGHLIGHT_BAND: Final = (0.975, 0.995)  # … and of its brightest parts, without the gloss of metal
CLIPPED: Final = 245.0  # a highlight from here on has lost its brightness, and tells nothing about contrast
KNOWN_LEVEL: Final = 0.10  # share by which the floor's brightness may differ before frames are changed
KNOWN_CONTRAST: Final = 1.25  # and the factor by which contrast may
STRONGEST: Final = 2.0  # factor by which light is changed at most; highlights that ask for more are of another floor
FRAMES, PIXELS = 16, 4  # of a video so many frames are looked at, and of them every so many-th row and column

Levels = tuple[float, float, float]


@dataclass(frozen=True)
class Lighting:
    """Mean values of red, green and blue on the floor of videos, and on its brightest parts."""

    floor: Levels
    highlight: Levels

    @staticmethod
    def of(frames: Tensor) -> "Lighting":
        step = max(1, len(frames) // FRAMES)
        pixels = frames[::step, ::PIXELS, ::PIXELS].reshape(-1, 3).float()
        ordered = pixels[pixels.sum(dim=1).argsort(stable=True)]
        floor, highlight = (_band_mean(ordered, *band) for band in (FLOOR_BAND, HIGHLIGHT_BAND))
        return Lighting(floor, highlight)

    @staticmethod
    def from_record(record: dict[str, Any]) -> "Lighting":
        return Lighting(_levels(record["floor"]), _levels(record["highlight"]))

    def record(self) -> dict[str, list[float]]:
        return {"floor": list(self.floor), "highlight": list(self.highlight)}

    def adapted(self, frames: Tensor) -> Tensor:
        """Frames of one video under this light; the same tensor where they are about so already."""
        seen = Lighting.of(frames)
        gain = self._gain(seen)
        if gain is None:
            return frames
        offset = torch.tensor(self.floor) - gain * torch.tensor(seen.floor)
        changed = frames.float() * gain.to(frames.device) + offset.to(frames.device)
        return changed.round().clamp(0, 255).to(frames.dtype)

    def _gain(self, seen: "Lighting") -> Tensor | None:
        """The factor [3] of each channel's differences from the floor; none where the light is about this one."""
        known, known_highlight = torch.tensor(self.floor), torch.tensor(self.highlight)
        floor, highlight = torch.tensor(seen.floor).clamp(min=1), torch.tensor(seen.highlight)
        level = known / floor
        contrast = float((known_highlight - known).mean() / (highlight - floor).mean().clamp(min=1))
        tells_contrast = float(highlight.max()) < CLIPPED and 1 / STRONGEST <= contrast <= STRONGEST
        same_level = bool(((level - 1).abs() <= KNOWN_LEVEL).all())
        same_contrast = 1 / KNOWN_CONTRAST <= contrast <= KNOWN_CONTRAST
        if same_level and (same_contrast or not tells_contrast):
            return None
        # Light changes by a factor; only where that does not explain the highlights has contrast changed as well.
        explained = 1 / KNOWN_CONTRAST <= contrast / float(level.mean()) <= KNOWN_CONTRAST
        if tells_contrast and not explained:
            level = torch.full((3,), contrast)
        return level.clamp(1 / STRONGEST, STRONGEST)


def _levels(values: Sequence[Any]) -> Levels:
    red, green, blue = map(float, values)
    return red, green, blue


def _band_mean(ordered: Tensor, lowest: float, highest: float) -> Levels:
    count = len(ordered)
    first = min(int(lowest * count), count - 1)
    return _levels(ordered[first : max(first + 1, int(highest * count))].mean(dim=0).tolist())


STUDIO: Final = Lighting((175.4, 175.4, 175.4), (202.0, 202.0, 202.0))  # of the benchmark's renderers, both alike
