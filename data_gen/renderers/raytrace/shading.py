"""Light on surfaces, elementwise: soft shadows, ambient occlusion, rubber, metal and what metal reflects.

Shape shorthand: T tiles, N samples per tile; tensors are [T, N] or [T, 1], vectors tuples of three (`shapes`).
Values are linear light, 1 = white on the screen; lengths in an object's frame are in half-sizes.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from comphy.scene.vocabulary import OBJECT_RADIUS, Material
from data_gen.renderers.look import FINISHES, GROUND_ALBEDO, WORLD_RADIANCE
from data_gen.renderers.raytrace.lights import POINT_LIGHTS, PointLight
from data_gen.renderers.raytrace.shapes import Vec, along, distance, dot, intersect, line_gap, pick, smoothstep
from data_gen.renderers.raytrace.table import Slot

GROUND_GLOW, GROUND_SPREAD = 0.43, 4.5  # what objects see of the lit ground: brightness in the middle, radius
SKY_HORIZON, SKY_ZENITH = 1.1, 0.08  # what metal sees above the ground
OCCLUSION_REACH, OCCLUSION_DEPTH = 2.4, 0.62  # how far from an object surfaces are darkened, and how much at most
MIRROR_REACH = (
    5.0  # objects farther than this are neither mirrored nor seen to shade what is mirrored; they fade before
)
MIRROR_DEPTH = 0.8  # how much mirrored ground is darkened by contact
BROAD_LOBE = 1.5  # sharpness of a highlight's halo; its core is 16 times sharper
RUBBER_HALO, RUBBER_RIM = 0.12, 0.03
METAL_HALO, METAL_CORE = 1.1, 8.0
METAL_BODY = 0.2  # share of diffuse light in metal, so that its colour stays readable
METAL_LIFT = FINISHES[Material.METAL].lift
METAL_WHITENESS, METAL_RIM = 0.01, 0.6  # white mixed into what metal reflects, everywhere and at grazing angles


class Mirror(NamedTuple):
    """What reflected rays have met so far."""

    distance: Tensor  # to the nearest object
    red: Tensor
    green: Tensor
    blue: Tensor
    cover: Tensor  # 1 where that object is near, 0 where there is none
    openness: Tensor  # of the ground where the ray lands


class Surface(NamedTuple):
    """Object points to colour, with the view onto them."""

    point: Vec
    normal: Vec
    mirror: Vec  # unit direction of the reflected ray
    facing: Tensor  # cosine between normal and viewer
    albedo: Vec
    metal: Tensor
    openness: Tensor


def towards(light: PointLight, point: Vec) -> tuple[Vec, Tensor]:
    """Unit direction from points to a light, and the radiance of white that faces it."""
    x, y, z = light.position
    offset = (x - point[0], y - point[1], z - point[2])
    inverse = dot(offset, offset).rsqrt()
    size = (x * x + y * y + z * z) ** 0.5
    emission = (offset[0] * (x / size) + offset[1] * (y / size) + offset[2] * (z / size)) * inverse
    direction = (offset[0] * inverse, offset[1] * inverse, offset[2] * inverse)
    return direction, light.strength * emission.clamp(min=0) * inverse * inverse


def soft_shadow(slot: Slot, local: Vec, light: int, blur: Tensor) -> Tensor:
    """Share of a light that passes an object: penumbras by the gap between line of sight and object, at least `blur`."""
    gap, share = line_gap(slot.kind, local, slot.lights[light], slot.aspects[light])
    width = (POINT_LIGHTS[light].radius / OBJECT_RADIUS) * share.clamp(min=0) + blur
    return torch.where(share > 0, 1 - smoothstep(0.5 - 0.5 * gap / width), 1)


def ambient_occlusion(slot: Slot, local: Vec, depth: float | Tensor = OCCLUSION_DEPTH) -> Tensor:
    """Ambient occlusion by one object: the openness of points, least where it touches, 1 beyond `OCCLUSION_REACH`."""
    closeness = (1 - distance(slot.kind, local) / OCCLUSION_REACH).clamp(0, 1)
    return 1 - depth * closeness * closeness * closeness


def trace_reflection(slot: Slot, local: Vec, height: Tensor, mirror: Vec, other: Tensor, met: Mirror) -> Mirror:
    """Let reflected rays from points at `height` above the ground meet one object and the ground it darkens."""
    up = mirror[2]
    fall = height / (-up).clamp(min=0.02)
    direction = _to_local(slot, mirror)
    t = intersect(slot.kind, local, direction)
    closer = other & (t < met.distance) & ((up >= 0) | (t < fall))
    glow = 0.15 + 0.55 * ((height + t * up) / (2 * OBJECT_RADIUS)).clamp(0, 1)
    cover = smoothstep((MIRROR_REACH - t / OBJECT_RADIUS) / (0.5 * MIRROR_REACH))
    color = pick(
        closer,
        (slot.albedo[0] * glow, slot.albedo[1] * glow, slot.albedo[2] * glow),
        (met.red, met.green, met.blue),
    )
    near = MIRROR_DEPTH * smoothstep((MIRROR_REACH - OCCLUSION_REACH - fall / OBJECT_RADIUS) / 1.5)
    openness = met.openness * ambient_occlusion(slot, along(local, direction, fall), near)
    return Mirror(torch.where(closer, t, met.distance), *color, torch.where(closer, cover, met.cover), openness)


def _to_local(slot: Slot, direction: Vec) -> Vec:
    rows, scale = slot.rotation, 1 / OBJECT_RADIUS
    x, y, z = direction[0] * scale, direction[1] * scale, direction[2] * scale
    return (
        rows[0][0] * x + rows[1][0] * y + rows[2][0] * z,
        rows[0][1] * x + rows[1][1] * y + rows[2][1] * z,
        rows[0][2] * x + rows[1][2] * y + rows[2][2] * z,
    )


def ground_color(point: Vec, openness: Tensor, received: tuple[Tensor, ...]) -> Tensor:
    """Brightness of the ground, the same for all channels."""
    total = WORLD_RADIANCE * openness
    for i, light in enumerate(POINT_LIGHTS):
        direction, radiance = towards(light, point)
        arriving = radiance * direction[2].clamp(min=0)
        total = total + (arriving * received[i] if received else arriving)
    return GROUND_ALBEDO * total * (0.6 + 0.4 * openness)


def surroundings(point: Vec, mirror: Vec, met: Mirror) -> Vec:
    """What reflected rays show: sky, ground with its contact shadows, and the objects met."""
    up = mirror[2]
    fall = point[2].clamp(min=0) / (-up).clamp(min=0.02)
    x, y = point[0] + fall * mirror[0], point[1] + fall * mirror[1]
    ground = GROUND_GLOW * met.openness / (1 + (x * x + y * y) / GROUND_SPREAD**2)
    sky = SKY_ZENITH + (SKY_HORIZON - SKY_ZENITH) * (1 - up.clamp(0, 1)).square()
    far = ground + (sky - ground) * smoothstep(0.5 + up / 0.06)
    red, green, blue = (far + (near - far) * met.cover for near in (met.red, met.green, met.blue))
    return red, green, blue


def _eighth_power(x: Tensor) -> Tensor:
    return x.square().square().square()


def object_color(surface: Surface, received: tuple[Tensor, ...], met: Mirror) -> Vec:
    """Colour of object points: Lambert and a broad highlight for rubber, mirror and sharp highlights for metal."""
    metal = surface.metal > 0.5
    height = (surface.point[2] / (2 * OBJECT_RADIUS)).clamp(0, 1)
    above = 0.5 + 0.5 * surface.normal[2]
    below = GROUND_GLOW * (0.35 + 0.65 * height)
    diffuse = (below + (WORLD_RADIANCE - below) * above) * surface.openness
    highlight = torch.zeros_like(diffuse)
    for i, light in enumerate(POINT_LIGHTS):
        direction, radiance = towards(light, surface.point)
        arriving = radiance * received[i] if received else radiance
        lambert = dot(surface.normal, direction)
        diffuse = diffuse + arriving * lambert.clamp(min=0)
        halo = _eighth_power((1 + BROAD_LOBE * (dot(surface.mirror, direction) - 1)).clamp(min=0))
        core = _eighth_power(halo).square()
        shine = torch.where(metal, METAL_HALO * halo + METAL_CORE * core, RUBBER_HALO * halo)
        highlight = highlight + arriving * shine * smoothstep(lambert * 8)
    grazing = (1 - surface.facing.clamp(0, 1)).square().square()
    body = torch.where(metal, METAL_BODY, 1) * diffuse
    lift = 1 + METAL_LIFT * (1 - (surface.albedo[0] + surface.albedo[1] + surface.albedo[2]) / 3)

    def channel(albedo: Tensor, mirrored: Tensor) -> Tensor:
        polish = METAL_WHITENESS + lift * albedo
        polish = polish + METAL_RIM * (1 - polish) * grazing
        shine = torch.where(metal, polish * (mirrored + highlight), RUBBER_RIM * grazing + highlight)
        return body * albedo + shine

    pairs = zip(surface.albedo, surroundings(surface.point, surface.mirror, met), strict=True)
    red, green, blue = (channel(albedo, mirrored) for albedo, mirrored in pairs)
    return red, green, blue
