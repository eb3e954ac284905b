"""The commands as a user runs them: exit codes, messages, help."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import comphy as toolkit
from comphy.cli.app import COMMANDS, app, load_command
from tests.support.commands import comphy, process

CONFIG = "configs/data/comphy.yaml"
TOOLS = [path for path in sorted(Path("tools").glob("*.py")) if path.stem.replace("_", "-") in COMMANDS]
ENGINES = ("torch", "pybullet", "transformers", "matplotlib", "scipy", "av", "numpy")


def words_of_commands() -> list[tuple[str, ...]]:
    """Every command and subcommand."""
    groups = {name: getattr(load_command(name), "commands", {}) for name in COMMANDS}
    return [(), *((name,) for name in COMMANDS), *((name, one) for name, group in groups.items() for one in group)]


@pytest.mark.parametrize("words", words_of_commands(), ids=" ".join)
def test_help_has_an_example(words: tuple[str, ...]):
    result = comphy(*words, "--help")
    assert result.returncode == 0, result.stderr
    assert "Example: comphy" in " ".join(result.stdout.split())


def test_help_needs_no_engine():
    """One process asks for all of them, so that what the first imports cannot be hidden by a test before it."""
    code = f"""
import json, sys
from typer.testing import CliRunner
from comphy.cli.app import app
for words in {words_of_commands()!r}:
    assert CliRunner().invoke(app, [*words, "--help"]).exit_code == 0, words
print(json.dumps([name for name in {ENGINES!r} if name in sys.modules]))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == []


@pytest.mark.parametrize("tool", TOOLS, ids=str)
def test_a_tool_of_the_checkout_is_the_command(tool: Path):
    result = subprocess.run([sys.executable, str(tool), "--help"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert f"comphy {tool.stem.replace('_', '-')}" in " ".join(result.stdout.split())


def test_every_command_has_a_tool():
    assert set(COMMANDS) <= {path.stem.replace("_", "-") for path in Path("tools").glob("*.py")}


def test_version_and_typing_errors():
    assert process("--version").stdout == f"comphy {toolkit.__version__}\n"
    wrong = comphy("genrate")
    assert wrong.returncode == 2 and "Did you mean 'generate'?" in wrong.stderr


def test_values_of_options_are_completed():
    environment = {
        "_COMPHY_COMPLETE": "complete_bash",
        "COMP_WORDS": "comphy evaluate pcr out --split ",
        "COMP_CWORD": "5",
    }
    completed = CliRunner().invoke(app, [], prog_name="comphy", env=environment)
    assert completed.stdout.split() == ["train", "val", "test"]


def test_output_may_be_cut_off():
    """As `comphy … | head -1` does it."""
    code = f"{sys.executable} -m comphy.cli --help | head -1"
    cut = subprocess.run(["bash", "-c", code], capture_output=True, text=True)
    assert "Traceback" not in cut.stderr and "Broken" not in cut.stderr


def test_generate_and_check(tmp_path: Path):
    out = tmp_path / "d[/b] :cat:"  # Rich would take this for markup and a picture
    made = comphy("generate", CONFIG, "--out", out, "--sets", 1, "--render", "none")
    assert made.returncode == 0, made.stderr
    assert "1 sets made" in made.stdout and f"comphy check {out}" in made.stdout.replace("\n", "")
    checked = comphy("check", out, "--redraw", 1)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"{out} is sound: 1 sets, 1 of them made again" in checked.stdout.replace("\n", "")
    (out / "stray[/i].txt").parent.mkdir()
    (out / "stray[/i].txt").touch()
    checked = comphy("check", out, "--redraw", 0)
    assert checked.returncode == 1 and f"problem {out}/stray[/i].txt" in checked.stdout.replace("\n", "")


def test_stability(small_dataset: Path, tmp_path: Path):
    copy = Path(shutil.copytree(small_dataset, tmp_path / "copy"))
    result = comphy("stability", copy, "--split", "train", "--runs", 1, "--sets", 2)
    assert result.returncode == 0, result.stderr
    assert "2 sets measured, 0 found done." in result.stdout and "majority" in result.stdout
    assert (
        "0 sets measured, 2 found done."
        in comphy("stability", copy, "--split", "train", "--runs", 1, "--sets", 2).stdout
    )
    wrong = comphy("stability", tmp_path)
    assert wrong.returncode == 1 and "no manifest.json here" in wrong.stderr


def test_check_exits_non_zero_on_a_damaged_dataset(small_dataset: Path, tmp_path: Path):
    copy = Path(shutil.copytree(small_dataset, tmp_path / "copy"))
    next(copy.glob("extras/extras_*/00001.json")).unlink()
    result = comphy("check", copy)
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
    result = comphy("generate", *arguments, "--out", tmp_path / "d")
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "d" / "manifest.json").exists()
