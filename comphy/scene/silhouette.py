"""Exact outlines of objects in the picture: boxes in closed form, instance masks by casting a ray per pixel.

Shape shorthand: F frames, N objects, H x W pixels. Boxes are x0, y0, x1, y1 in continuous image coordinates.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape

Array = NDArray[np.float64]
NEAREST_DEPTH = 1.0  # nearer objects are far below the lower edge of the picture

_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) * OBJECT_RADIUS


def rotation_matrices(quaternions: NDArray) -> Array:
    """[..., 4] x, y, z, w to [..., 3, 3]; columns are the local axes in world coordinates."""
    x, y, z, w = np.moveaxis(np.asarray(quaternions, float), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def outline_boxes(clip: Clip, camera: Camera) -> Array:
    """[F, N, 4]: boxes of the whole objects, as if nothing stood in front and the picture had no border."""
    boxes = np.empty((*clip.positions.shape[:2], 4))
    for i, spec in enumerate(clip.objects):
        positions, orientations = clip.positions[:, i], clip.orientations[:, i]
        if spec.shape is Shape.SPHERE:
            boxes[:, i] = _sphere_boxes(positions, camera)
        elif spec.shape is Shape.CUBE:
            boxes[:, i] = _cube_boxes(positions, orientations, camera)
        else:
            boxes[:, i] = _cylinder_boxes(positions, orientations, camera)
    return boxes


def _sphere_boxes(positions: Array, camera: Camera) -> Array:
    """Bounds of the perspective ellipse: the tangents from the camera to the sphere's shadow on two planes."""
    right, down, forward = camera.axes()
    offset = positions - np.asarray(camera.position)
    z = offset @ forward
    bounds = []
    for axis, middle in ((right, camera.width / 2), (down, camera.height / 2)):
        x = offset @ axis
        root = OBJECT_RADIUS * np.sqrt(np.maximum(x * x + z * z - OBJECT_RADIUS**2, 0.0))
        bounds.append([middle + camera.focal * (x * z + sign * root) / (z * z - OBJECT_RADIUS**2) for sign in (-1, 1)])
    return np.stack([bounds[0][0], bounds[1][0], bounds[0][1], bounds[1][1]], axis=-1)


def _cube_boxes(positions: Array, orientations: Array, camera: Camera) -> Array:
    corners = positions[:, None] + _CORNERS @ np.swapaxes(rotation_matrices(orientations), -1, -2)
    image, _ = camera.project(corners)
    return np.concatenate([image.min(axis=1), image.max(axis=1)], axis=-1)


def _cylinder_boxes(positions: Array, orientations: Array, camera: Camera) -> Array:
    """Bounds over both rims; along each image axis a rim point is extreme where the projection's derivative vanishes."""
    right, down, forward = camera.axes()
    turn = rotation_matrices(orientations)
    a, b, axis = (OBJECT_RADIUS * turn[..., k] for k in range(3))
    low = np.full((len(positions), 2), np.inf)
    high = -low
    for side in (-1.0, 1.0):
        centre = positions + side * axis - np.asarray(camera.position)
        for k, (direction, middle) in enumerate(((right, camera.width / 2), (down, camera.height / 2))):
            for angle in _extreme_angles(centre, a, b, direction, forward):
                point = centre + np.cos(angle)[:, None] * a + np.sin(angle)[:, None] * b
                value = middle + camera.focal * (point @ direction) / (point @ forward)
                low[:, k] = np.minimum(low[:, k], value)
                high[:, k] = np.maximum(high[:, k], value)
    return np.concatenate([low, high], axis=-1)


def _extreme_angles(centre: Array, a: Array, b: Array, direction: Array, forward: Array) -> tuple[Array, Array]:
    """Angles t at which (centre + a cos t + b sin t) projects to its extremes along `direction`."""
    x0, xa, xb = centre @ direction, a @ direction, b @ direction
    z0, za, zb = centre @ forward, a @ forward, b @ forward
    p, q, k = xb * z0 - x0 * zb, x0 * za - xa * z0, xb * za - xa * zb
    middle = np.arctan2(q, p)
    spread = np.arccos(np.clip(-k / np.maximum(np.hypot(p, q), 1e-12), -1.0, 1.0))
    return middle + spread, middle - spread


def ray_depths(
    shape: Shape, position: Array, orientation: Array, camera: Camera, window: tuple[int, int, int, int]
) -> Array:
    """[H', W']: distance along the viewing axis at which each pixel's ray meets the object, inf where it does not.

    Works in the object's own frame, scaled to unit half-size. A ray is linear in the pixel coordinates u and v, so each
    of its components is an outer sum of a row and a column.
    """
    x0, y0, x1, y1 = window
    u = (np.arange(x0, x1) + 0.5 - camera.width / 2) / camera.focal
    v = ((np.arange(y0, y1) + 0.5 - camera.height / 2) / camera.focal)[:, None]
    turn = rotation_matrices(orientation)
    right, down, forward = (np.stack(camera.axes()) @ turn) / OBJECT_RADIUS
    origin = ((np.asarray(camera.position) - position) @ turn) / OBJECT_RADIUS
    ray = [u * right[k] + (v * down[k] + forward[k]) for k in range(3)]
    with np.errstate(divide="ignore", invalid="ignore"):
        if shape is Shape.SPHERE:
            near, far = _quadric(ray, origin)
        elif shape is Shape.CUBE:
            near, far = _slabs(ray, origin)
        else:
            side_near, side_far = _quadric(ray[:2], origin[:2])
            cap_near, cap_far = _slabs(ray[2:], origin[2:])
            near, far = np.maximum(side_near, cap_near), np.minimum(side_far, cap_far)
        return np.where((near <= far) & (far > 0), near, np.inf)


def _quadric(ray: list[Array], origin: Array) -> tuple[Array, Array]:
    """Entry and exit of the unit ball (3 components) or of the infinite unit cylinder (2); NaN on a miss."""
    a = sum((d * d for d in ray[1:]), ray[0] * ray[0])
    b = sum((d * o for d, o in zip(ray[1:], origin[1:], strict=True)), ray[0] * origin[0])
    root = np.sqrt(b * b - a * (origin @ origin - 1.0))
    return (-b - root) / a, (-b + root) / a


def _slabs(ray: list[Array], origin: Array) -> tuple[Array, Array]:
    """Entry and exit of the unit slabs |x| <= 1 along each given axis."""
    near, far = None, None
    for d, o in zip(ray, origin, strict=True):
        inverse = 1.0 / d
        middle, half = -o * inverse, np.abs(inverse)
        near = middle - half if near is None else np.maximum(near, middle - half)
        far = middle + half if far is None else np.minimum(far, middle + half)
    assert near is not None and far is not None
    return near, far


@dataclass(frozen=True)
class Views:
    """What the camera sees of each object: visible boxes [F, N, 4] (zeros when unseen) and visible shares [F, N]."""

    boxes: Array
    visibility: Array


def views(clip: Clip, camera: Camera) -> Views:
    """Visible boxes and shares of all objects in all frames.

    An object alone inside the picture is seen whole, and its closed-form box is exact. Where outlines overlap or cross
    the border, the pixels decide.
    """
    outlines = outline_boxes(clip, camera)
    _, depth = camera.project(clip.positions)
    size = np.array([camera.width, camera.height, camera.width, camera.height], float)
    reachable = (depth > NEAREST_DEPTH) & (outlines[..., 2:] > 0).all(-1) & (outlines[..., :2] < size[:2]).all(-1)
    inside = reachable & (outlines[..., :2] >= 0).all(-1) & (outlines[..., 2:] <= size[2:]).all(-1)
    boxes = np.where(reachable[..., None], np.clip(outlines, 0.0, size), 0.0)
    visibility = inside.astype(float)
    crossing = _overlaps(outlines, reachable)
    for frame in np.flatnonzero((reachable & (~inside | crossing)).any(axis=1)):
        unclear = np.flatnonzero(reachable[frame] & (~inside[frame] | crossing[frame]))
        seen = _seen_pixels(clip, int(frame), unclear, outlines[frame], camera)
        for i, (box, share) in zip(unclear, seen, strict=True):
            whole = share == 1.0 and inside[frame, i]
            visibility[frame, i] = share
            if not whole:
                boxes[frame, i] = box
    return Views(boxes, visibility)


def _overlaps(boxes: Array, present: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[F, N]: whether the object's box meets another's."""
    a, b = boxes[:, :, None], boxes[:, None, :]
    meet = (a[..., :2] < b[..., 2:]).all(-1) & (b[..., :2] < a[..., 2:]).all(-1)
    meet &= present[:, :, None] & present[:, None, :] & ~np.eye(boxes.shape[1], dtype=bool)
    return np.asarray(meet.any(-1))


def _window(box: Array) -> tuple[int, int, int, int]:
    x0, y0 = np.floor(box[:2]).astype(int)
    x1, y1 = np.ceil(box[2:]).astype(int)
    return int(x0), int(y0), int(x1), int(y1)


def _seen_pixels(
    clip: Clip, frame: int, objects: NDArray, outlines: Array, camera: Camera
) -> list[tuple[Array, float]]:
    """The visible box and visible share of each of `objects`, which are all that can hide one another."""
    windows = {i: _window(outlines[i]) for i in objects}
    depths = {
        i: ray_depths(clip.objects[i].shape, clip.positions[frame, i], clip.orientations[frame, i], camera, windows[i])
        for i in objects
    }
    result = []
    for i in objects:
        x0, y0, _, _ = windows[i]
        mine = depths[i]
        whole = np.isfinite(mine)
        seen = whole.copy()
        seen[:, : max(0, -x0)] = False
        seen[: max(0, -y0)] = False
        seen[:, max(0, camera.width - x0) :] = False
        seen[max(0, camera.height - y0) :] = False
        for j in objects:
            if j != i:
                _hide(seen, mine, windows[i], depths[j], windows[j])
        rows, columns = np.flatnonzero(seen.any(1)), np.flatnonzero(seen.any(0))
        if len(rows) == 0:
            result.append((np.zeros(4), 0.0))
            continue
        box = np.array([x0 + columns[0], y0 + rows[0], x0 + columns[-1] + 1, y0 + rows[-1] + 1], float)
        result.append((box, float(seen.sum() / whole.sum())))
    return result


def _hide(
    seen: NDArray[np.bool_],
    mine: Array,
    here: tuple[int, int, int, int],
    other: Array,
    there: tuple[int, int, int, int],
) -> None:
    """Clear the pixels of `seen` where the other object is nearer."""
    x0, y0 = max(here[0], there[0]), max(here[1], there[1])
    x1, y1 = min(here[2], there[2]), min(here[3], there[3])
    if x0 >= x1 or y0 >= y1:
        return
    a = (slice(y0 - here[1], y1 - here[1]), slice(x0 - here[0], x1 - here[0]))
    b = (slice(y0 - there[1], y1 - there[1]), slice(x0 - there[0], x1 - there[0]))
    seen[a] &= mine[a] <= other[b]


def instance_masks(clip: Clip, frame: int, camera: Camera) -> NDArray[np.uint8]:
    """[H, W]: 0 for the background, i + 1 where object i is what the camera sees at the pixel's centre."""
    ids = np.zeros((camera.height, camera.width), np.uint8)
    nearest = np.full(ids.shape, np.inf)
    outlines = outline_boxes(clip.frames([frame]), camera)[0]
    _, depth = camera.project(clip.positions[frame])
    for i, spec in enumerate(clip.objects):
        x0, y0, x1, y1 = _window(outlines[i])
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, camera.width), min(y1, camera.height)
        if depth[i] <= NEAREST_DEPTH or x0 >= x1 or y0 >= y1:
            continue
        mine = ray_depths(spec.shape, clip.positions[frame, i], clip.orientations[frame, i], camera, (x0, y0, x1, y1))
        region = (slice(y0, y1), slice(x0, x1))
        closer = mine < nearest[region]
        ids[region][closer] = i + 1
        nearest[region][closer] = mine[closer]
    return ids
