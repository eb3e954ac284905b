"""What tools/structure.py counts, on a small package made for it."""

from pathlib import Path

import pytest

from comphy.errors import ConfigError
from tools.structure import measure

FILES = {
    "house/__init__.py": "",
    "house/hall.py": "from house.kitchen.oven import bake\nimport house.cellar.wine\n",
    "house/kitchen/__init__.py": "",
    "house/kitchen/oven.py": "from house.kitchen import fire\n",
    "house/kitchen/fire.py": "def burn():\n    from house.hall import later\n",
    "house/cellar/__init__.py": "",
    "house/cellar/wine.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house.kitchen import oven\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_modules_and_the_longest_chain_are_counted(root: Path) -> None:
    found = measure(root, Path("house"))
    assert (found.flat, found.total) == (1, 4)
    assert found.levels == 3, "hall -> oven -> fire; imports inside functions do not count"
    assert found.cycles == ()


def test_subfolders_that_import_each_other_are_a_cycle(root: Path) -> None:
    (root / "house/cellar/wine.py").write_text("from house.kitchen import oven\n")
    (root / "house/kitchen/oven.py").write_text("import house.cellar.wine\n")
    assert measure(root, Path("house")).cycles == (("cellar", "kitchen"),)
    assert measure(root, Path("house")).levels == 2, "modules that import each other are one level"


def test_a_folder_without_modules_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected a folder with Python modules"):
        measure(tmp_path, Path("house"))
