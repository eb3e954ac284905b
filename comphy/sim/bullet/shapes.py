"""Makes Bullet collision shapes out of ours. `comphy.sim.bullet` lends it the engine."""

import math
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from comphy.sim.shapes import (
    IDENTITY,
    TAPER,
    Box,
    Compound,
    ConvexPolygon,
    Cylinder,
    HalfSpace,
    Part,
    Shape,
    Solid,
    Sphere,
    Vector,
)


class BulletShapes:
    """The collision shapes of one Bullet client; equal shapes are made once."""

    def __init__(self, bullet: Any, client: int) -> None:
        self._bullet = bullet
        self._client = client
        self._made: dict[Shape, int] = {}

    def __getitem__(self, shape: Shape) -> int:
        if shape not in self._made:
            self._made[shape] = self._make(shape)
        return self._made[shape]

    def __len__(self) -> int:
        return len(self._made)

    def _make(self, shape: Shape) -> int:
        bullet = self._bullet
        if isinstance(shape, HalfSpace):
            plane: int = bullet.createCollisionShape(
                bullet.GEOM_PLANE, planeNormal=shape.normal, physicsClientId=self._client
            )
            return plane
        parts = shape.parts if isinstance(shape, Compound) else (Part(shape),)
        if len(parts) == 1 and parts[0].orientation == IDENTITY and parts[0].position == (0.0, 0.0, 0.0):
            single: int = bullet.createCollisionShape(**self._solid(parts[0].shape), physicsClientId=self._client)
            return single
        return self._compound(parts)

    def _solid(self, solid: Solid) -> dict[str, Any]:
        bullet = self._bullet
        match solid:
            case Sphere(radius):
                return {"shapeType": bullet.GEOM_SPHERE, "radius": radius}
            case Box(half_extents):
                return {"shapeType": bullet.GEOM_BOX, "halfExtents": half_extents}
            case Cylinder(radius, half_height):
                return {"shapeType": bullet.GEOM_CYLINDER, "radius": radius, "height": 2 * half_height}
            case ConvexPolygon() as polygon:
                return {"shapeType": bullet.GEOM_MESH, "vertices": _corners(polygon)}

    def _compound(self, parts: Sequence[Part]) -> int:
        """Several solids in one shape. This call takes convex hulls from mesh files only, so outlines go to disk."""
        fields = [self._solid(part.shape) for part in parts]
        with ExitStack() as stack:
            files = [""] * len(fields)
            if any("vertices" in f for f in fields):
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="comphy-hulls-")))
                files = [_hull_file(folder / f"{i}.obj", f.get("vertices")) for i, f in enumerate(fields)]
            compound: int = self._bullet.createCollisionShapeArray(
                shapeTypes=[f["shapeType"] for f in fields],
                radii=[f.get("radius", 0.0) for f in fields],
                halfExtents=[f.get("halfExtents", (0.0, 0.0, 0.0)) for f in fields],
                lengths=[f.get("height", 0.0) for f in fields],
                fileNames=files,
                meshScales=[(1.0, 1.0, 1.0)] * len(fields),
                collisionFramePositions=[part.position for part in parts],
                collisionFrameOrientations=[part.orientation for part in parts],
                physicsClientId=self._client,
            )
        return compound


def _corners(polygon: ConvexPolygon) -> list[Vector]:
    outline, depth, rim = polygon.vertices, polygon.half_depth, polygon.half_rim
    if rim is None:
        return [(x, y, z) for x, y in outline for z in (-depth, depth)]
    ends = 1.0 - TAPER / max(math.hypot(x, y) for x, y in outline)
    middle = [(x, y, z) for x, y in outline for z in (-rim, rim)]
    return middle + [(ends * x, ends * y, z) for x, y in outline for z in (-depth, depth)]


def _hull_file(path: Path, vertices: Sequence[Sequence[float]] | None) -> str:
    """A Wavefront file of the points; Bullet takes their convex hull, the faces only need to name every point."""
    if vertices is None:
        return ""
    points = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in vertices)
    faces = "".join(f"f {i} {i + 1} {i + 2}\n" for i in range(1, len(vertices) - 1))
    path.write_text(points + faces)
    return str(path)
