"""The commands as a user runs them: exit codes, messages, help."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFIG = "configs/data/comphy.yaml"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("tool", sorted(Path("tools").glob("*.py")), ids=str)
def test_every_command_has_help_with_an_example(tool: Path):
    result = run(tool, "--help")
    assert result.returncode == 0, result.stderr
    assert f"python {tool.as_posix()}" in " ".join(result.stdout.split())


def test_generate_and_check(tmp_path: Path):
    made = run("tools/generate.py", CONFIG, "--out", tmp_path / "d", "--sets", 1, "--render", "none")
    assert made.returncode == 0, made.stderr
    assert "1 sets made" in made.stdout and "Rejections" in made.stdout
    checked = run("tools/check.py", tmp_path / "d", "--redraw", 1)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "is sound: 1 sets, 1 of them made again" in checked.stdout


def test_check_exits_non_zero_on_a_damaged_dataset(small_dataset: Path, tmp_path: Path):
    copy = Path(shutil.copytree(small_dataset, tmp_path / "copy"))
    next(copy.glob("extras/extras_*/00001.json")).unlink()
    result = run("tools/check.py", copy)
    assert result.returncode == 1
    assert "the file is missing" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["configs/none.yaml"], "no such config file"),
        ([CONFIG, "scene.max_object=4"], "scene.max_object: unknown key; did you mean 'max_objects'?"),
        ([CONFIG, "scene.max_objects=30"], "only 6 objects fit"),
        ([CONFIG, "--shard", "4/2"], "expected i/n"),
        ([CONFIG, "--sets", "0"], "at least 1"),
        ([CONFIG, "--ray", "127.0.0.1:1", "--render", "none"], "No Ray cluster answers"),
    ],
)
def test_bad_input_is_explained(arguments: list[str], message: str, tmp_path: Path):
    result = run("tools/generate.py", *arguments, "--out", tmp_path / "d")
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "d" / "manifest.json").exists()
