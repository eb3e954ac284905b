"""The symbolic state as published: polygons in pixels with maps of 8-bit colours, without kinds; read and written as JSON.

    [{"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[x, y], ...]]},
         "properties": {"id": 1, "label": "Object", "colormap": [{"color": 146, "percent": 0.8}, ...]}}, ...]}]

The ground has no polygon, but a row of pixels, "yindex".
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from comphy.errors import DatasetError
from comphy.puzzles.phyq.benchmark.observing.color_map import COLORS
from comphy.puzzles.phyq.benchmark.observing.scene import GROUND_PIXEL, Kind, SceneObject, is_exact

NOISE_SHARE: Final = 0.02
OBJECT: Final = "Object"
SLINGSHOT: Final = "Slingshot"
GROUND_LABEL: Final = "Ground"


@dataclass(frozen=True)
class SymbolicObject:
    """One polygon on the screen.

    Attributes:
        label: Object or Slingshot.
        vertices: corners (x, y) in pixels.
        colors: the share of each colour, written in bits as RRRGGGBB."""

    label: str
    vertices: tuple[tuple[int, int], ...]
    colors: Mapping[int, float]


@dataclass(frozen=True)
class SymbolicState:
    """All that the screen shows, in symbols.

    Attributes:
        objects: the polygons.
        ground: the row of pixels at which the ground begins."""

    objects: tuple[SymbolicObject, ...]
    ground: int


def symbolic_state(scene: Sequence[SceneObject], rng: np.random.Generator | None = None) -> SymbolicState:
    """Describe a scene in symbols.

    Args:
        scene: what is on the screen.
        rng: draws noise of the colour shares, up to 2 % each; without it, they are exact.

    Returns:
        The symbolic state."""
    return SymbolicState(tuple(_seen(one, rng) for one in scene), GROUND_PIXEL)


def to_json(state: SymbolicState) -> str:
    """Write a symbolic state as published.

    Args:
        state: what `from_json` reads back.

    Returns:
        The text."""
    ground = {"type": "Feature", "geometry": {}, "properties": {"id": 0, "label": GROUND_LABEL, "yindex": state.ground}}
    features = [ground, *(_feature(number, one) for number, one in enumerate(state.objects, 1))]
    return json.dumps([{"type": "FeatureCollection", "features": features}])


def from_json(text: str) -> SymbolicState:
    """Read a symbolic state; other features, such as trajectories, are skipped.

    Args:
        text: as `to_json` writes it, or from the published game.

    Returns:
        The symbolic state.

    Raises:
        DatasetError: if the text is damaged."""
    try:
        [collection] = json.loads(text)
        features = [(one["properties"], one["geometry"]) for one in collection["features"]]
        [ground] = [int(facts["yindex"]) for facts, _ in features if facts["label"] == GROUND_LABEL]
        objects = [_object(facts, shape) for facts, shape in features if shape.get("type") == "Polygon"]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise DatasetError(
            f"Expected a symbolic state of Phy-Q: a list with one FeatureCollection of polygons and one Ground (got "
            f"'{text[:60]}': {type(error).__name__} {error})."
        ) from None
    return SymbolicState(tuple(objects), ground)


def _seen(one: SceneObject, rng: np.random.Generator | None) -> SymbolicObject:
    colors = dict(one.colors)
    if rng is not None and not is_exact(one.kind):
        noise = rng.uniform(-NOISE_SHARE, NOISE_SHARE, len(colors))
        colors = {code: min(max(share + by, 0.0), 1.0) for (code, share), by in zip(colors.items(), noise, strict=True)}
    return SymbolicObject(SLINGSHOT if one.kind is Kind.SLINGSHOT else OBJECT, one.pixels, colors)


def _feature(number: int, one: SymbolicObject) -> dict[str, Any]:
    colors = [{"color": code, "percent": share} for code, share in one.colors.items()]
    return {
        "type": "Feature",
        "geometry": {"type": "Polygon", "coordinates": [[list(point) for point in one.vertices]]},
        "properties": {"id": number, "label": one.label, "colormap": colors},
    }


def _object(facts: Mapping[str, Any], shape: Mapping[str, Any]) -> SymbolicObject:
    colors = {int(one["color"]): float(one["percent"]) for one in facts["colormap"]}
    wrong = [code for code, share in colors.items() if not (0 <= code < COLORS and 0.0 <= share <= 1.0)]
    if wrong:
        raise ValueError(f"colours from 0 to 255 with shares from 0 to 1 are needed, not {wrong}")
    vertices = tuple((int(x), int(y)) for x, y in shape["coordinates"][0])
    return SymbolicObject(str(facts["label"]), vertices, colors)
