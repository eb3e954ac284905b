"""Tile culling: which tiles of each frame must be traced, and which objects matter to each: seen, shading or mirrored.

Bounding rectangles give candidates (broad phase); the shapes themselves narrow them down.

Shape shorthand: F frames, K object slots, G tiles per frame, T listed tiles; a rectangle is u0, v0, u1, v1 in pixels on
the image, or x0, y0, x1, y1 on the ground.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from comphy.scene.camera import Camera
from comphy.scene.clip import NOWHERE
from comphy.scene.vocabulary import OBJECT_RADIUS
from data_gen.renderers.raytrace.kernels import Rays
from data_gen.renderers.raytrace.lights import POINT_LIGHTS, PointLight
from data_gen.renderers.raytrace.scene import SceneBatch, rotations, to_tensor
from data_gen.renderers.raytrace.shading import MIRROR_REACH, OCCLUSION_REACH
from data_gen.renderers.raytrace.shapes import Vec, along, aspect, distance, line_gap
from data_gen.renderers.raytrace.table import Slot, camera_lens, unpack_slot

TILE = 8  # pixels; small enough to follow the objects, and a whole number of vector registers
MARGIN = 1.0  # pixels around an object's rectangle, for samples that straddle its border
SLACK = 0.1  # half-sizes added to tests that are made at one point for a whole tile
DIAGONAL = 3**0.5  # from the middle of a cube to its corner, in half-sizes
NEAR = 0.05  # depths are clamped to this, which makes rectangles larger, never smaller
LIST_STEP = 8  # lists are filled up to a multiple of this: compiled code treats a length of 1 as a special case


@dataclass(frozen=True)
class Grid:
    """The tiles of an image, which may reach over its right and lower border."""

    rows: int
    columns: int

    @classmethod
    def of(cls, camera: Camera) -> "Grid":
        return cls(-(-camera.height // TILE), -(-camera.width // TILE))

    def __len__(self) -> int:
        return self.rows * self.columns


def tile_corners(place: Tensor, camera: Camera) -> Tensor:
    """Upper left corners [T, 2] of tiles on the image plane at distance 1."""
    columns = Grid.of(camera).columns
    pixels = torch.stack([place % columns, place // columns], -1) * TILE
    return (pixels - to_tensor([camera.width / 2, camera.height / 2], place.device)) / camera.focal


class Passes(NamedTuple):
    """For each kind of pass, how many tiles pass 0, 1, ... has to cover."""

    trace: list[int]
    shade: list[int]
    mirror: list[int]


@dataclass(frozen=True)
class TileList:
    """Tiles to trace and the objects that matter to each, ordered so that pass j covers the first few tiles.

    Shapes: tiles [T] as frame * G + place; slots [T, K], the objects of each tile, filled up with the empty last slot:
    first those seen, then those that shade, then those mirrored. Tiles beyond `count` only fill the list up.
    """

    tiles: Tensor
    slots: Tensor
    passes: Passes
    count: int

    @classmethod
    def of(cls, seen: Tensor, shading: Tensor, mirrored: Tensor | None = None) -> "TileList":
        """The tiles for which any object matters, each mask [F, G, K] containing the one before it."""
        masks = (seen, shading, shading if mirrored is None else mirrored)
        tiles = masks[-1].flatten(0, 1).any(-1).nonzero()[:, 0]
        levels = torch.stack([mask.flatten(0, 1)[tiles] for mask in masks])  # [3, T, K]
        numbers = levels.sum(-1)
        order = (numbers[1] * levels.shape[-1] + numbers[2]).argsort(descending=True, stable=True)
        tiles, numbers, importance = tiles[order], numbers[:, order], levels.sum(0)[order]
        slots = importance.argsort(dim=-1, descending=True, stable=True)
        last = slots.shape[-1] - 1
        slots = torch.where(torch.arange(last + 1, device=slots.device) < numbers[2][:, None], slots, last)
        fill, sizes = -len(tiles) % LIST_STEP, _pass_sizes(numbers, last)
        return cls(
            torch.cat([tiles, tiles.new_zeros(fill)]),
            torch.cat([slots, slots.new_full((fill, last + 1), last)]),
            Passes(sizes[0], sizes[1], [] if mirrored is None else sizes[2]),
            len(tiles),
        )


def _pass_sizes(numbers: Tensor, most: int) -> list[list[int]]:
    """From the numbers of objects [3, T], how far down the list each pass has to go, in steps of `LIST_STEP`."""
    needed = numbers[:, None] > torch.arange(most, device=numbers.device)[:, None]  # [3, most, T]
    places = torch.arange(1, numbers.shape[1] + 1, device=numbers.device)
    ends = (needed * places).amax(-1) if numbers.shape[1] else needed.sum(-1)
    return [[-(-n // LIST_STEP) * LIST_STEP for n in row if n] for row in ends.tolist()]


class WorkLists(NamedTuple):
    """All tiles that differ from the empty scene, by what has to be done."""

    ground: TileList  # no object is seen
    matte: TileList  # no metal object is seen
    shiny: TileList


def list_tiles(scene: SceneBatch, table: Tensor, camera: Camera) -> WorkLists:
    """Find the tiles: rectangles give candidates; where objects are seen, their true shapes narrow them down."""
    axes = to_tensor(camera.axes(), scene.positions.device)
    present = (scene.positions[..., 2] > NOWHERE / 2)[:, None]
    reach = _extents(scene, torch.eye(3, device=axes.device))
    regions = [
        _occlusion_region(scene, reach),
        *(_shadow_region(scene, reach, light, camera) for light in POINT_LIGHTS),
    ]
    seen = _refine(_cover(_object_bounds(scene, camera, axes), camera) & present, table, camera, _sees)
    occupied = seen.any(-1, keepdim=True)
    shaded = torch.stack([_cover(_project_region(region, camera, axes), camera) for region in regions]).any(0) & present
    bare = shaded & ~occupied
    shading = seen | _spread(seen, _affects(scene, table) & present)
    shading |= _refine(shaded & occupied & ~shading, table, camera, _shades)
    metal = (seen & (scene.metal[:, None] > 0.5)).any(-1, keepdim=True)
    mirrored = shading | _spread(seen, _mirrors(scene) & present)
    return WorkLists(
        TileList.of(bare, bare),
        TileList.of(seen & ~metal, shading & occupied & ~metal),
        TileList.of(seen & metal, shading & metal, mirrored & metal),
    )


def _spread(seen: Tensor, related: Tensor) -> Tensor:
    """The objects k that matter to tiles [F, G, K] because they matter [F, K, K] to an object seen there."""
    return torch.bmm(seen.float(), related.float()) > 0


def _mirrors(scene: SceneBatch) -> Tensor:
    """Whether object i is metal and near enough to object k to mirror it [F, K, K]."""
    offset = scene.positions[:, :, None] - scene.positions[:, None]
    near = offset.square().sum(-1) < ((MIRROR_REACH + 2 * DIAGONAL) * OBJECT_RADIUS) ** 2
    return near & (scene.metal[:, :, None] > 0.5)


def _affects(scene: SceneBatch, table: Tensor) -> Tensor:
    """Whether any part of object i can be shaded by object k [F, K, K]."""
    count = table.shape[1]
    offset = (scene.positions[:, :, None] - scene.positions[:, None])[..., None] / OBJECT_RADIUS
    local = (rotations(scene.orientations)[:, None] * offset).sum(-2).flatten(0, 2)  # of i, in the frame of k
    rows = table[:, None].expand(-1, count, -1, -1).flatten(0, 2)
    point = (local[:, 0, None], local[:, 1, None], local[:, 2, None])
    return _in_reach(unpack_slot(rows), point, torch.full_like(point[0], DIAGONAL)).view(-1, count, count)


def _refine(candidates: Tensor, table: Tensor, camera: Camera, test: Callable[[Slot, Rays, Tensor], Tensor]) -> Tensor:
    """Keep those tile-object pairs [F, G, K] that pass a test; it gets half a tile's diagonal at distance 1."""
    frame, place, slot = candidates.nonzero(as_tuple=True)
    lens = camera_lens(camera, table.device)
    middles = tile_corners(place, camera) + 0.5 * TILE / camera.focal
    rays = Rays(middles, lens.new_zeros(2, 1), lens)
    kept = torch.zeros_like(candidates)
    kept[frame, place, slot] = test(unpack_slot(table[frame, slot]), rays, rays.pixel * (TILE * 0.5**0.5 + MARGIN))[
        :, 0
    ]
    return kept


def _sees(slot: Slot, rays: Rays, radius: Tensor) -> Tensor:
    direction = rays.local(slot)
    gap, share = line_gap(
        slot.kind, slot.camera, along(slot.camera, direction, rays.ground), aspect(slot.kind, direction)
    )
    return gap <= radius * rays.ground * share.clamp(min=0) + SLACK


def _shades(slot: Slot, rays: Rays, radius: Tensor) -> Tensor:
    """Tiles appear on the ground the longer, the flatter they are seen."""
    return _in_reach(slot, along(slot.camera, rays.local(slot), rays.ground), radius * rays.ground / -rays.view[2])


def _in_reach(slot: Slot, point: Vec, radius: Tensor) -> Tensor:
    """Whether an object shades anything within a radius of its local points."""
    near = distance(slot.kind, point) <= OCCLUSION_REACH + radius
    for light, position, seen in zip(POINT_LIGHTS, slot.lights, slot.aspects, strict=True):
        gap, share = line_gap(slot.kind, point, position, seen)
        penumbra = (light.radius / OBJECT_RADIUS) * share.clamp(min=0)
        near |= (share > -0.1) & (gap <= penumbra + radius + SLACK)
    return near


def _extents(scene: SceneBatch, axes: Tensor) -> Tensor:
    """Half-size [F, K, 3] of each object along three unit vectors."""
    local = (axes[:, :, None] * rotations(scene.orientations)[:, :, None]).sum(-2).abs()  # [F, K, axis, 3]
    upright = local[..., 2].clamp(max=1)
    cylinder = upright + (1 - upright * upright).sqrt()
    cube, cylinder_flag = scene.cube[..., None], scene.cylinder[..., None]
    return OBJECT_RADIUS * (cube * local.sum(-1) + cylinder_flag * cylinder + (1 - cube - cylinder_flag))


def _object_bounds(scene: SceneBatch, camera: Camera, axes: Tensor) -> Tensor:
    """Rectangles [F, K, 4] that contain the objects, from their bounding boxes along the camera's axes."""
    offset = scene.positions - to_tensor(camera.position, axes.device)
    middle, half = (offset[..., None, :] * axes).sum(-1), _extents(scene, axes)
    near, far = (middle[..., 2:] - half[..., 2:]).clamp(min=NEAR), (middle[..., 2:] + half[..., 2:]).clamp(min=NEAR)
    low, high = (middle - half)[..., :2], (middle + half)[..., :2]
    low, high = torch.minimum(low / near, low / far), torch.maximum(high / near, high / far)
    center = to_tensor([camera.width / 2, camera.height / 2], axes.device)
    behind = middle[..., 2:] + half[..., 2:] <= NEAR
    low = torch.where(behind, torch.inf, low * camera.focal + center - MARGIN)
    return torch.cat([low, high * camera.focal + center + MARGIN], -1)


def _occlusion_region(scene: SceneBatch, reach: Tensor) -> Tensor:
    """Ground rectangles [F, K, 4] (x0, y0, x1, y1) within reach of ambient occlusion."""
    half = reach[..., :2] + OCCLUSION_REACH * OBJECT_RADIUS
    return torch.cat([scene.positions[..., :2] - half, scene.positions[..., :2] + half], -1)


def _shadow_region(scene: SceneBatch, reach: Tensor, light: PointLight, camera: Camera) -> Tensor:
    """Ground rectangles [F, K, 4] that contain an object's shadow and its penumbra."""
    x, y, z = light.position
    source = to_tensor([x, y], reach.device)
    top = (scene.positions[..., 2:] + reach[..., 2:]).clamp(0, 0.9 * z)
    stretch = z / (z - top)  # how far a point at the top moves away from the light when it falls on the ground
    pixel = 2 * float(np.linalg.norm(camera.position)) / camera.focal
    slant = (x * x + y * y + z * z) ** 0.5 / z
    margin = slant * (light.radius * (stretch - 1) + pixel)
    low, high = scene.positions[..., :2] - reach[..., :2], scene.positions[..., :2] + reach[..., :2]
    far_low, far_high = source + (low - source) * stretch, source + (high - source) * stretch
    return torch.cat([torch.minimum(low, far_low) - margin, torch.maximum(high, far_high) + margin], -1)


def _project_region(region: Tensor, camera: Camera, axes: Tensor) -> Tensor:
    """Image rectangles [F, K, 4] around ground rectangles."""
    x, y = region[..., [0, 0, 2, 2]], region[..., [1, 3, 1, 3]]
    corners = torch.stack([x, y, torch.zeros_like(x)], -1) - to_tensor(camera.position, axes.device)
    right, down, depth = (corners[..., None, :] * axes).sum(-1).unbind(-1)
    scale = camera.focal / depth.clamp(min=NEAR)
    u, v = camera.width / 2 + right * scale, camera.height / 2 + down * scale
    return torch.stack([u.amin(-1), v.amin(-1), u.amax(-1), v.amax(-1)], -1)


def _cover(rectangles: Tensor, camera: Camera) -> Tensor:
    """Which tiles the rectangles [F, K, 4] touch [F, G, K]."""
    grid = Grid.of(camera)
    columns = torch.arange(grid.columns, device=rectangles.device)[:, None] * TILE
    rows = torch.arange(grid.rows, device=rectangles.device)[:, None] * TILE
    u0, v0, u1, v1 = (c[:, None] for c in rectangles.unbind(-1))
    across = (columns <= u1) & (columns + TILE >= u0)
    down = (rows <= v1) & (rows + TILE >= v0)
    return (down[:, :, None] & across[:, None]).flatten(1, 2)
