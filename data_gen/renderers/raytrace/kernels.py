"""The functions that are compiled, one small loop each. They work in passes: pass j adds the j-th object of each tile.

A pass updates a few values per sample in place. That keeps every graph as small as one object, and tiles pay only for
the objects that matter to them.

Shape shorthand: T tiles, S samples per pixel, P pixels per tile, N = S * P; `rows` [T, numbers] is one object of each
tile and `index` [T, 1] its slot (`table.object_table`); `corners` [T, 2] and `offsets` [2, N] add up to places
on the image plane at distance 1; `lens` [5, 3] is the camera; `where` is these three. A `State` holds tensors [T, N].
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from comphy.scene.vocabulary import OBJECT_RADIUS
from data_gen.renderers.raytrace.lights import POINT_LIGHTS
from data_gen.renderers.raytrace.shading import (
    Mirror,
    Surface,
    ambient_occlusion,
    ground_color,
    object_color,
    soft_shadow,
    trace_reflection,
)
from data_gen.renderers.raytrace.shapes import FAR, Vec, along, dot, intersect, normal, pick
from data_gen.renderers.raytrace.table import Slot, unpack_slot

State = tuple[Tensor, ...]

METAL_BULGE = 0.15  # a polished face never is quite flat: reflections get a gradient, which tells metal from rubber
SHOULDER = 0.8  # brightness above which highlights are rolled off instead of clipped


class Rays:
    """Camera rays of tiles; not normalised, so that one parameter t serves the world and every object's frame."""

    def __init__(self, corners: Tensor, offsets: Tensor, lens: Tensor):
        self.a, self.b = corners[:, 0, None] + offsets[0], corners[:, 1, None] + offsets[1]
        position, forward, right, down = ((v[0], v[1], v[2]) for v in lens[:4])
        self.origin: Vec = position
        self.direction = self._combine(forward, right, down)
        inverse = dot(self.direction, self.direction).rsqrt()
        self.view: Vec = (self.direction[0] * inverse, self.direction[1] * inverse, self.direction[2] * inverse)
        self.ground = -self.origin[2] / self.direction[2].clamp(max=-1e-3)
        self.pixel = lens[4, 0] / OBJECT_RADIUS  # size of a pixel at distance 1, in half-sizes

    def local(self, slot: Slot) -> Vec:
        """Ray directions in an object's frame."""
        return self._combine(slot.forward, slot.right, slot.down)

    def mirrored(self, normal: Vec) -> tuple[Vec, Tensor]:
        """Unit directions of the reflected rays, and the cosines between normal and viewer."""
        facing = -dot(self.view, normal)
        return along(self.view, normal, 2 * facing), facing

    def _combine(self, forward: Vec, right: Vec, down: Vec) -> Vec:
        x, y, z = (f + self.a * r + self.b * d for f, r, d in zip(forward, right, down, strict=True))
        return x, y, z


def trace_pass(seen: State, rows: Tensor, index: Tensor, *where: Tensor) -> None:
    """Let one object be seen: `seen` is distance, owner's slot, normal (3), albedo (3), metal."""
    slot, rays = unpack_slot(rows), Rays(*where)
    direction = rays.local(slot)
    t = intersect(slot.kind, slot.camera, direction)
    inner = normal(slot.kind, along(slot.camera, direction, t), METAL_BULGE * slot.metal)
    outer = (dot(slot.rotation[0], inner), dot(slot.rotation[1], inner), dot(slot.rotation[2], inner))
    closer = (t < seen[0]) & (t < rays.ground)
    values = (t, index, *outer, *slot.albedo, slot.metal)
    _update(seen, [torch.where(closer, new, old) for old, new in zip(seen, values, strict=True)])


def shade_pass(openness: Tensor, received: State, seen: State, rows: Tensor, index: Tensor, *where: Tensor) -> None:
    """Let one object shade the others and the ground: `openness` to the sky, and the share `received` of each light."""
    slot, rays = unpack_slot(rows), Rays(*where)
    t, other = torch.minimum(seen[0], rays.ground), seen[1] != index
    local = along(slot.camera, rays.local(slot), t)
    _darken(slot, local, rays.pixel * t, openness, received, other)


def mirror_pass(met: State, seen: State, rows: Tensor, index: Tensor, *where: Tensor) -> None:
    """Let one object be mirrored by metal: `met` is a `Mirror`."""
    slot, rays = unpack_slot(rows), Rays(*where)
    t, other = torch.minimum(seen[0], rays.ground), seen[1] != index
    local = along(slot.camera, rays.local(slot), t)
    mirror, _ = rays.mirrored((seen[2], seen[3], seen[4]))
    height = (rays.origin[2] + t * rays.direction[2]).clamp(min=0)
    news = trace_reflection(slot, local, height, mirror, other, Mirror(*met))
    _update(met, [torch.where(seen[8] > 0.5, new, old) for old, new in zip(met, news, strict=True)])


def shade_ground_pass(openness: Tensor, received: State, rows: Tensor, *where: Tensor) -> None:
    """Let one object shade the ground where no object is seen."""
    slot, rays = unpack_slot(rows), Rays(*where)
    local = along(slot.camera, rays.local(slot), rays.ground)
    _darken(slot, local, rays.pixel * rays.ground, openness, received, rays.ground > 0)


def finish_objects(openness: Tensor, received: State, met: State, seen: State, *where: Tensor) -> Vec:
    """Linear red, green and blue [T, N] after all passes."""
    rays = Rays(*where)
    normals, albedo = (seen[2], seen[3], seen[4]), (seen[5], seen[6], seen[7])
    point = along(rays.origin, rays.direction, torch.minimum(seen[0], rays.ground))
    ground = ground_color(point, openness, received)
    surface = Surface(point, normals, *rays.mirrored(normals), albedo, seen[8], openness)
    return pick(seen[1] < 0, (ground, ground, ground), object_color(surface, received, Mirror(*met)))


def finish_ground(openness: Tensor, received: State, *where: Tensor) -> Tensor:
    """Light of the ground [T, N] after all passes."""
    rays = Rays(*where)
    return ground_color(along(rays.origin, rays.direction, rays.ground), openness, received)


def tone_map(*channels: Tensor) -> Tensor:
    """Light of samples [T, S, P] per channel to 8-bit sRGB [T, P, channels]."""
    return torch.stack([_encode(light) for light in channels], -1)


def _encode(light: Tensor) -> Tensor:
    """Highlights rolled off, samples averaged, then encoded."""
    excess = (light - SHOULDER).clamp(min=0)
    linear = (light.clamp(0, SHOULDER) + excess * (1 - SHOULDER) / (excess + 1 - SHOULDER)).mean(1)
    encoded = torch.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear.clamp(min=1e-4) ** (1 / 2.4) - 0.055)
    return (encoded * 255 + 0.5).to(torch.uint8)


def initial_hits(shape: tuple[int, int], device: torch.device) -> State:
    """The state before the first `trace_pass`: nothing seen, normals up."""
    return tuple(torch.full(shape, value, device=device) for value in (FAR, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0))


def initial_reflections(shape: tuple[int, int], device: torch.device) -> State:
    """The state before the first `mirror_pass`: nothing met, all ground open."""
    return tuple(torch.full(shape, value, device=device) for value in (FAR, 0.0, 0.0, 0.0, 0.0, 1.0))


def initial_light(shape: tuple[int, int], device: torch.device, shadows: bool) -> State:
    """The share of each light before anything shades it; no shares at all if nothing will."""
    return tuple(torch.ones(shape, device=device) for _ in POINT_LIGHTS) if shadows else ()


def _darken(slot: Slot, local: Vec, blur: Tensor, openness: Tensor, received: State, other: Tensor) -> None:
    openness.mul_(torch.where(other, ambient_occlusion(slot, local), 1))
    _update(
        received, [old * torch.where(other, soft_shadow(slot, local, i, blur), 1) for i, old in enumerate(received)]
    )


def _update(state: State, values: Sequence[Tensor]) -> None:
    for old, new in zip(state, values, strict=True):
        old.copy_(new)
