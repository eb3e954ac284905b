"""The examples in each `--help` succeed when they are run one after the other, on a tiny dataset."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from comphy.cli.app import COMMANDS, load_command
from comphy.cli.benchmarks import generation, startup
from comphy.resources import find_weights
from models.pcr.reasoner.checkpoint import MODEL, load_reasoner, save_reasoner
from tests.support.commands import comphy
from tests.support.tiny import quick_drawing, save_untrained

pytestmark = [pytest.mark.bullet, pytest.mark.slow]

# Not run here: servers and what takes hours. The demo and the reproduction have tests of their own.
LEFT_OUT = tuple(
    f"comphy {words}"
    for words in (
        "demo",
        "explore",
        "reproduce",
        "phyq play",
        "phyre play",
        "phyre build",
        "phyre check",
        "phyq train-all",
        "phyq import-levels",
        "phyre diversity",
    )
)
# Smaller than the example by options that come last.
SMALLER = {
    "comphy generate": ["picture.width=96", "picture.height=64", "--sets", "6", "--render", "none", "--workers", "1"],
    "comphy stability": ["--runs", "1", "--workers", "1"],
    "comphy export": ["--sets", "1"],
    "comphy stills": ["--videos", "1", "--width", "48", "--render", "raytrace", "--workers", "1"],
    "comphy train": ["epochs=1", "model.hidden=8"],
    "comphy bench": ["--device", "cpu"],
    "comphy laws": ["--sets", "4"],
    "comphy phyq simulate": ["--plays", "1"],
    "comphy phyq evaluate": ["--template", "1.5"],
    "comphy phyq calibrate": ["--plays", "4", "--shots", "4", "--scenario", "1"],
    "comphy phyre simulate": ["--tasks-per-template", "2", "--actions", "5"],
    "comphy phyre evaluate": ["--tasks-per-template", "2", "--actions", "5"],
}


def examples() -> list[str]:
    """In the order of the commands."""
    found = []
    for name in COMMANDS:
        command = load_command(name)
        for one in (command, *getattr(command, "commands", {}).values()):
            found += re.findall(r"Example: (comphy .*)", one.help or "")
    return list(dict.fromkeys(found))


def with_tiny_perceiver(run: Path) -> None:
    """The shipped weights, found first by their name, with a perceiver that has learned nothing and without what takes
    seconds a set."""
    shutil.copytree(find_weights("pcr"), run, ignore=shutil.ignore_patterns("perceiver"))
    save_untrained(run / "perceiver")
    save_reasoner(run / MODEL, load_reasoner(run, without=["state_fit", "property_refinement"]))


@pytest.mark.usefixtures("small_clips")
def test_examples_succeed_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(generation.physics, "__defaults__", (2,))  # sets
    monkeypatch.setattr(startup, "COMMANDS", list(COMMANDS)[:2])
    assert len(examples()) > 20
    with_tiny_perceiver(tmp_path / "pcr")
    for example in examples():
        if not example.startswith(LEFT_OUT):
            more = next((options for start, options in SMALLER.items() if example.startswith(start)), [])
            with quick_drawing():
                result = comphy(*shlex.split(example)[1:], *more)
            assert result.returncode == 0, f"{example}: {result.stdout}\n{result.stderr}"
