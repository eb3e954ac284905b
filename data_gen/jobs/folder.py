"""The state of a dataset folder while it is made: which sets are done, by which recipe, and where work goes on.

A set is made in a folder of its own, its files are renamed into place, and an entry is written last. Whatever a killed
job leaves behind is either a finished set with an entry, or is made again. Several processes may work in the folder:
`folder_lock` has their rules.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from comphy.dataset import layout
from comphy.dataset.manifest import FileEntry, Manifest, Recipe, SetEntry, current_versions, read_recipe
from comphy.dataset.notes import generated_entry
from comphy.dataset.whole_files import whole_files
from comphy.errors import ComphyError, DatasetError
from comphy.files import disk_errors, read_json, write_json
from comphy.temporaries import clear_temporaries, is_temporary, temporary_path
from data_gen.jobs.folder_lock import SetClaim, SharedFolderLock


@dataclass(frozen=True)
class DatasetFolder:
    root: Path
    recipe: Recipe

    @property
    def _progress(self) -> Path:
        return self.root / layout.PROGRESS

    def enter(self) -> SharedFolderLock:
        """Create the folder, or make sure that the one that exists holds sets of the same recipe, and be present in it.

        What killed processes left unfinished there is cleared away."""
        with disk_errors(self.root):
            if self.root.exists() and not self.root.is_dir():
                raise ComphyError(
                    f"{self.root}: expected a folder for the dataset (found a file). Choose another --out."
                )
            self.root.mkdir(parents=True, exist_ok=True)
            while (lock := self._begin()) is None:
                pass  # the dataset was completed, and its progress cleared away, in this very moment
            alone = lock.alone()
            for folder in {self.root, *(self.root / path.parent for path in whole_files())}:
                clear_temporaries(folder, alone)
            return lock

    def _begin(self) -> SharedFolderLock | None:
        try:
            self._prepare()
        except FileNotFoundError:
            return None
        lock = SharedFolderLock.begin(self._progress)
        if lock is not None and (known := self._known_recipe()) is not None:
            try:
                self._check_same(known)  # again: another process may have prepared the folder for another dataset
            except ComphyError:
                lock.close()
                raise
        return lock

    def _prepare(self) -> None:
        """`progress/` appears with all that it needs in one step: nobody ever sees half of it."""
        known = self._known_recipe()
        if known is None and not all(self._left_by_a_start(path) for path in self.root.iterdir()):
            raise ComphyError(
                f"{self.root}: the folder is not empty and holds no dataset of ours. Choose another --out or empty it."
            )
        if known is not None:
            self._check_same(known)
        if (self._progress / "recipe.json").exists():
            return
        made = temporary_path(self._progress)
        shutil.rmtree(made, ignore_errors=True)
        (made / "done").mkdir(parents=True)
        record = {**self.recipe.record(), "versions": current_versions(self.recipe.renderer)}
        write_json(made / "recipe.json", record, indent=1)
        try:
            made.rename(self._progress)
        except OSError:  # it is there: another process was faster, or its recipe is missing
            if not (self._progress / "recipe.json").exists():
                write_json(self._progress / "recipe.json", record, indent=1)
        finally:
            shutil.rmtree(made, ignore_errors=True)

    def _left_by_a_start(self, path: Path) -> bool:
        """Whether a process that begins, or one that was killed as it began, has put this into a folder that was empty."""
        return is_temporary(path.name) or (path == self._progress and not any((path / "done").glob("*.json")))

    def _known_recipe(self) -> Recipe | None:
        for path in (self._progress / "recipe.json", self.root / layout.MANIFEST):
            try:
                if path.exists():
                    return read_recipe(read_json(path), str(path))
            except DatasetError:
                if path.exists():  # else it was cleared away while it was read
                    raise
        return None

    def _check_same(self, known: Recipe) -> None:
        differences = [
            f"{name}: the folder has {a}, the command asks for {b}"
            for name, a, b in (
                ("schema version", known.schema_version, self.recipe.schema_version),
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

    def claim(self, index: int) -> SetClaim:
        """The right to make a set, which one process has at a time."""
        return SetClaim(self._progress, index)

    def made(self, index: int) -> SetEntry | None:
        """The entry of a set that was finished since this job began, if its files are all there."""
        path = self._done(index)
        if not path.exists():
            return None
        entry = SetEntry.parse(read_json(path), str(path))
        return entry if self._intact(entry) else None

    def _done(self, index: int) -> Path:
        return self._progress / "done" / f"{index:05d}.json"

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
        write_json(self._done(entry.index), entry.record())

    def versions(self) -> dict[str, str]:
        """Those with which the dataset was begun."""
        if not (self._progress / "recipe.json").exists() and (self.root / layout.MANIFEST).exists():
            return Manifest.read(self.root).versions  # completed by another process on a file system without locks
        record = read_json(self._progress / "recipe.json")
        versions = record.get("versions")
        if not isinstance(versions, dict):
            raise DatasetError(
                f"{self._progress / 'recipe.json'}: expected 'versions' (got {versions!r}). Generate anew."
            )
        return versions
