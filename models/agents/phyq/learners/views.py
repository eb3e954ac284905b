"""What a network sees of states: planes that are painted from boxes on the device, with new noise each time, or pictures.

Shape shorthand: B states of a batch, S states, N objects.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from comphy.puzzles.phyq.benchmark.contract import View
from comphy.puzzles.phyq.benchmark.observing.scene import (
    HEIGHT,
    REDUCED,
    SHIFTS,
    WIDTH,
    Kind,
    is_exact,
    noisy_scene,
    scene_of_level,
    screenshot,
)
from comphy.puzzles.phyq.world.level import Level

ROWS: Final = HEIGHT // REDUCED
COLUMNS: Final = WIDTH // REDUCED
CHANNELS: Final = {View.PLANES: len(Kind), View.IMAGE: 3}
_NOTHING: Final = -1  # in place of a kind
_OUTSIDE: Final = -(10**4)  # pixels; where nothing is painted


class Views(ABC):
    """Shows states to a network."""

    @abstractmethod
    def __call__(self, states: NDArray[np.int64], rng: np.random.Generator) -> Tensor:
        """[B, C, 120, 160], from 0 to 1. `rng` draws the noise."""


class PlaneViews(Views):
    """The observation `planes`: the same numbers as the environment's, to the bit."""

    def __init__(self, levels: Sequence[Level], device: torch.device) -> None:
        scenes = [[(one.kind, one.box) for one in scene_of_level(level)] for level in levels]
        most = max(map(len, scenes))
        kinds = np.full((len(levels), most), _NOTHING, np.int64)
        boxes = np.full((len(levels), most, 4), _OUTSIDE, np.int16)
        for row, scene in enumerate(scenes):
            for place, (kind, box) in enumerate(scene):
                kinds[row, place], boxes[row, place] = kind, box
        self._kinds, self._boxes = torch.from_numpy(kinds).to(device), torch.from_numpy(boxes).to(device)
        noisy = [not is_exact(kind) for kind in Kind]
        self._noisy = torch.tensor([*noisy, False], device=device)  # the last is that of nothing
        self._shifts = np.array(SHIFTS, np.int16)

    def __call__(self, states: NDArray[np.int64], rng: np.random.Generator) -> Tensor:
        rows = torch.from_numpy(states).to(self._kinds.device)
        kinds, boxes = self._kinds[rows], self._boxes[rows]
        drawn = self._shifts[rng.integers(len(self._shifts), size=tuple(kinds.shape))]
        shifts = torch.from_numpy(drawn).to(kinds.device) * self._noisy[kinds][..., None]
        return painted(kinds, boxes + shifts.repeat(1, 1, 2))


def painted(kinds: Tensor, boxes: Tensor) -> Tensor:
    """Planes [B, 12, 120, 160] of kinds [B, N] in boxes [B, N, 4] of pixels: left, top, right, bottom."""
    left, top, right, bottom = torch.div(boxes, REDUCED, rounding_mode="floor").unbind(-1)
    columns, rows = (torch.arange(size, device=boxes.device) for size in (COLUMNS, ROWS))
    across = (columns >= left[..., None]) & (columns <= right[..., None])  # [B, N, 160]
    down = (rows >= top[..., None]) & (rows <= bottom[..., None])  # [B, N, 120]
    of_kind = kinds[:, None] == torch.arange(len(Kind), device=boxes.device)[:, None]  # [B, 12, N]
    weights = (of_kind[:, :, None] & down.transpose(1, 2)[:, None]).flatten(1, 2)  # [B, 12 * 120, N]
    counts = torch.bmm(weights.float(), across.float())
    return (counts > 0).float().unflatten(1, (len(Kind), ROWS))


class ImageViews(Views):
    """Screenshots at a quarter of their size. Drawing is slow, so each state is drawn once, when it is first wanted, with
    noise that depends on its number alone."""

    def __init__(self, levels: Sequence[Level], device: torch.device, seed: int) -> None:
        self._levels, self._device, self._seed = levels, device, seed
        self._drawn: dict[int, Tensor] = {}

    def __call__(self, states: NDArray[np.int64], rng: np.random.Generator) -> Tensor:
        return torch.stack([self._view(state) for state in states.tolist()]).float() / 255

    def _view(self, state: int) -> Tensor:
        if state not in self._drawn:
            noise = np.random.default_rng([self._seed, state])
            scene = noisy_scene(scene_of_level(self._levels[state]), noise)
            self._drawn[state] = reduced_image(screenshot(scene)).to(self._device)
        return self._drawn[state]


def make_views(view: View, levels: Sequence[Level], device: torch.device, seed: int) -> Views:
    return ImageViews(levels, device, seed) if view is View.IMAGE else PlaneViews(levels, device)


def as_input(view: View, seen: NDArray[np.uint8]) -> Tensor:
    """What the evaluator shows, as a batch of one [1, C, 120, 160]."""
    shown = reduced_image(seen) / 255 if view is View.IMAGE else torch.from_numpy(seen)
    return shown.float()[None]


def reduced_image(picture: NDArray[np.uint8]) -> Tensor:
    """A screenshot [480, 640, 3] as [3, 120, 160], by the mean of each square of pixels."""
    totals = np.zeros((ROWS, COLUMNS, 3), np.uint16)
    for row, column in product(range(REDUCED), repeat=2):  # five times as fast as a mean over two axes
        totals += picture[row::REDUCED, column::REDUCED]
    means: NDArray[Any] = totals / REDUCED**2
    return torch.from_numpy(means.round().astype(np.uint8)).permute(2, 0, 1)
