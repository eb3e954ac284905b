"""Analytic geometry of the three shapes, elementwise, in their local frame, where the half-size is 1: intersections with
rays (slab method and quadrics), normals, distances.

Shape shorthand: every tensor is [T, N] (T tiles, N samples per tile), or [T, 1] where it is one number per tile, and
vectors are tuples of three such tensors, so that a compiler can fuse everything into one loop without inner axes.
"""

from typing import NamedTuple

import torch
from torch import Tensor

Vec = tuple[Tensor, Tensor, Tensor]

FAR = 1.0e6  # ray parameter of a miss
TINY = 1.0e-7
BEVEL = 0.1  # width of the shaded edge of cubes and cylinders; silhouettes stay sharp
SHALLOW = 0.05  # a cylinder's end seen under a smaller cosine is treated as seen under this one


class Kind(NamedTuple):
    """Which shape, as 0 or 1; what is neither is a sphere."""

    cube: Tensor
    cylinder: Tensor


def dot(a: Vec, b: Vec) -> Tensor:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def along(origin: Vec, direction: Vec, t: Tensor) -> Vec:
    """The point at parameter t of a ray."""
    return origin[0] + t * direction[0], origin[1] + t * direction[1], origin[2] + t * direction[2]


def pick(mask: Tensor, a: Vec, b: Vec) -> Vec:
    return torch.where(mask, a[0], b[0]), torch.where(mask, a[1], b[1]), torch.where(mask, a[2], b[2])


def smoothstep(x: Tensor) -> Tensor:
    """Cubic step: 0 below 0, 1 above 1."""
    x = x.clamp(0, 1)
    return x * x * (3 - 2 * x)


def _slab(origin: Tensor, direction: Tensor) -> tuple[Tensor, Tensor]:
    """Where a ray enters and leaves |x| <= 1."""
    inverse = 1 / torch.where(direction.abs() < TINY, TINY, direction)
    middle, half = -origin * inverse, inverse.abs()
    return middle - half, middle + half


def intersect(kind: Kind, origin: Vec, direction: Vec) -> Tensor:
    """Parameter at which a ray that starts outside enters the object, `FAR` if it does not.

    All three shapes are cut by the slab |z| <= 1 (a sphere fits inside it), so the shapes differ in x and y only: two
    more slabs, or the quadric x² + y² (+ z² for a sphere) <= 1.
    """
    near, far = _slab(origin[2], direction[2])
    near_x, far_x = _slab(origin[0], direction[0])
    near_y, far_y = _slab(origin[1], direction[1])
    flat = 1 - kind.cylinder
    a = (direction[0] * direction[0] + direction[1] * direction[1] + flat * direction[2] * direction[2]).clamp(min=TINY)
    b = origin[0] * direction[0] + origin[1] * direction[1] + flat * origin[2] * direction[2]
    c = origin[0] * origin[0] + origin[1] * origin[1] + flat * origin[2] * origin[2] - 1
    inside = b * b - a * c
    root = inside.clamp(min=0).sqrt()
    cube = kind.cube > 0.5
    near = torch.maximum(near, torch.where(cube, torch.maximum(near_x, near_y), (-b - root) / a))
    far = torch.minimum(far, torch.where(cube, torch.minimum(far_x, far_y), (root - b) / a))
    return torch.where((near < far) & (near > 0) & (cube | (inside > 0)), near, FAR)


def _edge(x: Tensor) -> Tensor:
    """How much a face at distance 1 turns the normal at distance x from the middle plane."""
    x = ((x - (1 - BEVEL)) / BEVEL).clamp(0, 1)
    return x * x


def normal(kind: Kind, point: Vec, bulge: Tensor) -> Vec:
    """Unit normal at a local surface point, turned smoothly over the edges of cubes and cylinders.

    `bulge` bends the normals of flat faces as if they were slightly domed.
    """
    x, y, z = point
    radius = (x * x + y * y).clamp(min=TINY).sqrt()
    cube, cylinder = kind.cube > 0.5, kind.cylinder > 0.5
    round_edge = torch.where(cylinder, _edge(radius) / radius + bulge, 1)
    nx = torch.where(cube, x.sign() * _edge(x.abs()) + bulge * x, x * round_edge)
    ny = torch.where(cube, y.sign() * _edge(y.abs()) + bulge * y, y * round_edge)
    nz = torch.where(cube | cylinder, z.sign() * _edge(z.abs()) + bulge * z, z)
    scale = (nx * nx + ny * ny + nz * nz).clamp(min=TINY).rsqrt()
    return nx * scale, ny * scale, nz * scale


def distance(kind: Kind, point: Vec) -> Tensor:
    """Distance from a local point outside to the surface."""
    x, y, z = (c.abs() for c in point)
    radius2 = x * x + y * y
    side = torch.where(kind.cube > 0.5, (x - 1).clamp(min=0).square() + (y - 1).clamp(min=0).square(), 0)
    side = torch.where(kind.cylinder > 0.5, (radius2.sqrt() - 1).clamp(min=0).square(), side)
    cut = (side + (z - 1).clamp(min=0).square()).sqrt()
    return torch.where((kind.cube + kind.cylinder) > 0.5, cut, (radius2 + z * z).sqrt() - 1)


def aspect(kind: Kind, direction: Vec) -> Vec:
    """Three numbers on how a shape looks along a direction, for `line_gap`.

    Cube: what the lengths of the cross products of a unit vector with the axes must be multiplied by to become 1.
    Else: the same for the z axis; sine and inverse cosine between direction and axis (0 and 1 for a sphere).
    """
    xx, yy, zz = (c * c for c in direction)
    length2 = (xx + yy + zz).clamp(min=TINY)
    per_x, per_y, per_z = (
        (length2 / s.clamp(min=TINY)).clamp(max=1 / SHALLOW**2).sqrt() for s in (yy + zz, xx + zz, xx + yy)
    )
    cube, cylinder = kind.cube > 0.5, kind.cylinder > 0.5
    cosine = (zz / length2).sqrt().clamp(min=SHALLOW)
    sine = ((xx + yy) / length2).sqrt()
    return (
        torch.where(cube, per_x, per_z),
        torch.where(cube, per_y, torch.where(cylinder, sine, 0)),
        torch.where(cube, per_z, torch.where(cylinder, 1 / cosine, 1)),
    )


def line_gap(kind: Kind, point: Vec, end: Vec, seen: Vec) -> tuple[Tensor, Tensor]:
    """Signed gap between the line from point to end and the object, and the share of the way at which it passes.

    Along the line a cube looks like a hexagon, whose six sides come from the cross products of the line with the axes;
    a cylinder like an ellipse swept along its projected axis; a sphere like a disc. Negative gap: the line goes
    through. `seen` is the `aspect` along this line or one nearly parallel.
    """
    px, py, pz = point
    dx, dy, dz = end[0] - px, end[1] - py, end[2] - pz
    mx, my, mz = py * end[2] - pz * end[1], pz * end[0] - px * end[2], px * end[1] - py * end[0]
    inverse2 = 1 / (dx * dx + dy * dy + dz * dz)
    inverse = inverse2.sqrt()
    ax, ay, az = dx.abs(), dy.abs(), dz.abs()
    sides = torch.maximum((mx.abs() - ay - az) * seen[0], (my.abs() - ax - az) * seen[1])
    hexagon = torch.maximum(sides, (mz.abs() - ax - ay) * seen[2]) * inverse
    across2 = (mz * seen[0]).square() * inverse2
    up = ((mx * mx + my * my + mz * mz) * inverse2 - across2).clamp(min=0).sqrt()
    height2 = ((up - seen[1]).clamp(min=0) * seen[2]).square()
    reach2 = (across2 + height2).clamp(min=TINY)
    swept = (reach2.sqrt() - 1) * (across2 + height2 / seen[2]) / reach2
    share = -(px * dx + py * dy + pz * dz) * inverse2
    return torch.where(kind.cube > 0.5, hexagon, swept), share
