"""Mutations of every kind of file, with the hashes of the manifest left alone and with hashes that hide the change."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from comphy.choices import RendererName
from comphy.config import load_config, to_plain
from comphy.dataset import layout
from comphy.dataset.checks.dataset import check_dataset
from comphy.dataset.checks.questions import check_questions
from comphy.dataset.manifest import Manifest
from comphy.dataset.media.masks import read_masks
from comphy.dataset.media.video import read_mp4
from comphy.dataset.packs.rollouts import Pack
from comphy.errors import ComphyError
from comphy.scene.objects import REFERENCES_PER_SET
from comphy.toolkit.torture.damaging import BYTES, JSON, delete
from comphy.toolkit.torture.materials import SEED, SETS, Material, make_materials, relist
from comphy.toolkit.torture.trial_result import TrialResult
from data_gen.config import DatasetConfig
from data_gen.jobs.redraw import check_redraw
from data_gen.jobs.worker import Job

_MASKED: Final = ("target", *(f"reference_{k}" for k in range(REFERENCES_PER_SET)))


class Mutations:
    """A damaged file must be detected, as `comphy check` does or as its reader does, or mean the same as before."""

    name = "mutations"

    def __init__(self, folder: Path) -> None:
        make_materials(folder / "whole")
        # What is damaged is a copy: a run that is killed leaves a damaged file there.
        shutil.rmtree(folder / "damaged", ignore_errors=True)
        shutil.copytree(folder / "whole", folder / "damaged")
        self._materials = make_materials(folder / "damaged")
        self._before = {one.path: one.path.read_bytes() for kind in self._materials.values() for one in kind}
        self._meant = {one.path: _meaning(one) for kind in self._materials.values() for one in kind}

    def trial(self, rng: np.random.Generator) -> TrialResult:
        kinds = list(self._materials)
        several = self._materials[kinds[rng.integers(len(kinds))]]
        one = several[rng.integers(len(several))]
        damages = (*BYTES, *JSON) if one.name.endswith(".json") else BYTES
        damage = damages[rng.integers(len(damages))]
        hidden = one.listed and damage is not delete and bool(rng.random() < 0.5)
        tried = f"{damage.__name__} of {one.root.name}/{one.name}{', with a new hash' if hidden else ''}"
        content = damage(self._before[one.path], rng)
        if content == self._before[one.path]:
            return TrialResult("no change", tried)
        with self._damaged(one, content, hidden):
            try:
                return self._examined(one, tried)
            except ComphyError as error:
                return TrialResult("detected", tried, told=str(error)[:300])
            except Exception as error:
                return TrialResult("traceback", tried, traceback=True, told=repr(error)[:300])

    @contextmanager
    def _damaged(self, one: Material, content: bytes | None, hidden: bool) -> Iterator[None]:
        manifest = one.root / layout.MANIFEST
        kept = manifest.read_bytes() if one.listed else b""
        try:
            if content is None:
                one.path.unlink()
            else:
                one.path.write_bytes(content)
            if hidden:
                relist(one.root, one.name)
            yield
        finally:
            one.path.write_bytes(self._before[one.path])
            if one.listed:
                manifest.write_bytes(kept)

    def _examined(self, one: Material, tried: str) -> TrialResult:
        if one.of in ("checkpoint", "config"):
            if _meaning(one) == self._meant[one.path]:
                return TrialResult("harmless", tried)
            if one.of == "config":
                self._go_on_with(one.path)
            return TrialResult("undetected", tried, different=True)
        problems = [*check_dataset(one.root)]
        if not problems:
            problems += check_questions(one.root, Manifest.read(one.root))
        if problems:
            return TrialResult("detected", tried, told=str(problems[0])[:300])
        if _same(_meaning(one), self._meant[one.path]):
            return TrialResult("harmless", tried)
        problems = list(islice(check_redraw(one.root, SETS, every_frame=True), 1))
        told = str(problems[0])[:300] if problems else "comphy check finds nothing"
        return TrialResult("detected" if problems else "undetected", tried, different=not problems, told=told)

    def _go_on_with(self, config: Path) -> None:
        """Another config is one that somebody may want, but the folder of a dataset of the old one must refuse it."""
        root = self._materials["manifest"][0].root
        job = Job(root, SEED, RendererName.NONE, load_config(DatasetConfig, config))
        with job.folder().enter():
            shutil.rmtree(root / layout.PROGRESS)


def _meaning(one: Material) -> Any:
    """What a reader makes of a file; two files with the same meaning do not differ for anybody."""
    match one.of:
        case "checkpoint":
            from models.train.checkpoint import load_tensors

            tensors, facts = load_tensors(one.path)
            return {name: (str(t.dtype), t.tolist()) for name, t in tensors.items()}, facts
        case "config":
            return to_plain(load_config(DatasetConfig, one.path))
        case "pack":
            return dict(Pack(one.path))
        case "video":
            return read_mp4(one.path)
        case "masks":
            return {name: read_masks(one.path, name) for name in _MASKED}
        case "manifest":
            # Versions are told and decide nothing; with an older schema that is read a dataset cannot be gone on with.
            manifest = Manifest.read(one.root)
            return replace(manifest.recipe, schema_version=layout.SCHEMA_VERSION), manifest.sets, manifest.files
        case "card":
            return one.path.read_bytes()
        case _:
            content = one.path.read_bytes()
            with suppress(ValueError, RecursionError):
                return json.dumps(json.loads(content), sort_keys=True)
            return content


def _same(first: Any, second: Any) -> bool:
    match first:
        case np.ndarray():
            return bool(np.array_equal(first, second))
        case dict():
            return first.keys() == second.keys() and all(_same(first[key], second[key]) for key in first)
        case tuple() | list():
            return len(first) == len(second) and all(map(_same, first, second))
        case _:
            return bool(first == second)
