#!/usr/bin/env python
"""Measure how the packages are laid out: modules, import levels and import cycles, folder by folder.

python tools/structure.py models/pcr comphy/puzzles/phyre
python tools/structure.py --root ../older_checkout models/pcr
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from comphy.command import build_app, console
from comphy.errors import ConfigError
from comphy.evaluation.qa.tables import in_full

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("comphy", "data_gen", "models")

Graph = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Measured:
    """`flat` counts the modules that lie directly in the folder, `total` those of its subfolders as well. `levels` is the
    length of the longest chain of imports. `cycles` are groups of subfolders that import each other."""

    folder: str
    flat: int
    total: int
    levels: int
    cycles: tuple[tuple[str, ...], ...]


def main(
    folders: Annotated[list[Path] | None, typer.Argument(help="Folders to measure; without: all packages.")] = None,
    root: Annotated[Path, typer.Option(help="The checkout that holds them.")] = ROOT,
) -> None:
    """Print the number of modules, the levels of imports and the cycles between subfolders of each folder.

    Example: python tools/structure.py models/pcr comphy/puzzles/phyre
    """
    table = Table("folder", "modules in it", "with subfolders", "import levels", "cycles between subfolders")
    for folder in folders or _folders(root):
        found = measure(root, folder)
        cycles = "; ".join(" <-> ".join(cycle) for cycle in found.cycles) or "none"
        table.add_row(found.folder, str(found.flat), str(found.total), str(found.levels), cycles)
    console.print(in_full(table))


def measure(root: Path, folder: Path) -> Measured:
    """The structure of one folder of a checkout.

    Args:
        root: the checkout; modules are named from here.
        folder: relative to the root.

    Raises:
        ConfigError: the folder holds no modules.
    """
    files = {_module_name(path.relative_to(root)): path for path in sorted((root / folder).rglob("*.py"))}
    if not files:
        raise ConfigError(f"{root / folder}: expected a folder with Python modules (found none).")
    graph = {name: frozenset(_imported(path, files)) - {name} for name, path in files.items()}
    prefix = ".".join(folder.parts)
    modules = {name for name, path in files.items() if path.name != "__init__.py"}
    flat = sum(name.rpartition(".")[0] == prefix for name in modules)
    return Measured(str(folder), flat, len(modules), _levels(graph), _cycles(_between_rooms(graph, prefix)))


def _folders(root: Path) -> Iterator[Path]:
    """The packages and their folders, two levels deep."""
    for package in PACKAGES:
        yield Path(package)
        for folder in sorted((root / package).iterdir()):
            if (folder / "__init__.py").is_file():
                yield folder.relative_to(root)


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules among the known ones that a file imports when it is imported itself."""
    for node in _run_on_import(ast.parse(path.read_text()).body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                if submodule in known:
                    yield submodule
                elif node.module in known:
                    yield node.module


def _run_on_import(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements outside functions, classes and `if TYPE_CHECKING`."""
    for node in body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            yield from _run_on_import(node.body)


def _between_rooms(graph: Graph, prefix: str) -> dict[str, frozenset[str]]:
    """The same imports between the direct subfolders of a package."""
    depth = len(prefix.split("."))

    def room(name: str) -> str:
        parts = name.split(".")[depth:]
        return parts[0] if parts and (any(other.startswith(f"{prefix}.{parts[0]}.") for other in graph)) else ""

    rooms: dict[str, set[str]] = {}
    for name, targets in graph.items():
        rooms.setdefault(room(name), set()).update(map(room, targets))
    return {name: frozenset(targets - {name, ""}) for name, targets in rooms.items() if name}


def _reached(graph: Graph, start: str) -> frozenset[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for target in graph.get(waiting.pop(), frozenset()) - found:
            found.add(target)
            waiting.append(target)
    return frozenset(found)


def _cycles(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """The strongly connected components of more than one node."""
    reached = {name: _reached(graph, name) for name in graph}
    groups = {
        tuple(sorted({name, *(other for other in reached[name] if other in graph and name in reached[other])}))
        for name in graph
    }
    return tuple(sorted(group for group in groups if len(group) > 1))


def _levels(graph: Graph) -> int:
    """The most modules on one chain of imports; modules that import each other count once."""
    group_of = {name: (name,) for name in graph} | {name: cycle for cycle in _cycles(graph) for name in cycle}
    depth: dict[tuple[str, ...], int] = {}

    def of(group: tuple[str, ...]) -> int:
        if group not in depth:
            below = {group_of[target] for name in group for target in graph[name]} - {group}
            depth[group] = 1 + max(map(of, below), default=0)
        return depth[group]

    return max(map(of, set(group_of.values())))


app = build_app(main)

if __name__ == "__main__":
    app()
