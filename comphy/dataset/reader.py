"""Reads video sets from disk: our datasets and the public release (dialect A), or the authors' own files (dialect B)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import VideoAnnotation, read_annotation
from comphy.errors import DatasetError


@dataclass(frozen=True)
class SetAnnotation:
    """The annotations of one set in published form."""

    index: int
    target: VideoAnnotation
    references: tuple[VideoAnnotation, ...]


class AnnotationSource(Protocol):
    """A folder of annotated sets, whatever its dialect."""

    @property
    def root(self) -> Path: ...

    def indices(self) -> list[int]:
        """Numbers of the sets in the folder, ascending."""
        ...

    def target_path(self, index: int) -> Path: ...

    def reference_paths(self, index: int) -> list[Path]: ...


def _numbered(paths: Iterator[Path], pattern: str) -> list[int]:
    found = (re.fullmatch(pattern, path.name) for path in paths)
    return sorted(int(match[1]) for match in found if match)


@dataclass(frozen=True)
class ReleaseTree:
    """Dialect A: `target_annotation/annotation_00000_01000/00000.json` and four files a set beside it."""

    root: Path

    def indices(self) -> list[int]:
        return _numbered(self.root.glob("target_annotation/*/*.json"), r"(\d{5})\.json")

    def target_path(self, index: int) -> Path:
        return self.root / layout.target_annotation(index)

    def reference_paths(self, index: int) -> list[Path]:
        folder = (self.root / layout.reference_annotation(index, 0)).parent
        return sorted(folder.glob("*.json"))


@dataclass(frozen=True)
class FlatTree:
    """Dialect B, flattened: `sim_00000/annotation.json` and `0.json` … `3.json` beside it."""

    root: Path

    def indices(self) -> list[int]:
        return _numbered(self.root.glob("sim_*"), r"sim_(\d{5})")

    def target_path(self, index: int) -> Path:
        return self.root / f"sim_{index:05d}" / "annotation.json"

    def reference_paths(self, index: int) -> list[Path]:
        return sorted((self.root / f"sim_{index:05d}").glob("[0-9].json"))


@dataclass(frozen=True)
class RenderTree:
    """Dialect B as rendered: `causal_sim/sim_00000/annotations/annotation.json`, `reference/sim_00000/<0..3>/…`."""

    root: Path

    def indices(self) -> list[int]:
        return _numbered(self.root.glob("causal_sim/sim_*"), r"sim_(\d{5})")

    def target_path(self, index: int) -> Path:
        return self.root / "causal_sim" / f"sim_{index:05d}" / "annotations" / "annotation.json"

    def reference_paths(self, index: int) -> list[Path]:
        return sorted((self.root / "reference" / f"sim_{index:05d}").glob("*/annotations/annotation.json"))


def open_annotations(root: Path) -> AnnotationSource:
    """The annotations below a folder, whichever published layout it has."""
    if (root / "target_annotation").is_dir():
        return ReleaseTree(root)
    if (root / "causal_sim").is_dir():
        return RenderTree(root)
    if any(root.glob("sim_*/annotation.json")):
        return FlatTree(root)
    raise DatasetError(
        f"{root}: expected 'target_annotation/' (the release and our datasets), 'causal_sim/' or "
        "'sim_00000/annotation.json' (the authors' own files); found none of them."
    )


def read_set(source: AnnotationSource, index: int) -> SetAnnotation:
    references = tuple(read_annotation(path) for path in source.reference_paths(index))
    return SetAnnotation(index, read_annotation(source.target_path(index)), references)
