"""Configs that ship with the toolkit are found by name."""

import tomllib
from pathlib import Path

import pytest

from comphy.errors import ConfigError
from comphy.resources import config_folder, find_config

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("named", ["comphy", "data/comphy", "configs/data/comphy.yaml", "data/comphy.yaml"])
def test_a_shipped_config_has_several_names(named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_config(named, ("data",)).read_text() == (ROOT / "configs/data/comphy.yaml").read_text()


def test_a_path_comes_first_and_rooms_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_config("comphy", ("pcr", "data")).parent.name == "pcr"
    (tmp_path / "comphy").write_text("seed: 1")
    assert find_config("comphy", ("data",)) == Path("comphy")


def test_what_exists_is_listed() -> None:
    listed = r"no such config file. Did you mean 'data/comphy'\?.*: data/comphy, data/comphy_full\."
    with pytest.raises(ConfigError, match=listed):
        find_config("data/comfy", ("data",))
    with pytest.raises(ConfigError, match="baselines/blind_lstm, baselines/cnn_lstm, baselines/cnn_lstm_ref"):
        find_config("nothing-like-it", ("baselines",))


def test_every_folder_of_configs_is_installed() -> None:
    files = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["data-files"]
    folder = config_folder()
    assert folder == ROOT / "configs"
    rooms = sorted(room.name for room in folder.iterdir() if room.is_dir())
    assert sorted(files) == [f"share/comphy/configs/{room}" for room in rooms]
    assert all(files[f"share/comphy/configs/{room}"] == [f"configs/{room}/*.yaml"] for room in rooms)
