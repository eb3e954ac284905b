"""Validates a whole dataset, set by set, with progress."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from comphy.damage import reading
from comphy.dataset import layout
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.checks.files import check_files, check_manifest
from comphy.dataset.checks.media import check_boxes, check_rollouts, check_videos
from comphy.dataset.checks.packs import check_box_table, check_pack
from comphy.dataset.checks.problem import Problem, problems_at
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
        camera = _camera(manifest.recipe.config, str(root / layout.MANIFEST))
    except DatasetError as error:
        yield Problem(str(root), str(error))
        return
    yield from problems_at(str(root / layout.MANIFEST), check_manifest(root, manifest))
    yield from check_files(root, manifest)
    indices = sorted(manifest.sets)
    if not indices:
        yield Problem(str(root), "the manifest lists no set")
    future: set[int] = set()
    for number, index in enumerate(indices, start=1):
        yield from problems_at(f"set {index}", _check_set(root, manifest, index, camera, future))
        if report:
            report(number, len(indices))
    yield from problems_at(str(root / layout.PACK), check_pack(root, indices))
    yield from problems_at(str(root / layout.BOXES), check_box_table(root, indices))
    share = len(future) / max(1, len(indices))
    if len(indices) >= ENOUGH_SETS and not FUTURE_SHARE[0] <= share <= FUTURE_SHARE[1]:
        yield Problem(
            str(root), f"expected a first collision in the hidden future in about half of the sets (found {share:.0%})"
        )


def _check_set(root: Path, manifest: Manifest, index: int, camera: Camera, future: set[int]) -> Iterator[str]:
    """Yield the problems of a set, and add it to `future` if a pair first collides there."""
    annotation = GeneratedDataset(root).annotation(index)
    if has_future_collision(annotation.target):
        future.add(index)
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


def _camera(config: dict[str, Any], where: str) -> Camera:
    with reading(f"{where}: config"):
        picture = config.get("picture", {})
        return Camera().resized(picture.get("width", 480), picture.get("height", 320))
