"""Which modules a module imports, read from its source: nothing is executed, and imports inside functions count."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def imported(path: Path) -> Iterator[str]:
    """Full names of what a file imports; `from a import b` gives `a.b`, which may be a name in the module `a`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def import_edges(package: str) -> Iterator[tuple[Path, str]]:
    """Every import inside a package: the importing file and the full name that it imports."""
    folder = ROOT.joinpath(*package.split("."))
    for path in sorted(folder.rglob("*.py")):
        for name in imported(path):
            if name.startswith(f"{package}."):
                yield path.relative_to(folder), name.removeprefix(f"{package}.")
