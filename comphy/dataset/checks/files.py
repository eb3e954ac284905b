"""Checks files against the manifest: none missing, changed or extra."""

from collections.abc import Iterator
from pathlib import Path

from comphy.dataset import layout
from comphy.dataset.checks.problem import Problem
from comphy.dataset.manifest import FileEntry, Manifest
from comphy.dataset.notes import generated_entry
from comphy.temporaries import is_temporary

# Folders that other commands derive from a dataset; the manifest does not list them.
DERIVED = ("preview",)


def check_files(root: Path, manifest: Manifest) -> Iterator[Problem]:
    """Yield a problem for each missing, changed or unlisted file."""
    listed: dict[str, FileEntry] = dict(manifest.files)
    for entry in manifest.sets.values():
        listed.update(entry.files)
        expected = {str(path) for path in layout.set_files(entry.index, manifest.recipe.renderer != "none")}
        if expected != set(entry.files):
            yield Problem(
                f"set {entry.index}",
                f"expected the files {sorted(expected)} (the manifest lists {sorted(entry.files)})",
            )
    for name, file in sorted(listed.items()):
        yield from _check_file(root, name, file)
    if (root / layout.PROGRESS).exists():
        yield Problem(str(root / layout.PROGRESS), "a job is unfinished; run its tools/generate.py command again")
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        known = name in listed or name == str(layout.MANIFEST) or name.split("/")[0] in (*DERIVED, str(layout.PROGRESS))
        if path.is_file() and not known:
            yield Problem(str(path), _unlisted(path))


def _unlisted(path: Path) -> str:
    if any(is_temporary(part) for part in path.parts):
        return (
            "a process that was killed left this unfinished; run its tools/generate.py command again, which clears it"
        )
    return "the manifest does not list this file; remove it"


def _check_file(root: Path, name: str, entry: FileEntry) -> Iterator[Problem]:
    path = root / name
    if not path.is_file():
        yield Problem(str(path), "the file is missing; run tools/generate.py again to make its set anew")
        return
    found = generated_entry(root, name)
    if found.bytes != entry.bytes:
        yield Problem(str(path), f"expected {entry.bytes} bytes (found {found.bytes}); run tools/generate.py again")
    elif found.sha256 != entry.sha256:
        yield Problem(
            str(path), "the content has changed (SHA-256 differs from the manifest); delete it and generate again"
        )
