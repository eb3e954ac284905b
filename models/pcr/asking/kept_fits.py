"""Keeps on disk what takes longest to infer of a set: its alignment, its refinement evidence and its fitted states of
motion. Whoever asks another question about it later, in another process, does not wait for them again."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

import models.pcr
from comphy.errors import DatasetError
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.refining import align_and_refine
from models.pcr.tracks.fitted_motion import FittedMotion, FittedSets
from models.pcr.tracks.observed import Observed, RefinementEvidence
from models.train.checkpoint import load_tensors, save_tensors

FITS: Final = "fits"  # folder of a run, or of the user's cache, for these files
# Rooms whose code has a part in a fit: one that was made by other code is not taken.
_ROOMS: Final = ("tracks", "grounding", "dynamics", "properties", "reasoner", "executor")


def fit_once(reasoner: Reasoner, observed: Observed, folder: Path) -> Observed:
    """As `align_and_refine` of one set, from a file of the folder if it has one for the same set, weights and code."""
    path = folder / f"{_fingerprint(reasoner, observed)}.safetensors"
    if path.is_file():
        with suppress(DatasetError, KeyError):  # a file that cannot be read is made anew
            return _restored(observed, load_tensors(path)[0])
    fitted = align_and_refine(reasoner, observed)
    parts = {"owners": fitted.owners, **_named("refinement", fitted.refinement), **_named("states", fitted.states)}
    with suppress(DatasetError, OSError):  # a folder that cannot be written to costs time, not the answer
        save_tensors(path, parts, {})
    return fitted


def _fingerprint(reasoner: Reasoner, observed: Observed) -> str:
    found = hashlib.sha256(repr((reasoner.settings, observed.target.tracks.camera, torch.__version__)).encode())
    for tensor in (*reasoner.state_dict().values(), *_named("observed", observed).values()):
        found.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    home = Path(models.pcr.__file__).parent
    for file in sorted(file for room in _ROOMS for file in (home / room).rglob("*.py")):
        found.update(file.read_bytes())
    return found.hexdigest()[:24]


def _named(name: str, tree: Any) -> dict[str, Tensor]:
    """The tensors of nested dataclasses by their path."""
    return dict(_walk(name, tree))


def _walk(name: str, tree: Any) -> Iterator[tuple[str, Tensor]]:
    if isinstance(tree, Tensor):
        yield name, tree
    elif is_dataclass(tree) and not isinstance(tree, type):
        for field in fields(tree):
            yield from _walk(f"{name}.{field.name}", getattr(tree, field.name))


def _restored(observed: Observed, tensors: dict[str, Tensor]) -> Observed:
    def part(kind: type, name: str) -> Any:
        return kind(**{field.name: tensors[f"{name}.{field.name}"] for field in fields(kind)})

    refined = any(name.startswith("refinement.") for name in tensors)
    fitted = any(name.startswith("states.") for name in tensors)
    states = (
        FittedSets(part(FittedMotion, "states.target"), part(FittedMotion, "states.references")) if fitted else None
    )
    evidence = part(RefinementEvidence, "refinement") if refined else None
    return replace(observed, owners=tensors["owners"], refinement=evidence, states=states)
