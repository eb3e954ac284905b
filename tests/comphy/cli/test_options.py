"""Weights and sources of frames by name."""

import shutil
from pathlib import Path

import pytest
import typer

from comphy.choices import Frames
from comphy.cli.options import _device, frames_source
from comphy.errors import ConfigError
from comphy.resources import find_weights


def test_weights_are_found_by_path_and_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_weights("run") == Path("run"), "a path comes first"
    shipped = find_weights("pcr")
    assert (shipped / "reasoner.safetensors").is_file()
    assert find_weights("models/weights/pcr") == shipped
    assert find_weights("pcr/perceiver") == shipped / "perceiver"
    assert find_weights("out/none") == Path("out/none"), "whoever opens it says what is missing"
    with pytest.raises(ConfigError, match="Known names: pcr"):
        find_weights("prc")


@pytest.mark.bullet
def test_frames_come_from_videos_where_there_are_some(small_dataset: Path, tmp_path: Path) -> None:
    assert frames_source(small_dataset, Frames.AUTO) == "raytrace"
    assert frames_source(small_dataset, Frames.BLENDER) == "blender"
    shutil.copy(small_dataset / "manifest.json", tmp_path)
    text = (tmp_path / "manifest.json").read_text()
    (tmp_path / "manifest.json").write_text(text.replace('"renderer": "none"', '"renderer": "raytrace"'))
    assert frames_source(tmp_path, Frames.AUTO) == "videos"


def test_devices_are_checked() -> None:
    assert [_device(name) for name in ("auto", "cpu", "cuda", "cuda:1")] == ["auto", "cpu", "cuda", "cuda:1"]
    for wrong in ("gpu", "cpu:1", "cuda:x"):
        with pytest.raises(typer.BadParameter, match="expected auto, cpu, cuda"):
            _device(wrong)
