"""Checks files against the manifest: none missing, changed or extra."""

from collections.abc import Iterator
from pathlib import Path

from comphy.dataset import layout
from comphy.dataset.checks.problem import Problem, problems_at
from comphy.dataset.manifest import FileEntry, Manifest
from comphy.dataset.notes import generated_entry
from comphy.dataset.whole_files import whole_files
from comphy.files import read_json
from comphy.temporaries import is_temporary

# Folders that other commands derive from a dataset; the manifest does not list them.
DERIVED = ("preview", "site")


def check_manifest(root: Path, manifest: Manifest) -> Iterator[str]:
    """Yield a problem for each field of the manifest that does not follow from the others."""
    told, expected = read_json(root / layout.MANIFEST), manifest.record()
    for key in sorted(told.keys() | expected.keys()):
        if key != "sets" and told.get(key) != expected.get(key):
            yield f"expected '{key}' to be {_short(expected.get(key))} (found {_short(told.get(key))}); generate it again"
    for told_set, expected_set in zip(told["sets"], expected["sets"], strict=False):
        if told_set != expected_set:
            yield f"the entry of set {expected_set['index']} does not follow from its number; generate it again"
    if len(told["sets"]) != len(expected["sets"]):
        yield f"expected each set once (found {len(told['sets'])} entries of {len(expected['sets'])} sets)"
    if not all(isinstance(version, str) for version in manifest.versions.values()):
        yield f"expected 'versions' to be words (found {_short(manifest.versions)})"
    whole = {str(path) for path in whole_files()}
    if set(manifest.files) != whole:
        yield f"expected the files {sorted(whole)} of the dataset as a whole (found {sorted(manifest.files)})"


def _short(value: object) -> str:
    return "nothing" if value is None else f"{value!r:.200}"


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
        yield from problems_at(str(root / name), _check_file(root, name, file))
    if (root / layout.PROGRESS).exists():
        yield Problem(str(root / layout.PROGRESS), "a job is unfinished; run its comphy generate command again")
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        known = name in listed or name == str(layout.MANIFEST) or name.split("/")[0] in (*DERIVED, str(layout.PROGRESS))
        if path.is_file() and not known:
            yield Problem(str(path), _unlisted(path))


def _unlisted(path: Path) -> str:
    if any(is_temporary(part) for part in path.parts):
        return "a process that was killed left this unfinished; run its comphy generate command again, which clears it"
    return "the manifest does not list this file; remove it"


def _check_file(root: Path, name: str, entry: FileEntry) -> Iterator[str]:
    if not (root / name).is_file():
        yield "the file is missing; run comphy generate again to make its set anew"
        return
    found = generated_entry(root, name)
    if found.bytes != entry.bytes:
        yield f"expected {entry.bytes} bytes (found {found.bytes}); run comphy generate again"
    elif found.sha256 != entry.sha256:
        yield "the content has changed (SHA-256 differs from the manifest); delete it and generate again"
