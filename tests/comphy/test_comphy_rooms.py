"""The folders of comphy import in one direction only: each may import those before it."""

from tests.support.imports import ROOT, import_edges

# Modules beside the folders (errors, config, …) come before all of them.
ORDER = ("scene", "sim", "programs", "questions", "language", "dataset", "drawing", "puzzles", "evaluation")
# What ties the whole together: commands, and the package's public names.
EXEMPT = ("cli", "toolkit", "__init__.py")
MOST_FILES = 14


def rank(room: str) -> int:
    return ORDER.index(room) + 1 if room in ORDER else 0


def test_every_folder_has_its_place() -> None:
    folders = {path.parent.name for path in (ROOT / "comphy").glob("*/__init__.py")}
    assert folders - {"cli", "toolkit"} == set(ORDER)


def test_folders_import_only_those_before_them() -> None:
    against = [
        f"comphy/{path} imports comphy.{name}"
        for path, name in import_edges("comphy")
        if not str(path).startswith(EXEMPT) and rank(name.split(".")[0]) > rank(path.parts[0])
    ]
    assert not against


def test_folders_stay_small() -> None:
    """Templates of PHYRE and commands aside: they are one file each."""
    sizes = {
        str(path.parent.relative_to(ROOT)): len(list(path.parent.glob("*.py"))) - 1
        for path in (ROOT / "comphy").rglob("__init__.py")
        if "phyre/templates" not in path.as_posix() and path.parent.name != "cli"
    }
    assert {folder: size for folder, size in sizes.items() if size > MOST_FILES} == {}
