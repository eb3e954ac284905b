"""The order of the perceiver's folders: none imports one that stands after it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path("models/perceiver")
MODULES_HERE = ""
ORDER = ("detection", "tracking", MODULES_HERE, "cache", "training")


def layer_of(parts: tuple[str, ...]) -> int:
    """Of a module, by its path below the package."""
    return ORDER.index(parts[0] if len(parts) > 1 else MODULES_HERE)


def imports(path: Path) -> Iterator[tuple[str, ...]]:
    """Modules of the package that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        yield from (tuple(name.split(".")[2:]) for name in names if name.startswith("models.perceiver."))


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=str)
def test_a_folder_imports_only_those_before_it(path: Path):
    here = layer_of(path.relative_to(PACKAGE).parts)
    later = [".".join(module) for module in imports(path) if layer_of(module) > here]
    assert not later, f"{path} imports {later}, which the order in models/perceiver/__init__.py puts after it"


def test_puzzle_agents_and_shared_training_do_not_import_the_perceiver():
    for folder in ("models/agents", "models/train"):
        assert not [path for path in Path(folder).rglob("*.py") if list(imports(path))]
