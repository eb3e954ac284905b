"""Folders of PHYRE, of Phy-Q and of the agents import in one direction."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TEMPLATE = re.compile(r"t\d{5}_")  # one file a template, however many there are
# Each folder may import itself and those before it. An empty name: the modules of the package itself.
ORDERS = {
    "comphy.puzzles.phyre": ("world", "templates", "benchmark", "pictures", "player"),
    "comphy.puzzles.phyq": ("world", "templates", "tasks", "pictures", "benchmark", "player"),
    "models.agents": ("", "scorers", "strategies", "benchmark", "phyq"),
    "comphy.puzzles": ("player", "phyre", "phyq"),
    "comphy.sim": ("", "planar"),
}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def folder_of(package: str, module: str, rooms: tuple[str, ...]) -> str | None:
    """The folder of a package that a module is in; None if it is in none of them."""
    if not module.startswith(f"{package}."):
        return None
    first = module.removeprefix(f"{package}.").split(".")[0]
    return first if first in rooms else "" if "" in rooms else None


@pytest.mark.parametrize("package", ORDERS)
def test_folders_import_in_one_direction(package: str) -> None:
    rooms = ORDERS[package]
    root = Path(package.replace(".", "/"))
    seen, wrong = set(), []
    for room in rooms:
        files = [*root.glob("*.py")] if not room else [*(root / room).rglob("*.py")]
        assert files, f"{package} has a folder {room}"
        for path in files:
            for module in imported(path):
                other = folder_of(package, module, rooms)
                if other is None:
                    continue
                seen.add((room, other))
                if rooms.index(other) > rooms.index(room):
                    wrong.append(f"{path} imports {module}")
    assert not wrong
    assert any(one != other for one, other in seen), "the test looks at imports between folders"


@pytest.mark.parametrize("package", ORDERS)
def test_no_folder_is_crowded(package: str) -> None:
    root = Path(package.replace(".", "/"))
    for folder in [root, *(path for path in root.rglob("*") if path.is_dir() and path.name != "__pycache__")]:
        modules = [path for path in folder.glob("*.py") if path.name != "__init__.py" and not TEMPLATE.match(path.name)]
        assert len(modules) <= 14, f"{folder} has {len(modules)} modules"
