"""Makes sets again from their seed and compares the bytes: the proof that a dataset is what its recipe says."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from comphy.config import build
from comphy.dataset import layout
from comphy.dataset.checks.problem import Problem
from comphy.dataset.manifest import Manifest, current_versions
from comphy.dataset.writer import write_set
from comphy.sim.bullet import Engine
from data_gen.config import DatasetConfig
from data_gen.sampling.sampler import SetSampler


def check_redraw(root: Path, count: int) -> Iterator[Problem]:
    """Draw `count` evenly spread sets again, without rendering, and hold them against the manifest."""
    manifest = Manifest.read(root)
    config = build(DatasetConfig, manifest.recipe.config, str(root / layout.MANIFEST))
    indices = sorted(manifest.sets)
    chosen = indices[:: max(1, len(indices) // max(1, count))][:count]
    camera = config.camera()
    with Engine() as engine, tempfile.TemporaryDirectory(prefix="comphy-redraw-") as folder:
        sampler = SetSampler(config.scene, manifest.recipe.seed, camera, engine)
        for index in chosen:
            again = write_set(Path(folder), sampler.draw(index), camera, None)
            changed = [name for name, entry in again.items() if manifest.sets[index].files.get(name) != entry]
            if changed:
                yield Problem(
                    f"set {index}", f"drawn again from the seed it differs in {', '.join(changed)}; {_reason(manifest)}"
                )


def _reason(manifest: Manifest) -> str:
    now = current_versions(manifest.recipe.renderer)
    other = [
        f"{name} {then} then, {now.get(name)} now" for name, then in manifest.versions.items() if now.get(name) != then
    ]
    return (
        f"versions differ: {'; '.join(other)}"
        if other
        else "the versions are the same, so the files or the code changed"
    )
