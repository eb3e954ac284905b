"""How long somebody waits who talks about a set with `comphy ask`, against importing torch, which nothing can spare."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from comphy.choices import RendererName
from comphy.cli.benchmarks.pcr import true_features
from comphy.dataset.sources.opening import open_source
from comphy.resources import find_weights
from data_gen.config import DatasetConfig
from data_gen.jobs.generate import generate
from data_gen.jobs.worker import Job
from models.pcr.reasoner.checkpoint import load_reasoner

WEIGHTS: Final = "pcr"
FACTUAL: Final = (
    "Are there any charged objects?",
    "How many cubes are there?",
    "How many objects are heavy?",
    "Is anything made of metal?",
    "How many collisions happen?",
)
FUTURE: Final = "What will happen next?"


def asking(repeats: int = 2) -> dict[str, Any]:
    """CPU seconds of a conversation with the shipped weights about a set that was perceived: until the prompt, at first and
    when the set was asked about before; for the first question, for each further one, and for one that has to imagine
    motion. Of `repeats` the least; the ratios are to `import torch` in the same run. Features are random, which changes no
    work."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        talk = _Talk(folder)
        torch = min(_cpu_seconds(["-c", "import torch"], "", folder) for _ in range(repeats))
        at_first = talk.seconds([])
        prompt, one, many, future = (
            min(talk.seconds(lines) for _ in range(repeats))
            for lines in ([], FACTUAL[:1], FACTUAL, [FACTUAL[0], FUTURE])
        )
    seconds = {
        "prompt_at_first": at_first,
        "prompt": prompt,
        "first_question": max(one - prompt, 0.0),
        "next_question": max(many - one, 0.0) / (len(FACTUAL) - 1),
        "imagined_question": max(future - one, 0.0),
    }
    return {
        "import_torch_s": torch,
        **{f"{what}_s": found for what, found in seconds.items()},
        **{f"{what}_ratio": found / torch for what, found in seconds.items()},
    }


class _Talk:
    """A dataset of one set with the features of a perceiver that sees all, in a folder with a user's cache of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._data, self._features = folder, folder / "data", folder / "features"
        generate(Job(self._data, 0, RendererName.NONE, DatasetConfig()), sets=1)
        size = load_reasoner(find_weights(WEIGHTS)).settings.features
        true_features(self._data, self._features, [0], size, open_source(self._data).fingerprint())

    def seconds(self, lines: Sequence[str]) -> float:
        """Of a conversation of these lines, from the start of the process to its end."""
        command = ["-m", "comphy.cli", "ask", WEIGHTS, f"{self._data}:0", "--cache", str(self._features)]
        return _cpu_seconds([*command, "--device", "cpu"], "\n".join(lines), self._folder)


def _cpu_seconds(arguments: Sequence[str], lines: str, cache: Path) -> float:
    before = os.times()
    surroundings = {**os.environ, "XDG_CACHE_HOME": str(cache / "cache")}
    subprocess.run(
        [sys.executable, *arguments], input=lines, text=True, check=True, stdout=subprocess.DEVNULL, env=surroundings
    )
    after = os.times()
    return (after.children_user + after.children_system) - (before.children_user + before.children_system)
