"""The quick start of the README, run as it stands there, on one set instead of three, with pictures of half the width."""

import re
import shlex
from functools import partial
from pathlib import Path

import pytest

from comphy.cli import demo, generate
from tests.support.commands import comphy

README = Path(__file__).parents[2] / "README.md"
CACHE = "cache"  # of the user, in the folder in which the quick start was run
SMALLER = ["picture.width=240", "picture.height=160"]  # what the shipped weights look at


def quick_start() -> list[list[str]]:
    """The commands of the README's first section that has any, below the picture."""
    block = re.search(r"## Install and try\n```\n(.*?)```", README.read_text(), re.DOTALL)
    assert block is not None
    lines = [re.sub(r"\s#.*", "", line) for line in block[1].splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("comphy ")]


def run_quick_start(folder: Path) -> None:
    """Uncompiled: drawing one set of this size takes less than compiling for it."""
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("XDG_CACHE_HOME", str(folder / CACHE))
        patch.setattr(generate, "main", partial(generate.main, overrides=SMALLER))
        patch.setattr(demo, "SETS", 1)
        patch.setattr(demo, "SHOWN", 0)
        for words in quick_start():
            smaller = ("--workers", "1") if words[0] == "demo" else ()
            result = comphy(*words, *smaller)
            assert result.returncode == 0, result.stdout + result.stderr
            (folder / f"{words[0]}.txt").write_text(result.stdout)
