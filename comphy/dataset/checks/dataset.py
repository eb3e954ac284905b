"""Validates a whole dataset, set by set, with progress."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from comphy.dataset import layout
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.checks.files import check_files
from comphy.dataset.checks.media import check_boxes, check_rollouts, check_videos
from comphy.dataset.checks.problem import Problem
from comphy.dataset.checks.rules import check_rules, has_future_collision
from comphy.dataset.manifest import Manifest
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.errors import DatasetError
from comphy.scene.camera import Camera

# Share of sets in which a pair first collides in the hidden future; checked only for datasets of at least ENOUGH_SETS.
FUTURE_SHARE = (0.35, 0.65)
ENOUGH_SETS = 40


def check_dataset(root: Path, report: Callable[[int, int], None] | None = None) -> Iterator[Problem]:
    """Yield all problems of a dataset; none means that it is valid. `report` is called with (sets done, sets in all)."""
    try:
        manifest = Manifest.read(root)
    except DatasetError as error:
        yield Problem(str(root), str(error))
        return
    yield from check_files(root, manifest)
    camera = _camera(manifest.recipe.config)
    indices = sorted(manifest.sets)
    if not indices:
        yield Problem(str(root), "the manifest lists no set")
    future = 0
    for number, index in enumerate(indices, start=1):
        try:
            annotation = GeneratedDataset(root).annotation(index)
            future += has_future_collision(annotation.target)
            yield from (Problem(f"set {index}", text) for text in _check_set(root, manifest, index, camera))
        except DatasetError as error:
            yield Problem(f"set {index}", str(error))
        if report:
            report(number, len(indices))
    share = future / max(1, len(indices))
    if len(indices) >= ENOUGH_SETS and not FUTURE_SHARE[0] <= share <= FUTURE_SHARE[1]:
        yield Problem(
            str(root), f"expected a first collision in the hidden future in about half of the sets (found {share:.0%})"
        )


def _check_set(root: Path, manifest: Manifest, index: int, camera: Camera) -> Iterator[str]:
    annotation = GeneratedDataset(root).annotation(index)
    extras = read_extras(root / layout.extras(index))
    if annotation.target.scene_index != index or extras.scene_index != index:
        yield f"expected scene_index {index} (found {annotation.target.scene_index} and {extras.scene_index})"
    if extras.split != layout.split_of(index):
        yield f"expected split '{layout.split_of(index)}' (found '{extras.split}')"
    yield from check_rules(annotation, extras, camera)
    yield from check_rollouts(root, annotation, extras)
    yield from check_boxes(annotation, extras, camera)
    if manifest.recipe.renderer != "none":
        yield from check_videos(root, annotation, camera)


def _camera(config: dict[str, Any]) -> Camera:
    picture = config.get("picture", {})
    return Camera().resized(picture.get("width", 480), picture.get("height", 320))
