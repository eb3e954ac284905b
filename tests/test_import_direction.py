"""Packages import in one direction: `data_gen` and `models` know `comphy` but not each other, `comphy` knows neither.

Three places of `comphy` name the packages above it, at first use: commands, lazy public names, and the jobs of both."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UPPER = ("data_gen", "models")
# Imported by commands inside their functions, so they may import what they need as usual.
AT_FIRST_USE = ("comphy/toolkit/", "comphy/cli/benchmarks/")


@cache
def imports(path: Path, everywhere: bool = True) -> frozenset[str]:
    """Packages that a file imports; of its own, or with `everywhere` also those in functions."""
    found: set[str] = set()
    for node in ast.walk(parsed(path)) if everywhere else outside_functions(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return frozenset(found)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """What is executed when a module is imported."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from outside_functions(child)


def files(package: str) -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("name", files("comphy"))
def test_comphy_knows_no_package_above_it(name: str) -> None:
    if name.startswith(AT_FIRST_USE):
        return
    lazily = name.startswith("comphy/cli/") or name == "comphy/__init__.py"
    found = imports(ROOT / name, everywhere=not lazily) & set(UPPER)
    assert not found, f"{name} imports {found}"


def test_what_commands_do_is_imported_by_commands_alone() -> None:
    """Nothing imports `comphy.toolkit` or `comphy.cli.benchmarks` before it is needed."""
    for name in files("comphy"):
        if name.startswith(AT_FIRST_USE):
            continue
        modules = {
            node.module
            for node in outside_functions(parsed(ROOT / name))
            if isinstance(node, ast.ImportFrom) and node.module
        }
        assert not any(module.startswith(("comphy.toolkit", "comphy.cli.benchmarks")) for module in modules), name


@pytest.mark.parametrize(("package", "other"), [UPPER, UPPER[::-1]])
def test_the_two_upper_packages_never_import_each_other(package: str, other: str) -> None:
    assert not [name for name in files(package) if other in imports(ROOT / name)]


def test_one_file_knows_the_engine() -> None:
    measured = "comphy/cli/benchmarks/world.py"  # times the bare engine against ours
    everything = (name for package in ("comphy", *UPPER) for name in files(package) if name != measured)
    assert [name for name in everything if "pybullet" in imports(ROOT / name)] == ["comphy/sim/bullet/engine.py"]
