"""An installed toolkit has every file that its code reads."""

import tomllib
from fnmatch import fnmatch
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
