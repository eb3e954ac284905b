"""The embedded renderer: analytic ray tracing in elementwise torch, compiled for the CPU or the GPU.

The ground is drawn once per camera; of each frame only the tiles around objects and their shadows are traced, the
former with several samples per pixel. A tile takes into account every object that has any effect there, so that
neighbouring tiles agree.

Shape shorthand: F frames, T tiles, S samples per pixel, P pixels per tile, N = S * P.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from comphy.errors import ConfigError
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from data_gen.renderers.contract import Frames
from data_gen.renderers.raytrace.compilation import KernelRunner
from data_gen.renderers.raytrace.kernels import (
    State,
    finish_ground,
    finish_objects,
    initial_hits,
    initial_light,
    initial_reflections,
    mirror_pass,
    shade_ground_pass,
    shade_pass,
    tone_map,
    trace_pass,
)
from data_gen.renderers.raytrace.scene import SceneBatch, pack_clips, to_tensor
from data_gen.renderers.raytrace.table import camera_lens, object_table
from data_gen.renderers.raytrace.tile_culling import TILE, Grid, Passes, TileList, list_tiles, tile_corners

PIXELS = TILE * TILE
ROW_WORDS = 3 * TILE // 8  # a tile's row of 8-bit RGB in 64-bit words, which move eight times faster


@dataclass(frozen=True)
class RaytraceSettings:
    """How frames are traced."""

    device: str = "cpu"
    compile: bool = True  # the first call then takes a minute, later ones are ten times faster
    samples: int = 4  # per pixel, where objects are seen
    shadows: bool = True
    frames_per_call: int | None = None  # bounds the memory in use: by default 64 on the CPU, 2048 elsewhere

    def __post_init__(self) -> None:
        for name in ("samples", "frames_per_call"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"Expected {name} of at least 1 (got {value}).")


def torch_device(name: str) -> torch.device:
    """Raises `ConfigError` if torch knows no such device, or there is none here."""
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ConfigError(f"device={name}: expected cpu, cuda or such as cuda:1.") from None
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        there = torch.cuda.device_count() or "none"
        raise ConfigError(f"device={name}: no such CUDA device is here (found {there}). Use device=cpu.")
    return device


class RaytraceRenderer:
    """Draws clips, or packed scenes into tensors that stay on the device."""

    name = "raytrace"

    def __init__(self, settings: RaytraceSettings | None = None):
        self.settings = settings or RaytraceSettings()
        self._device = torch_device(self.settings.device)
        self._frames_per_call = self.settings.frames_per_call or (64 if self._device.type == "cpu" else 2048)
        self._run = KernelRunner(self.settings.compile, self._device)
        self._grounds: dict[Camera, Tensor] = {}

    def render(self, clips: Sequence[Clip], camera: Camera) -> Iterator[Frames]:
        """Yield frames [frames, height, width, 3] for each clip, in order."""
        for group in self._groups(clips):
            frames = self.render_batch(pack_clips(group), camera).cpu()
            for part in frames.split([len(clip) for clip in group]):
                yield part.numpy()

    def render_batch(self, scene: SceneBatch, camera: Camera) -> Tensor:
        """Frames [F, height, width, 3], uint8, on the renderer's device."""
        scene = scene.to(self._device)
        frames = torch.empty(len(scene), camera.height, camera.width, 3, dtype=torch.uint8, device=self._device)
        for part in self._parts(len(scene)):
            frames[part] = self._render_part(scene[part], camera)
        return frames

    def close(self) -> None:
        """Forget the grounds drawn so far."""
        self._grounds.clear()

    def _render_part(self, scene: SceneBatch, camera: Camera) -> Tensor:
        samples, shadows = self.settings.samples, self.settings.shadows
        table = object_table(scene, camera)
        ground, matte, shiny = list_tiles(scene, table, camera)
        canvas = self._ground(camera).repeat(len(scene), 1)  # [F * tiles, words]
        if ground.count:
            _paste(canvas, ground, _Work(self._run, table, camera, ground, 1).draw_ground(shadows))
        for listed in (matte, shiny):
            if listed.count:
                _paste(canvas, listed, _Work(self._run, table, camera, listed, samples).draw_objects(shadows))
        return _assemble(canvas, camera)

    def _ground(self, camera: Camera) -> Tensor:
        """The empty scene, tile by tile [tiles, words]."""
        if camera not in self._grounds:
            empty = pack_clips([Clip((), np.zeros((1, 0, 3)), np.zeros((1, 0, 4)))]).to(self._device)
            tiles = torch.arange(len(Grid.of(camera)), device=self._device)
            everything = TileList(tiles, torch.zeros_like(tiles[:, None]), Passes([], [], []), len(tiles))
            work = _Work(self._run, object_table(empty, camera), camera, everything, samples=1)
            self._grounds[camera] = work.draw_ground(self.settings.shadows)
        return self._grounds[camera]

    def _parts(self, frames: int) -> Iterator[slice]:
        for start in range(0, frames, self._frames_per_call):
            yield slice(start, start + self._frames_per_call)

    def _groups(self, clips: Sequence[Clip]) -> Iterator[list[Clip]]:
        """Clips that together fill a call."""
        group: list[Clip] = []
        for clip in clips:
            group.append(clip)
            if sum(map(len, group)) >= self._frames_per_call:
                yield group
                group = []
        if group:
            yield group


class _Work:
    """One list of tiles on its way through the passes."""

    def __init__(self, run: KernelRunner, table: Tensor, camera: Camera, listed: TileList, samples: int):
        tiles = len(Grid.of(camera))
        self._run, self._table, self._listed, self._samples = run, table, listed, samples
        self._device = table.device
        self._frames = listed.tiles // tiles
        self._corners = tile_corners(listed.tiles % tiles, camera)
        self._camera = (_offsets(camera, samples, table.device), camera_lens(camera, table.device))
        self._size = (len(listed.tiles), samples * PIXELS)

    def trace(self) -> State:
        """What is seen, see `trace_pass`."""
        seen = initial_hits(self._size, self._device)
        for rows, index, corners in self._passes(self._listed.passes.trace):
            self._run(trace_pass, (_head(seen, rows), rows, index, corners), *self._camera)
        return seen

    def draw_objects(self, shadows: bool) -> Tensor:
        """Pixels of all tiles [T, words]."""
        seen, met = self.trace(), initial_reflections(self._size, self._device)
        openness, received = (
            torch.ones(self._size, device=self._device),
            initial_light(self._size, self._device, shadows),
        )
        for rows, index, corners in self._passes(self._listed.passes.shade):
            parts = (openness[: len(rows)], _head(received, rows), _head(seen, rows), rows, index, corners)
            self._run(shade_pass, parts, *self._camera)
        for rows, index, corners in self._passes(self._listed.passes.mirror):
            self._run(mirror_pass, (_head(met, rows), _head(seen, rows), rows, index, corners), *self._camera)
        return self._tone_map(self._run(finish_objects, (openness, received, met, seen, self._corners), *self._camera))

    def draw_ground(self, shadows: bool) -> Tensor:
        """Pixels of tiles without objects [T, words]."""
        openness, received = (
            torch.ones(self._size, device=self._device),
            initial_light(self._size, self._device, shadows),
        )
        for rows, _, corners in self._passes(self._listed.passes.shade):
            parts = (openness[: len(rows)], _head(received, rows), rows, corners)
            self._run(shade_ground_pass, parts, *self._camera)
        return self._tone_map((self._run(finish_ground, (openness, received, self._corners), *self._camera),))

    def _passes(self, sizes: list[int]) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """For each pass: objects [t, numbers], their slots [t, 1] and the corners [t, 2] of the first t tiles."""
        for j, size in enumerate(sizes):
            slots = self._listed.slots[:size, j]
            yield self._table[self._frames[:size], slots], slots[:, None].float(), self._corners[:size]

    def _tone_map(self, light: State) -> Tensor:
        """One or three channels [T, N] to pixels, as 64-bit words."""
        pixels = self._run(tone_map, tuple(channel.view(-1, self._samples, PIXELS) for channel in light))
        return pixels.expand(-1, -1, 3).flatten(1).view(torch.int64)


def sample_positions(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Hammersley points in the unit square, one per row and column; a single sample sits in the middle."""
    index = np.arange(count)
    down, digit = np.zeros(count), 0.5
    while index.any():
        down, index, digit = down + digit * (index % 2), index // 2, digit / 2
    return (np.arange(count) + 0.5) / count, down + 0.5 - down.mean()


def _offsets(camera: Camera, samples: int, device: torch.device) -> Tensor:
    """Where samples lie in a tile [2, N], in the units of the corners."""
    row, column = np.divmod(np.arange(PIXELS), TILE)
    across, down = sample_positions(samples)
    return to_tensor(np.stack([across[:, None] + column, down[:, None] + row]).reshape(2, -1) / camera.focal, device)


def _head(state: State, rows: Tensor) -> State:
    return tuple(tensor[: len(rows)] for tensor in state)


def _paste(canvas: Tensor, listed: TileList, pixels: Tensor) -> None:
    canvas[listed.tiles[: listed.count]] = pixels[: listed.count]


def _assemble(canvas: Tensor, camera: Camera) -> Tensor:
    """Tiles [F * tiles, words] to images [F, height, width, 3]."""
    grid = Grid.of(camera)
    rows = canvas.view(-1, grid.rows, grid.columns, TILE, ROW_WORDS).transpose(2, 3).flatten(1, 2).flatten(2)
    image = rows.view(torch.uint8).view(len(rows), grid.rows * TILE, grid.columns * TILE, 3)
    return image[:, : camera.height, : camera.width].contiguous()
