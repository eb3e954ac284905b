"""An installed toolkit has every file that its code reads."""

import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path, PurePath

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("comphy", "data_gen", "models")


@pytest.fixture(scope="module")
def tracked() -> list[PurePath]:
    found = subprocess.run(["git", "ls-files", "-z", *PACKAGES], cwd=ROOT, capture_output=True, text=True)
    if found.returncode != 0:
        pytest.skip("not a git checkout")
    return [PurePath(name) for name in found.stdout.split("\0") if name]


def test_data_files_are_packaged(tracked: list[PurePath]):
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    patterns = settings["package-data"]["*"]
    data = [path for path in tracked if path.suffix != ".py"]
    left_out = [str(path) for path in data if not any(fnmatch(path.name, pattern) for pattern in patterns)]
    assert not left_out, "add their kind to [tool.setuptools.package-data] in pyproject.toml"
    assert PurePath("comphy/questions/templates.yaml") in data


def test_every_folder_is_a_package_that_is_found(tracked: list[PurePath]):
    """Only folders with an __init__.py are; what lies in others stays out of a wheel."""
    assert {path.parent for path in tracked} == {path.parent for path in tracked if path.name == "__init__.py"}
