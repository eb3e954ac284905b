"""The state of a dataset folder while it is made: which sets are done, by which recipe, and where work goes on.

A set is made in a folder of its own, its files are renamed into place, and an entry is written last. Whatever a killed
job leaves behind is either a finished set with an entry, or is made again.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from comphy.dataset import layout
from comphy.dataset.manifest import FileEntry, Manifest, Recipe, SetEntry, current_versions, read_recipe
from comphy.dataset.notes import generated_entry
from comphy.errors import ComphyError, DatasetError
from comphy.files import disk_errors, read_json, write_json


@dataclass(frozen=True)
class DatasetFolder:
    root: Path
    recipe: Recipe

    @property
    def _progress(self) -> Path:
        return self.root / layout.PROGRESS

    def prepare(self) -> None:
        """Create the folder, or make sure that the one that exists holds sets of the same recipe."""
        with disk_errors(self.root):
            if self.root.exists() and not self.root.is_dir():
                raise ComphyError(
                    f"{self.root}: expected a folder for the dataset (found a file). Choose another --out."
                )
            self.root.mkdir(parents=True, exist_ok=True)
            known = self._known_recipe()
            if known is None and any(self.root.iterdir()):
                raise ComphyError(
                    f"{self.root}: the folder is not empty and holds no dataset of ours. Choose another --out or empty it."
                )
            if known is not None:
                self._check_same(known)
            (self._progress / "done").mkdir(parents=True, exist_ok=True)
            if not (self._progress / "recipe.json").exists():
                record = {**self.recipe.record(), "versions": current_versions(self.recipe.renderer)}
                write_json(self._progress / "recipe.json", record, indent=1)

    def _known_recipe(self) -> Recipe | None:
        for path in (self._progress / "recipe.json", self.root / layout.MANIFEST):
            if path.exists():
                return read_recipe(read_json(path), str(path))
        return None

    def _check_same(self, known: Recipe) -> None:
        differences = [
            f"{name}: the folder has {a}, the command asks for {b}"
            for name, a, b in (
                ("seed", known.seed, self.recipe.seed),
                ("render", known.renderer, self.recipe.renderer),
                ("config", json.dumps(known.config, sort_keys=True), json.dumps(self.recipe.config, sort_keys=True)),
            )
            if a != b
        ]
        if differences:
            raise ComphyError(
                f"{self.root}: the folder holds a dataset made in another way. Choose another --out, or repeat the command "
                "that began it.\n  - " + "\n  - ".join(differences)
            )

    def done(self) -> dict[int, SetEntry]:
        """Entries of finished sets whose files are all there."""
        entries = dict(Manifest.read(self.root).sets) if (self.root / layout.MANIFEST).exists() else {}
        for path in sorted((self._progress / "done").glob("*.json")):
            entry = SetEntry.parse(read_json(path), str(path))
            entries[entry.index] = entry
        return {index: entry for index, entry in entries.items() if self._intact(entry)}

    def finished(self) -> Manifest | None:
        """The manifest, if there is one and the files of the dataset as a whole are all there."""
        if not (self.root / layout.MANIFEST).exists():
            return None
        manifest = Manifest.read(self.root)
        return manifest if self._all_there(manifest.files) else None

    def _intact(self, entry: SetEntry) -> bool:
        return self._all_there(entry.files)

    def _all_there(self, files: dict[str, FileEntry]) -> bool:
        return all(self._there(name, file) for name, file in files.items())

    def _there(self, name: str, file: FileEntry) -> bool:
        path = self.root / name
        return path.is_file() and (path.stat().st_size == file.bytes or generated_entry(self.root, name) == file)

    def begin_set(self, index: int) -> Path:
        """An empty folder to make the set in; what an earlier, killed attempt left there is removed."""
        work = self._progress / "work" / f"{index:05d}"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        return work

    def finish_set(self, work: Path, entry: SetEntry) -> None:
        for name in entry.files:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).replace(self.root / name)
        shutil.rmtree(work, ignore_errors=True)
        write_json(self._progress / "done" / f"{entry.index:05d}.json", entry.record())

    def versions(self) -> dict[str, str]:
        record = read_json(self._progress / "recipe.json")
        versions = record.get("versions")
        if not isinstance(versions, dict):
            raise DatasetError(
                f"{self._progress / 'recipe.json'}: expected 'versions' (got {versions!r}). Generate anew."
            )
        return versions

    def clear_progress(self) -> None:
        shutil.rmtree(self._progress, ignore_errors=True)
