"""An installed toolkit has every file that its code reads."""

import ast
import re
import sys
import tomllib
from fnmatch import fnmatch
from importlib.metadata import packages_distributions
from pathlib import Path, PurePath

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("comphy", "data_gen", "models")


@pytest.fixture(scope="module")
def shipped() -> list[PurePath]:
    """All files of the packages but what Python makes of them."""
    files = (path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file())
    return [path.relative_to(ROOT) for path in files if "__pycache__" not in path.parts]


def test_data_files_are_packaged(shipped: list[PurePath]):
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    patterns = settings["package-data"]["*"]
    data = [path for path in shipped if path.suffix != ".py"]
    left_out = [str(path) for path in data if not any(fnmatch(path.name, pattern) for pattern in patterns)]
    assert not left_out, "add their kind to [tool.setuptools.package-data] in pyproject.toml"
    assert PurePath("comphy/questions/templates.yaml") in data


def test_every_folder_is_a_package_that_is_found(shipped: list[PurePath]):
    """Folders of code have an __init__.py. Those of data alone need none, but names that a package could have."""
    code = {path.parent for path in shipped if path.suffix == ".py"}
    assert code == {path.parent for path in shipped if path.name == "__init__.py"}
    assert all(part.isidentifier() for path in shipped for part in path.parent.parts)
    assert PurePath("models/weights/pcr/perceiver") in {path.parent for path in shipped} - code


IN_BLENDER = PurePath("data_gen/renderers/blender/worker.py")  # runs in Blender's own Python
BROUGHT_ALONG = {"h11": "uvicorn"}  # by what depends on it


def test_what_modules_import_is_installed_with_the_toolkit(shipped: list[PurePath]) -> None:
    """What only some extra installs is imported inside functions, which say what is missing."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    installed = {_distribution(requirement) for requirement in project["dependencies"]}
    known = {name: {_distribution(one) for one in found} for name, found in packages_distributions().items()}
    missing = {
        f"{path}: {name}"
        for path in shipped
        if path.suffix == ".py" and path != IN_BLENDER
        for name in _imported(ast.parse((ROOT / path).read_text()))
        if not installed & ({BROUGHT_ALONG[name]} if name in BROUGHT_ALONG else known.get(name, set()))
    }
    assert not missing, "add it to dependencies in pyproject.toml, or import it where it is used"


def _distribution(requirement: str) -> str:
    return re.split(r"[<>=\[; ]", requirement)[0].lower().replace("_", "-")


def _imported(module: ast.Module) -> set[str]:
    """Packages of others that are imported with the module."""
    names = {one.name for statement in module.body if isinstance(statement, ast.Import) for one in statement.names}
    names |= {statement.module or "" for statement in module.body if isinstance(statement, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names) - set(PACKAGES)
