"""The rooms of models/pcr import in one direction, and build on no baseline."""

import ast
from pathlib import Path

import pytest

import models.pcr

HOME = Path(models.pcr.__file__).parent
# From the bottom up: a room imports itself and rooms before it.
ORDER = (
    *("tracks", "executor", "grounding", "dynamics", "properties", "reasoner"),
    *("parser", "asking", "evaluation", "training"),
)


def imported(path: Path) -> set[str]:
    """Full names of the modules that a file imports, at any depth."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module is not None, f"{path}: relative import"
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_every_room_has_its_place():
    assert {path.parent.name for path in HOME.glob("*/__init__.py")} == set(ORDER)


@pytest.mark.parametrize("room", ORDER)
def test_a_room_imports_only_rooms_below(room: str):
    allowed = ORDER[: ORDER.index(room) + 1]
    files = list((HOME / room).rglob("*.py"))
    assert files
    for path in files:
        rooms = {name.split(".")[2] for name in imported(path) if name.startswith("models.pcr.")}
        assert rooms <= set(allowed), f"{path.relative_to(HOME)} imports {sorted(rooms - set(allowed))}"


def test_no_room_builds_on_a_baseline():
    for path in HOME.rglob("*.py"):
        assert not any(name.startswith("models.baselines") for name in imported(path)), path
